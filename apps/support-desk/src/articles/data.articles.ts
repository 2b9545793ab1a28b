import type { Article } from './article.js';

export const DATA_ARTICLES: readonly Article[] = [
  {
    id: 'export-data',
    title: 'Export your data',
    body: `
      You can take everything out of Harbor whenever you like. For a single page open its menu and choose "Export", then
      PDF, Markdown or HTML. For a whole workspace an owner goes to Settings, then Workspace, then "Export data". Choose
      whether attachments and comments shall be included. Harbor collects everything in the background, which takes a few
      minutes for most teams and up to six hours for very large ones, and mails a link to a ZIP archive. The link is
      valid for three days and works only for the owner who asked. Pages come as Markdown files in folders that mirror
      your spaces; tables come as CSV, comments as JSON. The archive keeps page links working, as long as you leave the
      folders as they are. You may start one full export per day. For regular backups use the export endpoint of the API,
      which delivers only what has changed since the last run.`,
  },
  {
    id: 'import-csv',
    title: 'Import from a CSV file',
    body: `
      Harbor turns a CSV file into a table with one row per line. Open the space where the table shall live, choose
      "Import", then "CSV", and drop the file. The first line must hold the column names. Harbor guesses the separator
      and the type of every column and shows the first twenty rows, so that you can correct the types before anything is
      saved. Save your spreadsheet as UTF-8; otherwise accents and umlauts arrive as question marks. Dates should look
      like 2026-03-31, since 03/04 means different days in different countries. One import may have up to 50,000 rows and
      100 columns; split larger lists. To update an existing table, choose "Match rows by" and name the column that
      identifies a row: matching rows are changed, new ones added, and none are removed. Rows with errors are skipped and
      offered as a second CSV with a column that says what was wrong. "Undo import" works for 24 hours.`,
  },
  {
    id: 'file-limits',
    title: 'File size and storage limits',
    body: `
      A single upload may be as large as 25 MB on the Free plan, 250 MB on Team and 2 GB on Business. The total storage
      of a workspace is 2 GB on Free, 20 GB per member on Team and unlimited on Business within fair use. When an upload
      is too large, Harbor says so before the transfer starts; put the file into a cloud drive and paste its link
      instead, which shows a preview all the same. All file types are allowed except programs and scripts that Windows
      would run. Images above 40 megapixels are stored but get no preview. Under Settings, then Workspace, then "Storage"
      you see what takes the most room, sorted by space and by file, and can delete old versions in one go. Deleted files
      count for another 30 days, because they can be restored from the trash during that time. At 90 percent of the
      storage all admins receive a warning; at 100 percent uploads stop while pages stay editable.`,
  },
  {
    id: 'privacy',
    title: 'Privacy and where your data is stored',
    body: `
      Harbor stores customer data in two data centres in Frankfurt and Dublin; Business customers may choose the United
      States instead. Everything is encrypted on the way with TLS 1.3 and at rest with AES-256. We do not sell personal
      information, show no advertising, and never train language models on your content. Our staff can open a workspace
      only after an owner has granted access for a support case, and that access ends after 48 hours. A data processing
      agreement under the GDPR is part of our terms; a signed copy is available under Settings, then Workspace, then
      "Legal". The list of subprocessors is published on our website, and owners are told 30 days before it changes. To
      learn what we hold about you as a person, choose "Request my information" in your profile; we answer within a month.
      Server logs are kept for 30 days, backups for 35. After that, what was erased is gone from the backups too.`,
  },
];
