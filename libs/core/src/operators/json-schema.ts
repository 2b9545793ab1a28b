/** A JSON Schema object (draft 7 or 2020-12), as plain data. */
export type JsonSchema = { readonly [keyword: string]: unknown };
