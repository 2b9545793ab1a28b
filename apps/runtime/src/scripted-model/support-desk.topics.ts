export interface Topic {
  /** Recognises a question about the topic. */
  readonly pattern: RegExp;
  /** What a model would search the help articles for. */
  readonly query: string;
}

/** The first topic that fits a question is taken, so that the more special ones stand first. */
export const SUPPORT_TOPICS: readonly Topic[] = [
  { pattern: /two.?factor|2fa|authenticator|backup codes?/i, query: 'two-factor authentication' },
  { pattern: /single sign.?on|\bsso\b|saml|okta/i, query: 'single sign-on' },
  { pattern: /webhook/i, query: 'webhooks' },
  { pattern: /\bapi\b.{0,40}\b(key|token)s?\b/i, query: 'API keys' },
  { pattern: /\blocked\b|unlock|\block(ed)? out/i, query: 'unlock locked account' },
  { pattern: /password/i, query: 'reset password' },
  { pattern: /refund|money back|charged twice/i, query: 'refund money back' },
  { pattern: /invoice|receipt/i, query: 'download invoices' },
  { pattern: /cancel|subscription|downgrade/i, query: 'downgrade or cancel plan' },
  { pattern: /upgrade|\bplans?\b|pricing/i, query: 'upgrade plan' },
  { pattern: /\b(delete|close|remove)\b.{0,40}\baccount/i, query: 'delete account' },
  { pattern: /import|\bcsv\b/i, query: 'import CSV file' },
  { pattern: /export|backup/i, query: 'export data' },
  { pattern: /file size|upload|storage|too (large|big)/i, query: 'file upload size' },
  { pattern: /invit|add (a |new )?(member|colleague|people)/i, query: 'send invite' },
  { pattern: /\broles?\b|permission|\badmins?\b/i, query: 'roles owners admins editors viewers' },
  { pattern: /notif|digest|too many e?-?mails/i, query: 'notifications' },
  { pattern: /time ?zone|date format/i, query: 'time zone profile device' },
  { pattern: /mobile|android|iphone|ipad|\bios\b|offline/i, query: 'mobile app' },
  { pattern: /outage|status page|\bdown\b|maintenance|not available/i, query: 'outages status page' },
  { pattern: /privacy|gdpr|encrypt|where .{0,40}\bdata\b/i, query: 'privacy data stored' },
];
