import { Inject } from '@nestjs/common';

/** The injection token of an agent. */
export function getAgentToken(name: string): string {
  return `nestor:agent:${name}`;
}

/** Injects the `Agent` of that name, which must be among the `agents` of `AgentModule.forRoot` or `forFeature`. */
export function InjectAgent(name: string): ParameterDecorator & PropertyDecorator {
  return Inject(getAgentToken(name));
}
