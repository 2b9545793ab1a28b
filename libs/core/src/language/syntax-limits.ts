/** Brackets, conditionals, lambdas and strings that may stand inside each other. */
export const MAX_NESTING = 200;

/** Levels of an expression's tree; each operator of a chain is one. Stages that recurse over a tree rely on it. */
export const MAX_HEIGHT = 1_000;

/** Tokens and comments of one source text; what comes after them is not read. Ten thousand lines have about a hundred thousand. */
export const MAX_TOKENS = 250_000;

/** Characters of one block comment: what is longer is no description. */
export const MAX_COMMENT = 100_000;
