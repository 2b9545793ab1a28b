import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MODULE_METADATA } from '@nestjs/common/constants.js';
import type { Type } from '@nestjs/common';
import { CliError, reasonOf } from '../cli.error.js';

const DEFAULT_NAME = 'AppModule';

/**
 * The root module that a built file exports.
 * @param name of the class; undefined: `AppModule`, or the only module there is
 * @throws CliError if there is no such thing
 */
export async function importRootModule(file: string, name: string | undefined): Promise<Type> {
  const found = modulesOf(await importFile(file));
  const only = found.size === 1 ? [...found.values()][0] : undefined;
  const root = name === undefined ? (found.get(DEFAULT_NAME) ?? only) : found.get(name);
  if (root) return root;
  const names = [...found.keys()].join(', ');
  const problem = name === undefined ? `no ${DEFAULT_NAME}` : `no module "${name}"`;
  throw new CliError(
    `${file} exports ${problem}. ${names ? `Choose with --export one of: ${names}.` : 'Give the built file of the root module.'}`,
  );
}

async function importFile(file: string): Promise<Readonly<Record<string, unknown>>> {
  const path = resolve(file);
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw new CliError(`There is no file ${file}. Build the application first.`);
  if (/\.[cm]?tsx?$/.test(path)) {
    throw new CliError(
      `${file} is TypeScript. Build the application, and give the .js file that is made of it.`,
    );
  }
  try {
    return await import(pathToFileURL(path).href);
  } catch (error) {
    throw new CliError(`Cannot import ${file}: ${reasonOf(error)}`);
  }
}

/** Classes with `@Module()` by the names they are exported under. */
function modulesOf(exports: Readonly<Record<string, unknown>>): ReadonlyMap<string, Type> {
  const all = Object.entries(exports).filter((entry): entry is [string, Type] => isModule(entry[1]));
  return new Map(all);
}

function isModule(value: unknown): value is Type {
  return (
    typeof value === 'function' &&
    Object.values(MODULE_METADATA).some((key) => Reflect.hasMetadata(key, value))
  );
}
