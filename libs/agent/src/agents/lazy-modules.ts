import type { LazyModuleLoader } from '@nestjs/core';

/** Calls back after each module that is loaded lazily. What the callback throws rejects that load. */
export function onLazyModule(loader: LazyModuleLoader, callback: () => void): void {
  const load = loader.load.bind(loader);
  // Nest has no event for it, and lazily loaded modules get no lifecycle hooks.
  loader.load = async (...args) => {
    const moduleRef = await load(...args);
    callback();
    return moduleRef;
  };
}
