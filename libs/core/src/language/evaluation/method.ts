import type { Evaluation } from './evaluation.js';

/** A lambda of the source: what it gives for one element. */
export type Lambda = (evaluation: Evaluation, item: unknown) => unknown;

/** What a call of a method may look like. */
export interface MethodSignature {
  readonly minArguments: number;
  readonly maxArguments: number;
  /** Of the first argument: never, always, or whenever there is one. */
  readonly lambda: 'never' | 'always' | 'optional';
}

/**
 * A method on values of one type. `args` are as many as the signature allows, without the lambda; what they are is
 * for the method to check: it gives null for what does not fit.
 */
export interface Method<R> extends MethodSignature {
  readonly run: (
    receiver: R,
    args: readonly unknown[],
    evaluation: Evaluation,
    lambda: Lambda | null,
  ) => unknown;
}

export type MethodTable<R> = Readonly<Record<string, Method<R>>>;

/** Takes nothing. */
export function bare<R>(run: (receiver: R, evaluation: Evaluation) => unknown): Method<R> {
  return {
    minArguments: 0,
    maxArguments: 0,
    lambda: 'never',
    run: (receiver, _, evaluation) => run(receiver, evaluation),
  };
}

/** Takes one value. */
export function withValue<R>(
  run: (receiver: R, value: unknown, evaluation: Evaluation) => unknown,
): Method<R> {
  return {
    minArguments: 1,
    maxArguments: 1,
    lambda: 'never',
    run: (receiver, [value], evaluation) => run(receiver, value, evaluation),
  };
}

/** Takes one text. */
export function withText<R>(run: (receiver: R, text: string, evaluation: Evaluation) => unknown): Method<R> {
  return withValue((receiver, text, evaluation) =>
    typeof text === 'string' ? run(receiver, text, evaluation) : null,
  );
}

/** Takes a start and, optionally, an end: places as in `slice` of JavaScript, from the end if negative. */
export function withRange<R>(
  run: (receiver: R, start: number, end: number | undefined, evaluation: Evaluation) => unknown,
): Method<R> {
  return {
    minArguments: 1,
    maxArguments: 2,
    lambda: 'never',
    run: (receiver, [start, end], evaluation) =>
      typeof start === 'number' && (end === undefined || typeof end === 'number')
        ? run(receiver, start, end, evaluation)
        : null,
  };
}

/** Takes a lambda. */
export function withLambda<R>(
  run: (receiver: R, lambda: Lambda, evaluation: Evaluation) => unknown,
): Method<R> {
  return {
    minArguments: 1,
    maxArguments: 1,
    lambda: 'always',
    run: (receiver, _, evaluation, lambda) => (lambda ? run(receiver, lambda, evaluation) : null),
  };
}

/** Takes a lambda or nothing. */
export function withOptionalLambda<R>(
  run: (receiver: R, lambda: Lambda | null, evaluation: Evaluation) => unknown,
): Method<R> {
  return {
    minArguments: 0,
    maxArguments: 1,
    lambda: 'optional',
    run: (receiver, _, evaluation, lambda) => run(receiver, lambda, evaluation),
  };
}
