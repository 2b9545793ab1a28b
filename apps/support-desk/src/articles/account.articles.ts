import type { Article } from './article.js';

export const ACCOUNT_ARTICLES: readonly Article[] = [
  {
    id: 'reset-password',
    title: 'Reset your password',
    body: `
      If you forgot your password, open the sign-in page and choose "Forgot password". Enter the address you use for
      Harbor and we send you a reset link. The link works once and expires after 60 minutes, so ask for a new one if it
      has been lying in your inbox. Choose a new password of at least 12 characters that you use nowhere else; a sentence
      of four or five words is easier to remember than a short string of symbols. After the change Harbor signs you out
      of every other browser and phone, which also locks out anybody who knew the old password. If no mail arrives within
      five minutes, look in the spam folder and check that you typed the address of your Harbor account and not another
      one. Members of a workspace with single sign-on have no Harbor password: they change it where their company manages
      its logins. To change a password that you still know, go to Settings, then Security.`,
  },
  {
    id: 'two-factor-authentication',
    title: 'Turn on two-factor authentication (2FA)',
    body: `
      Two-factor authentication asks for a six-digit code beside your password, so that a stolen password alone opens
      nothing. Go to Settings, then Security, and choose "Turn on two-factor". Scan the square code with an authenticator
      app such as Aegis, 1Password or Google Authenticator and type the six digits it shows. Harbor then gives you ten
      backup codes. Print them or keep them in a password manager: each one replaces a code from the app once, for the
      day you have lost your phone. Hardware security keys work as well, and you may register up to five of them. Codes
      by text message are not offered, because phone numbers are too easily taken over. Owners can require two-factor
      for the whole workspace; members then have seven days to set it up before they are asked at each sign-in. If both
      your phone and the backup codes are gone, an owner of your workspace can clear the second factor for you.`,
  },
  {
    id: 'locked-account',
    title: 'Unlock a locked account',
    body: `
      Harbor locks an account for 30 minutes after ten failed sign-ins in a row. The lock protects you from somebody who
      is guessing, and it lifts by itself; trying again while the account is locked starts the half hour anew. If you
      cannot wait, use the "Unlock now" link in the mail we sent when the lock was set. Should you see the lock again and
      again although you made no mistake, an old phone or a calendar program is probably still signing in with outdated
      credentials: remove Harbor there and add it afresh. An account can also be suspended by an owner of your workspace,
      for example when somebody leaves the company. In that case the sign-in page says "suspended" rather than "locked",
      and only an owner can lift it under Members. When we suspect that a stranger has taken over an account we lock it
      without a time limit and write to all owners; answer that mail, and a person will help you.`,
  },
  {
    id: 'delete-account',
    title: 'Delete your account',
    body: `
      You can delete your account at any time under Settings, then Profile, then "Delete account". Harbor asks you to
      type your address so that nobody deletes an account by accident. For 14 days the account is only closed: sign in
      within that time and everything is back. After that your profile, your private notes and your direct messages are
      erased for good, and nobody, our staff included, can bring them back. Pages and comments that you wrote in a shared
      workspace stay, because they belong to the workspace; they then show "former member" as their author. The last
      owner of a workspace cannot leave it behind without anybody in charge, so make another member an owner first, or
      delete the whole workspace under Settings, then Workspace. Deleting the account does not cancel a paid plan that is
      billed to somebody else. We recommend making an export of your pages before you go.`,
  },
];
