import { DecoratedClassException } from '../decorated-class.exception.js';
import type { DeclaredOperator, OperatorClass } from './operator.decorator.js';
import type { ProviderWrapper } from './provider-class.js';
import { parameterPipes } from './tool-parameters.js';

/** Where Nest keeps enhancers on classes and methods. */
const ENHANCER_KEYS = ['__guards__', '__interceptors__', '__pipes__', '__exceptionFilters__'];

/**
 * Nest finds enhancer classes only in modules that provide the class itself; those of factory and value providers it
 * skips without a word. (A mock in a test stands in a place that was provided as a class.) And what stands below a
 * decorator that replaces the method is lost with the method.
 * @throws DecoratedClassException naming the first one that would be skipped.
 */
export function refuseSkippedEnhancers(
  wrapper: ProviderWrapper,
  type: OperatorClass,
  declared: DeclaredOperator,
): void {
  const { method } = declared;
  const place = `${type.name}.${method}`;
  const lost = lostMetadata(type, declared);
  if (lost !== undefined) {
    throw new DecoratedClassException(
      '@Operator()',
      place,
      `its metadata ${JSON.stringify(lost)} stands below a decorator that replaces the method, and is lost. ` +
        `Put guards, roles and the like above that decorator.`,
    );
  }
  const known = wrapper.host?.injectables;
  const skipped = enhancersOf(type, method).find(
    (enhancer) => typeof enhancer === 'function' && !known?.has(enhancer),
  );
  if (typeof skipped !== 'function') return;
  throw new DecoratedClassException(
    '@Operator()',
    place,
    `it asks for ${skipped.name}, but ${type.name} is provided by useFactory or useValue, and Nest runs no guards, ` +
      `interceptors, pipes or filters of such providers. Provide the class itself.`,
  );
}

/** What the method had when `@Operator()` saw it, and has no longer. */
function lostMetadata(type: OperatorClass, { method, handler }: DeclaredOperator): string | undefined {
  const current: unknown = Reflect.get(type.prototype as object, method);
  if (!handler || typeof current !== 'function' || current === handler) return undefined;
  const keys: readonly unknown[] = Reflect.getMetadataKeys(handler);
  return keys.map(String).find((_, index) => !Reflect.hasMetadata(keys[index], current));
}

function enhancersOf(type: OperatorClass, method: string): readonly unknown[] {
  const handler: unknown = Reflect.get(type.prototype as object, method);
  const places = typeof handler === 'function' ? [type, handler] : [type];
  const standing = ENHANCER_KEYS.flatMap((key) =>
    places.flatMap((place): unknown[] => Reflect.getMetadata(key, place) ?? []),
  );
  return [...standing, ...parameterPipes(type, method)];
}
