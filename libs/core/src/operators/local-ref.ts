import type { JsonSchema } from './json-schema.js';

/** The part of a schema that a reference such as `#/$defs/node` points to; `undefined` if it points elsewhere. */
export function resolveLocalRef(ref: string, root: JsonSchema): unknown {
  if (ref !== '#' && !ref.startsWith('#/')) return undefined;
  let node: unknown = root;
  for (const segment of decoded(ref).split('/').slice(1)) {
    const key = pointerSegment(segment);
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return undefined;
    node = (node as Readonly<Record<string, unknown>>)[key];
  }
  return node;
}

/** A reference is part of a URI; one that is wrongly escaped is taken as it stands. */
function decoded(ref: string): string {
  try {
    return decodeURIComponent(ref);
  } catch {
    return ref;
  }
}

/** A segment of a JSON pointer as the name it stands for. */
export function pointerSegment(segment: string): string {
  return segment.includes('~') ? segment.replaceAll('~1', '/').replaceAll('~0', '~') : segment;
}
