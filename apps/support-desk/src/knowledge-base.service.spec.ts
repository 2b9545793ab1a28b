import { describe, expect, it } from 'vitest';
import { HARBOR_ARTICLES } from './articles/harbor.articles.js';
import { KnowledgeBaseService } from './knowledge-base.service.js';

const knowledgeBase = new KnowledgeBaseService();

const QUESTIONS: readonly (readonly [question: string, article: string])[] = [
  ['How do I reset my password?', 'reset-password'],
  ['How can I enable 2FA with an authenticator app?', 'two-factor-authentication'],
  ['My account is locked', 'locked-account'],
  ['I want to delete my account', 'delete-account'],
  ['Where are my invoices?', 'invoices'],
  ['Can I get my money back, a refund?', 'refunds'],
  ['How do I upgrade to the Business plan?', 'change-plan'],
  ['How do I invite a colleague?', 'invite-members'],
  ['What may a viewer do, and which roles are there?', 'roles-and-permissions'],
  ['Does Harbor support SSO with Okta?', 'single-sign-on'],
  ['How do I rotate an API key?', 'api-keys'],
  ['How do I verify the signature of a webhook?', 'webhooks'],
  ['How can I export all our data?', 'export-data'],
  ['Importing a spreadsheet as CSV', 'import-csv'],
  ['What is the maximum file size for an upload?', 'file-limits'],
  ['Where is our data stored, and what about the GDPR and privacy?', 'privacy'],
  ['Is there a mobile app for Android?', 'mobile-app'],
  ['I get too many email notifications', 'notifications'],
  ['Due dates show in the wrong time zone', 'time-zones'],
  ['Is there an outage? Harbor is down', 'service-status'],
];

describe('KnowledgeBaseService', () => {
  it.each(QUESTIONS)('answers "%s" with %s', (query, article) => {
    expect(knowledgeBase.searchKnowledgeBase({ query })[0]?.id).toBe(article);
  });

  it('has a question here for each of its articles', () => {
    const asked = QUESTIONS.map(([, article]) => article).toSorted();
    expect(asked).toEqual(HARBOR_ARTICLES.map(({ id }) => id).toSorted());
  });

  it('gives at most three articles, best first, with words of the article', () => {
    const hits = knowledgeBase.searchKnowledgeBase({ query: 'settings billing password' });
    expect(hits).toHaveLength(3);
    const scores = hits.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    for (const { id, excerpt } of hits) {
      const article = HARBOR_ARTICLES.find((candidate) => candidate.id === id);
      expect(article?.body.replaceAll(/\s+/g, ' ')).toContain(excerpt);
    }
  });

  it('gives the same answer to the same question', () => {
    const ask = () => knowledgeBase.searchKnowledgeBase({ query: 'sign in on a new phone' });
    expect(ask()).toEqual(ask());
  });
});

describe('the articles', () => {
  it.each(HARBOR_ARTICLES)('$id can be read in a minute', ({ body }) => {
    const words = body.trim().split(/\s+/).length;
    expect(words).toBeGreaterThanOrEqual(120);
    expect(words).toBeLessThanOrEqual(200);
  });
});
