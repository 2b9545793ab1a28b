import { AgentBuilder, type AgentDef } from '@nestor/core';
import type { OperatorExplorer } from '../operators/operator.explorer.js';
import type { ProviderWrapper } from '../operators/tool-host.js';

type HostModule = NonNullable<ProviderWrapper['host']>;

/** The definition of a feature's agent with `tools: 'all'` spelt out: what its module and the modules it imports provide. */
export function withModuleTools(
  def: AgentDef,
  feature: HostModule | undefined,
  modules: Iterable<HostModule>,
  operators: OperatorExplorer,
): AgentDef {
  if (!def.allTools || !feature) return def;
  const importers = [...modules].filter((module) => module.imports.has(feature));
  const visible = new Set([feature, ...importers, ...importers.flatMap((module) => [...module.imports])]);
  const taken = new Set(def.tools.map(({ name }) => name));
  const builder = AgentBuilder.from({ ...def, allTools: false });
  for (const name of operators.namesIn(visible)) if (!taken.has(name)) builder.tool(name);
  return builder.build();
}
