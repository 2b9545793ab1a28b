import type { DiscoveryService } from '@nestjs/core';

export type ProviderWrapper = ReturnType<DiscoveryService['getProviders']>[number];

/** Any class, also one whose constructor takes something. */
export type ProviderClass = abstract new (...args: never[]) => unknown;

/**
 * The class behind a provider, if it is one that is looked for: what it was declared with, else what a factory or a
 * value turned out to be; for a mock, the class it stands for. Looks at values without touching their properties.
 */
export function classOf(
  wrapper: ProviderWrapper,
  isWanted: (type: ProviderClass) => boolean,
): ProviderClass | undefined {
  // `useExisting` is a second name of a provider that is met under its first.
  if (wrapper.isAlias) return undefined;
  const { metatype, token, instance, inject } = wrapper;
  const declared = inject ? undefined : metatype;
  return [declared, constructorOf(instance), token].filter(isClass).find(isWanted);
}

/** Whether there is one instance of it for the whole application. */
export function isSingleton(wrapper: ProviderWrapper): boolean {
  return wrapper.isDependencyTreeStatic() && !wrapper.isTransient;
}

function isClass(value: unknown): value is ProviderClass {
  return typeof value === 'function' && typeof value.prototype === 'object' && value.prototype !== null;
}

function constructorOf(instance: unknown): unknown {
  if (typeof instance !== 'object' || instance === null) return undefined;
  try {
    const prototype: unknown = Object.getPrototypeOf(instance);
    return prototype && Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value;
  } catch {
    // A proxy that refuses to be looked at is nothing of ours.
    return undefined;
  }
}
