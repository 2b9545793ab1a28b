/** Any comparison that vitest or jest take beside their own. */
type Tester = (...values: never[]) => boolean | undefined;

/** What vitest and jest give a matcher as `this`, as far as it is used here. */
export interface MatcherContext {
  equals(a: unknown, b: unknown, customTesters?: Tester[]): boolean;
  readonly utils: {
    /** True if an object holds all of another. */
    readonly subsetEquality: Tester;
    stringify(value: unknown): string;
  };
}

/** What a matcher gives. `message` is asked for when the assertion failed, with `.not` when `pass` is true. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}
