import type { Article } from './article.js';

export const TEAM_ARTICLES: readonly Article[] = [
  {
    id: 'invite-members',
    title: 'Invite members to your workspace',
    body: `
      Go to Members and choose "Invite". Enter one or more addresses, separated by commas, pick the role the new people
      shall have, and send. Each person receives a mail with a link that is valid for seven days; under "Pending" you can
      send it again or withdraw it. For larger groups create an invite link: whoever opens it joins with the role that
      you chose, until the link expires or you switch it off. You may restrict invite links to addresses of your own
      domain. On paid plans a new member takes up a seat, and the seat is added to the next bill for the days that
      remain. Guests are free: they see only the pages that were shared with them and cannot invite anybody. If a
      colleague says that the invitation never arrived, check the spelling under "Pending" and ask them to look for mail
      from no-reply@harbor.example. Somebody who already has a Harbor account joins with it and needs no second one.`,
  },
  {
    id: 'roles-and-permissions',
    title: 'Roles and permissions',
    body: `
      A workspace knows five roles. Owners may do everything, including deleting the workspace. Admins manage members,
      integrations and settings but not payment. Billing managers see payments and nothing else. Editors create and
      change pages. Viewers read and comment. To give somebody another role, open Members, click the role beside the name
      and choose a new one; the change works at once, without signing in again. Nobody can give a role above their own,
      and at least one owner must remain. Permissions can be narrowed for a single space: a private space is visible only
      to the people listed there, whatever their role in the workspace, though owners can always restore access. A page
      inherits the permissions of its space unless you choose "Restrict this page". On the Business plan you can also
      form groups, such as Sales or Support, and give a role to a whole group. Every change of permissions is written to
      the audit log.`,
  },
  {
    id: 'single-sign-on',
    title: 'Set up single sign-on (SSO)',
    body: `
      Single sign-on lets your people enter Harbor with their company login. It is part of the Business plan and speaks
      SAML 2.0 and OpenID Connect; step-by-step settings exist for Okta, Microsoft Entra ID, Google Workspace and
      Keycloak. First verify your domain under Settings, then "Single sign-on", by adding the TXT record shown there to
      your DNS. Then copy the metadata URL of your identity provider into Harbor and our callback address into your
      provider. Use "Test connection" before you go further: it signs you in in a second window and shows what the
      provider sent. While SSO is optional, members may still use a password. Once you choose "Required", passwords stop
      working for everybody on the domain, except for one emergency owner whose name you pick. New people are created at
      their first login with the role Viewer. With SCIM switched on, those who leave the company lose access within
      minutes.`,
  },
];
