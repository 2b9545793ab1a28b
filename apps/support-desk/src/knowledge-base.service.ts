import { Injectable } from '@nestjs/common';
import { Operator } from '@nestor/agent';
import { z } from 'zod';
import { HARBOR_ARTICLES } from './articles/harbor.articles.js';
import { ArticleIndex, type ArticleHit } from './search/article-index.js';

const searchInput = z.object({
  query: z.string().trim().min(1).max(500).describe('What to look for, in a few key words'),
});

@Injectable()
export class KnowledgeBaseService {
  private readonly index = new ArticleIndex(HARBOR_ARTICLES);

  @Operator({
    description: 'Searches the help articles of Harbor and returns the three that fit best.',
    input: searchInput,
    effect: 'pure',
  })
  searchKnowledgeBase({ query }: z.infer<typeof searchInput>): readonly ArticleHit[] {
    return this.index.search(query);
  }
}
