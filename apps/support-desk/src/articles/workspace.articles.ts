import type { Article } from './article.js';

export const WORKSPACE_ARTICLES: readonly Article[] = [
  {
    id: 'mobile-app',
    title: 'Install and use the mobile app',
    body: `
      The Harbor app runs on iPhones and iPads with iOS 17 or later and on Android 11 or later. Install it from the App
      Store or Google Play, enter your address, and approve the sign-in from a browser where you are already signed in.
      You may use up to five devices at once. The app keeps the pages that you opened in the last two weeks on the
      device, so they can be read and edited offline, for instance on a plane; changes are merged as soon as there is a
      connection. Mark a space with "Keep offline" to have all of it with you. Scan paper documents with the camera to
      turn them into searchable PDFs. If the app shows old content, pull the page down to refresh it; if that does not
      help, sign out and in again, which empties the local copy. When you lose a phone, sign it out from a computer
      under Settings, then Devices. The next time it is online, the app erases what it had stored.`,
  },
  {
    id: 'notifications',
    title: 'Choose which notifications you get',
    body: `
      Harbor can notify you in the app, by mail and on your phone. Under Settings, then Notifications, choose for each
      kind of event which of the three you want. Mentions of your name and replies to your comments are on by default;
      changes to pages are off until you watch a page with the bell at its top. If you receive too many emails, switch
      mail to "Daily digest": one message at 8 in the morning sums up the day before. "Do not disturb" mutes the phone
      outside your working hours, which you set on the same page. To mute a single busy page, open its bell menu and
      choose "Mute for a week" or "Mute for good". If no notifications arrive on the phone, allow them for Harbor in the
      settings of the phone, and check that battery saving does not put the app to sleep. Owners cannot see or change
      what members are notified about. Security warnings are always mailed and cannot be muted.`,
  },
  {
    id: 'time-zones',
    title: 'Time zones and date formats',
    body: `
      Every member sees dates and times in their own time zone. Harbor takes it from the browser at the first sign-in; to
      change it, go to Settings, then Profile, then "Time zone", or switch on "Follow my device" if you travel a lot. A
      due date without an hour is the same calendar day for everybody, wherever they are. A due date with an hour is one
      moment: nine o'clock in Berlin shows as three o'clock at night in New York. Hover over any time to see it in the
      zone of the person who wrote it. Daylight saving is taken care of, so a weekly meeting stays at the same hour of
      the clock of the zone it was created in. The workspace has a time zone of its own for scheduled reports and for the
      daily digest; owners set it under Settings, then Workspace. The format of dates and the first day of the week
      follow the language of your profile.`,
  },
  {
    id: 'service-status',
    title: 'Outages and the status page',
    body: `
      If Harbor is slow or not available, look at status.harbor.example first. The status page shows every incident
      within five minutes of its detection, with updates at least every half hour, and it runs on servers apart from
      ours, so it works while Harbor is down. Subscribe there by mail, RSS or chat to hear of outages and planned
      maintenance. Maintenance takes place on Sundays between 4 and 6 in the morning, UTC, and is announced a week
      ahead. If the page says that everything works, reload without browser extensions, try another network, and check
      that your firewall allows harbor.example and its websocket connections. Pages that were opened before the failure
      stay readable, and what you type is kept in the browser until it can be saved. We promise 99.9 percent a month on
      Team and 99.95 on Business; below that, owners may claim a credit. A report of what went wrong follows within five
      working days.`,
  },
];
