import { DuplicateOperatorException } from '../errors/duplicate-operator.exception.js';
import { UnknownOperatorException } from '../errors/unknown-operator.exception.js';
import type { Operator, StreamingOperator } from './operator.js';
import type { OperatorMetadata } from './operator-metadata.js';

export type AnyOperator = Operator | StreamingOperator;

/** What can be registered: an operator whatever it takes and gives. Who calls it by its name knows that. */
export type RegistrableOperator = Operator<never> | StreamingOperator<never, never>;

/** Operators by name. Names are kept in a Map: no name a model invents reaches an object's prototype. */
export class OperatorRegistry {
  readonly #entries = new Map<
    string,
    { readonly operator: AnyOperator; readonly metadata: OperatorMetadata }
  >();

  /** Collects operators and gives a registry. */
  static builder(): OperatorRegistryBuilder {
    return new OperatorRegistryBuilder();
  }

  /**
   * Adds an operator.
   * @param metadata completes and overrides the operator's own.
   * @throws DuplicateOperatorException if the name is taken.
   */
  register(name: string, operator: RegistrableOperator, metadata?: Partial<OperatorMetadata>): this {
    if (this.#entries.has(name)) throw new DuplicateOperatorException(name);
    this.#entries.set(name, {
      operator,
      metadata: Object.freeze({
        description: '',
        input: null,
        output: null,
        tags: [],
        effect: 'at-most-once',
        approval: false,
        kind: 'tool',
        ...operator.metadata,
        ...metadata,
        name,
      }),
    });
    return this;
  }

  /** @throws UnknownOperatorException with the known names and the nearest one. */
  get(name: string): AnyOperator {
    return this.#entry(name).operator;
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** Names in order of registration. */
  names(): string[] {
    return [...this.#entries.keys()];
  }

  /** @throws UnknownOperatorException */
  metadata(name: string): OperatorMetadata {
    return this.#entry(name).metadata;
  }

  #entry(name: string): { readonly operator: AnyOperator; readonly metadata: OperatorMetadata } {
    const entry = this.#entries.get(name);
    if (!entry) throw new UnknownOperatorException(name, this.names());
    return entry;
  }
}

export class OperatorRegistryBuilder {
  readonly #registry = new OperatorRegistry();

  /** @throws DuplicateOperatorException if the name is taken. */
  register(name: string, operator: RegistrableOperator, metadata?: Partial<OperatorMetadata>): this {
    this.#registry.register(name, operator, metadata);
    return this;
  }

  build(): OperatorRegistry {
    return this.#registry;
  }
}
