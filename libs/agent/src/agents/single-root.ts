import { Inject, Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { AgentException } from '@nestor/core';

/** A second root would be a second set of everything, and half of the application would use it. */
@Injectable()
export class SingleRoot {
  /** @throws AgentException `second_root` that names who imports them. */
  constructor(@Inject(ModulesContainer) modules: ModulesContainer) {
    const roots = [...modules.values()].filter(({ providers }) => providers.has(SingleRoot));
    if (roots.length < 2) return;
    const importers = [...modules.values()]
      // Global modules are imported by all: who says so stands in the metadata, where the root comes once.
      .filter(({ imports, isGlobal }) => !isGlobal && roots.some((root) => imports.has(root)))
      .map(({ name }) => name);
    throw new AgentException(
      `AgentModule.forRoot is imported ${roots.length} times${importers.length > 0 ? ` (by ${importers.join(', ')})` : ''}. ` +
        `Import it once; it is global. Feature modules add their agents with AgentModule.forFeature.`,
      { code: 'second_root' },
    );
  }
}
