import {
  AgentDslCompiler,
  AgentLoopOperator,
  OperatorContext,
  type AgentOutput,
  type OperatorRegistry,
} from '@nestor/core';

export async function askCompiled(source: string, registry: OperatorRegistry): Promise<AgentOutput> {
  const compiler = new AgentDslCompiler(registry, { onWarning: (text) => console.warn(text) });
  const support = compiler.compile(source, { file: 'support.agent' });
  const agent = new AgentLoopOperator('supportAgent', support, registry);
  return agent.execute('My account is locked', OperatorContext.root());
}
