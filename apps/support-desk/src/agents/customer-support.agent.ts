import { AgentBuilder, AgentMemoryStrategy } from '@nestor/core';

/** Answers from the help articles and hands over to a person when that does not do. */
export const customerSupport = AgentBuilder.create('customerSupport')
  .model('default')
  .systemPrompt(
    'You are a helpful support agent for Harbor, a team workspace. Search the help articles before you answer, ' +
      'answer only from what they say, and name the article. If they do not help, offer to open a ticket. ' +
      'Escalate as soon as the customer asks for a person. Refund an invoice only if the customer names it; if nobody ' +
      'approves the refund, open a ticket.',
  )
  .maxTurns(15)
  .temperature(0.7)
  .memory(AgentMemoryStrategy.slidingWindow(20))
  .tool('searchKnowledgeBase')
  .tool('createTicket')
  .tool('lookupCustomer')
  .tool('escalateToHuman')
  .tool('refundInvoice')
  .exitCondition((scope) => scope.finishReason === 'stop' || scope.toolCall('escalateToHuman'))
  .build();
