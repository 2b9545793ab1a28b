import { createRequire } from 'node:module';
import { join } from 'node:path';
import { InvalidSchemaException } from '@nestor/core';

import type { TransformationType } from 'class-transformer';

type Validator = typeof import('class-validator');
type Transformer = typeof import('class-transformer');
type TransformerStorage = typeof import('class-transformer/types/storage.js');

export interface DtoPackages {
  readonly validate: Validator['validate'];
  readonly plainToInstance: Transformer['plainToInstance'];
  /** What `@Type`, `@Expose`, `@Exclude` and `@Transform` have left. */
  readonly transformer: TransformerStorage['defaultMetadataStorage'];
  /** Of class-transformer's directions: from plain objects to instances. */
  readonly toClass: TransformationType;
}

let loaded: DtoPackages | undefined;

/**
 * The optional packages behind DTO classes, loaded with the first DTO.
 * @throws InvalidSchemaException if one is not installed, with the line that installs it.
 */
export function dtoPackages(where: string): DtoPackages {
  loaded ??= load(where);
  return loaded;
}

function load(where: string): DtoPackages {
  const { validate } = requireFromApplication('class-validator', where) as Validator;
  const { plainToInstance, TransformationType } = requireFromApplication(
    'class-transformer',
    where,
  ) as Transformer;
  // The package keeps its metadata to itself; @nestjs/mapped-types reads them at this place too.
  const storage = requireFromApplication('class-transformer/cjs/storage.js', where) as TransformerStorage;
  return {
    validate,
    plainToInstance,
    transformer: storage.defaultMetadataStorage,
    toClass: TransformationType.PLAIN_TO_CLASS,
  };
}

/**
 * Loads the application's copy rather than this package's: each copy of class-transformer knows only the decorators
 * that were imported from it.
 * @throws InvalidSchemaException if it is not installed.
 */
export function requireFromApplication(id: string, where: string): unknown {
  for (const from of [join(process.cwd(), 'package.json'), import.meta.url]) {
    const require = createRequire(from);
    if (canResolve(require, id)) return require(id);
  }
  const [name] = id.split('/');
  throw new InvalidSchemaException({
    where,
    problem: `a DTO class needs the package "${name}"`,
    remedy: `Install it: npm install ${name}`,
  });
}

function canResolve(require: NodeJS.Require, id: string): boolean {
  try {
    require.resolve(id);
    return true;
  } catch {
    return false;
  }
}
