import { ACCOUNT_ARTICLES } from './account.articles.js';
import type { Article } from './article.js';
import { BILLING_ARTICLES } from './billing.articles.js';
import { DATA_ARTICLES } from './data.articles.js';
import { DEVELOPER_ARTICLES } from './developer.articles.js';
import { TEAM_ARTICLES } from './team.articles.js';
import { WORKSPACE_ARTICLES } from './workspace.articles.js';

/** Every help article of Harbor. */
export const HARBOR_ARTICLES: readonly Article[] = [
  ...ACCOUNT_ARTICLES,
  ...BILLING_ARTICLES,
  ...TEAM_ARTICLES,
  ...DEVELOPER_ARTICLES,
  ...DATA_ARTICLES,
  ...WORKSPACE_ARTICLES,
];
