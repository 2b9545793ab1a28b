import { AgentBuilder } from '@nestor/core';

export const frontDesk = AgentBuilder.create('frontDesk')
  .model('default')
  .systemPrompt('Answer small talk yourself. Ask the colleagues about the rest.')
  .tool('orders', { description: 'Knows everything about orders' })
  .tool('askReturns', { operator: 'returns', description: 'Knows about returns' })
  .build();
