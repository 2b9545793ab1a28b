import type { ModulesContainer } from '@nestjs/core';
import type { ProviderWrapper } from './provider-class.js';

const GLOBAL_ENHANCER = /^APP_(GUARD|INTERCEPTOR|PIPE|FILTER) /;

/** The global guards, interceptors, pipes and filters of which each call needs instances of its own. */
export function scopedGlobalEnhancers(modules: ModulesContainer): ProviderWrapper[] {
  return [...modules.values()]
    .flatMap(({ injectables }) => [...injectables.values()])
    .filter(({ token }) => typeof token === 'string' && GLOBAL_ENHANCER.test(token));
}

/**
 * Ties them to a provider as Nest does when the application starts. It does so for classes that are known then; those
 * of factories, values and lazily loaded modules would run without, guards included.
 */
export function tieEnhancers(wrapper: ProviderWrapper, enhancers: readonly ProviderWrapper[]): void {
  const tied = new Set(wrapper.getEnhancersMetadata());
  for (const enhancer of enhancers) if (!tied.has(enhancer)) wrapper.addEnhancerMetadata(enhancer);
}
