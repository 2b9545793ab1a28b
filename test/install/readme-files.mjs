// The files and the packages of a README: a block of TypeScript below a line with nothing but a path is that file.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Gives the files by their path. */
export function readmeFiles(markdown) {
  return new Map(
    [...markdown.matchAll(/^`(src\/[\w./-]+)`\n\n```ts\n([\s\S]*?)^```$/gm)].map(([, path, text]) => [
      path,
      text,
    ]),
  );
}

/** Gives the packages of the first line of `npm i`. */
export function readmePackages(markdown) {
  const [, packages] = /^npm i (.+)$/m.exec(markdown) ?? [];
  if (packages === undefined) throw new Error('The README has no line "npm i …".');
  return packages.split(' ');
}

export async function writeFiles(folder, files) {
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}
