import { AgentBuilder, type AgentDef } from '@nestor/core';
import type { OperatorExplorer } from '../operators/operator.explorer.js';
import type { ProviderWrapper } from '../operators/provider-class.js';

type HostModule = NonNullable<ProviderWrapper['host']>;

/** The definition of a feature's agent with `tools: 'all'` spelt out: what its module and the modules it imports provide. */
export function withModuleTools(
  def: AgentDef,
  feature: HostModule | undefined,
  modules: Iterable<HostModule>,
  operators: OperatorExplorer,
): AgentDef {
  if (!def.allTools || !feature) return def;
  const taken = new Set(def.tools.map(({ name }) => name));
  const builder = AgentBuilder.from({ ...def, allTools: false });
  for (const name of operators.namesIn(visibleFrom(feature, modules)))
    if (!taken.has(name)) builder.tool(name);
  return builder.build();
}

function visibleFrom(feature: HostModule, modules: Iterable<HostModule>): ReadonlySet<HostModule> {
  const importers = [...modules].filter((module) => module.imports.has(feature));
  const visible = new Set([feature, ...importers]);
  for (const importer of importers) for (const module of importer.imports) addExported(module, visible);
  return visible;
}

/** A module that is imported, and those that it exports again. */
function addExported(module: HostModule, visible: Set<HostModule>): void {
  if (visible.has(module)) return;
  visible.add(module);
  for (const inner of module.imports) if (module.exports.has(inner.metatype)) addExported(inner, visible);
}
