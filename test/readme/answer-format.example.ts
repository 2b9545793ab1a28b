import { AgentBuilder } from '@nestor/core';
import { z } from 'zod';

const ticket = z.object({ topic: z.enum(['order', 'return', 'other']), urgent: z.boolean() });

export const triage = AgentBuilder.create('triage')
  .model('default')
  .responseFormat(ticket)
  .maxTurns(5)
  .maxTotalTokens(20_000)
  .deadline(30_000)
  .build();
