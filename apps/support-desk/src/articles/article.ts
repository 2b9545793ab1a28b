/** One help article of the product "Harbor". */
export interface Article {
  /** Stable and readable: answers quote it as their source. */
  readonly id: string;
  readonly title: string;
  /** Plain sentences; line breaks mean nothing. */
  readonly body: string;
}
