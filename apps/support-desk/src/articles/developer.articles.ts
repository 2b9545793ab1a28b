import type { Article } from './article.js';

export const DEVELOPER_ARTICLES: readonly Article[] = [
  {
    id: 'api-keys',
    title: 'Create and rotate API keys',
    body: `
      An API key lets a program act in your workspace. Admins create one under Settings, then Developers, then "API
      keys". Give the key a name that says where it is used, choose its scopes, such as reading pages or writing
      comments, and an expiry date of at most one year. The key is shown once; Harbor keeps only a fingerprint, so store
      it in a secret manager straight away. Send it with each request in the header "Authorization: Bearer". To rotate a
      key, choose "Rotate": the new key works at once, the old one for another 24 hours, which leaves time to deploy. A
      key that turned up in a public repository should be revoked instead; revoking works within seconds. Requests are
      limited to 600 per minute and key. Above that the API answers with status 429 and a Retry-After header. The page
      also shows when and from which address each key was last used. Keys belong to the workspace and survive the person
      who made them.`,
  },
  {
    id: 'webhooks',
    title: 'Receive events with webhooks',
    body: `
      A webhook tells your own server when something happens in Harbor, for example when a page is published or a comment
      is added. Go to Settings, then Developers, then "Webhooks", enter an https address, and select the events you want.
      Harbor sends each event as a POST request with a JSON body. Check the header "Harbor-Signature" before you trust
      one: it is an HMAC-SHA256 of the raw body with the signing secret of that webhook. Answer with any 2xx status
      within ten seconds and do slow work afterwards. Failed deliveries are repeated for 24 hours with growing pauses, so
      an event may reach you twice; use its id to recognise a duplicate. After three days without a single success the
      webhook is paused and the admins receive a mail. Under "Deliveries" you see the last 500 attempts with request and
      response, and you can send any of them again. Test events can be triggered by hand from the same page.`,
  },
];
