/**
 * Steps of one evaluation: one for each operator, access, call and element that is looked at, and one for each
 * 256 characters that are read or made.
 */
export const STEP_LIMIT = 100_000;
/** Levels of a tree, a chain such as `a + b + …` being one. The parser allows no more. */
export const TREE_LIMIT = 1_000;
/** Of these, levels that are no operand of an operator: they take more of the call stack. Nor does the parser here. */
export const NESTING_LIMIT = 200;
/** Levels of a value that leaves an evaluation or becomes text, as for the results of tools. */
export const VALUE_LIMIT = 200;
/** Characters of one text that an expression makes. */
export const TEXT_LIMIT = 1_000_000;
/** Characters of all that an evaluation gives, shared parts counted each time; each value and name counts `VALUE_SIZE` more. */
export const OUTPUT_LIMIT = 10_000_000;
export const VALUE_SIZE = 16;

export const CHARACTERS_PER_STEP = 256;
/** Characters compared in a step where text is searched in text: at worst each is compared with each. */
export const COMPARISONS_PER_STEP = 16_384;
