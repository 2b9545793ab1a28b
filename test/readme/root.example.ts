import { Injectable, Module } from '@nestjs/common';
import { AgentModule, Operator } from '@nestor/agent';
import { AgentBuilder } from '@nestor/core';
import { z } from 'zod';

const articles = [{ title: 'Invoices', text: 'Invoices are under Settings, Billing.' }];

@Injectable()
export class KnowledgeBase {
  @Operator({ description: 'Search the help articles', input: z.object({ query: z.string() }) })
  search({ query }: { query: string }) {
    return articles.filter((article) => article.text.includes(query));
  }
}

const support = AgentBuilder.create('support').model('default').tool('search');

@Module({ imports: [AgentModule.forRoot({ agents: [support] })], providers: [KnowledgeBase] })
export class AppModule {}
