import { AgentBuilder } from '@nestor/core';

export const orders = AgentBuilder.create('orders')
  .model('default')
  .systemPrompt('You answer questions about orders.')
  .tool('findOrder')
  .build();
