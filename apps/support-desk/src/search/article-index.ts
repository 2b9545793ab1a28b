import type { Article } from '../articles/article.js';
import { tokenise } from './tokenise.js';

export interface ArticleHit {
  readonly id: string;
  readonly title: string;
  /** The sentences of the article that answer the query best. */
  readonly excerpt: string;
  /** Higher is better; comparable within one search only. */
  readonly score: number;
}

interface Sentence {
  readonly text: string;
  readonly words: ReadonlySet<string>;
}

interface IndexedArticle {
  readonly article: Article;
  readonly weights: ReadonlyMap<string, number>;
  readonly sentences: readonly Sentence[];
}

const TITLE_WEIGHT = 3;
const EXCERPT_SENTENCES = 4;

/** A small full-text index: words that few articles use count most, words of the title count more than the body's. */
export class ArticleIndex {
  readonly #articles: readonly IndexedArticle[];
  readonly #rarity: ReadonlyMap<string, number>;

  constructor(articles: readonly Article[]) {
    this.#articles = articles.map(indexArticle);
    this.#rarity = rarityOfWords(this.#articles);
  }

  /** The best `limit` articles, best first; equal scores are ordered by id. Empty if no word of the query is known. */
  search(query: string, limit = 3): readonly ArticleHit[] {
    const words = new Set(tokenise(query));
    return this.#articles
      .map((indexed) => ({ indexed, score: this.#score(indexed, words) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || (a.indexed.article.id < b.indexed.article.id ? -1 : 1))
      .slice(0, limit)
      .map(({ indexed, score }) => ({
        id: indexed.article.id,
        title: indexed.article.title,
        excerpt: this.#excerpt(indexed.sentences, words),
        score: Math.round(score * 1000) / 1000,
      }));
  }

  #score({ weights }: IndexedArticle, words: ReadonlySet<string>): number {
    let score = 0;
    for (const word of words) score += (weights.get(word) ?? 0) * this.#rarityOf(word);
    return score;
  }

  #excerpt(sentences: readonly Sentence[], words: ReadonlySet<string>): string {
    let best: readonly Sentence[] = [];
    let bestValue = -1;
    for (let start = 0; start === 0 || start + EXCERPT_SENTENCES <= sentences.length; start++) {
      const passage = sentences.slice(start, start + EXCERPT_SENTENCES);
      const value = this.#valueOf(passage, words);
      if (value > bestValue) [best, bestValue] = [passage, value];
    }
    return best.map(({ text }) => text).join(' ');
  }

  #valueOf(passage: readonly Sentence[], words: ReadonlySet<string>): number {
    let value = 0;
    for (const sentence of passage) {
      for (const word of words) if (sentence.words.has(word)) value += this.#rarityOf(word);
    }
    return value;
  }

  #rarityOf(word: string): number {
    return this.#rarity.get(word) ?? 0;
  }
}

function indexArticle(article: Article): IndexedArticle {
  const body = article.body.trim().replaceAll(/\s+/g, ' ');
  const sentences = body
    .split(/(?<=[.?!])\s+(?=[\p{Lu}"])/u)
    .map((text) => ({ text, words: new Set(tokenise(text)) }));
  return { article, weights: weighWords(article.title, body), sentences };
}

function weighWords(title: string, body: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of tokenise(body)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const weights = new Map<string, number>();
  // A tenth mention says less than a first: the weight of the body's words approaches 1.
  for (const [word, count] of counts) weights.set(word, count / (count + 1));
  for (const word of new Set(tokenise(title))) weights.set(word, (weights.get(word) ?? 0) + TITLE_WEIGHT);
  return weights;
}

function rarityOfWords(articles: readonly IndexedArticle[]): ReadonlyMap<string, number> {
  const containing = new Map<string, number>();
  for (const { weights } of articles) {
    for (const word of weights.keys()) containing.set(word, (containing.get(word) ?? 0) + 1);
  }
  return new Map([...containing].map(([word, count]) => [word, Math.log(1 + articles.length / count)]));
}
