import { Injectable, Module } from '@nestjs/common';
import { AgentApprovalService, AgentLoopService, AgentModule, Operator } from '@nestor/agent';
import { AgentBuilder } from '@nestor/core';
import { z } from 'zod';

@Injectable()
export class RefundDesk {
  readonly refunded: string[] = [];

  @Operator({ description: 'Refunds an order', input: z.object({ orderId: z.string() }), approval: true })
  refundOrder({ orderId }: { orderId: string }) {
    this.refunded.push(orderId);
    return { orderId, refunded: true };
  }
}

const refunds = AgentBuilder.create('refunds').model('default').tool('refundOrder');

@Module({ imports: [AgentModule.forRoot({ agents: [refunds], durability: 'run' })], providers: [RefundDesk] })
export class RefundsModule {}

export async function askAndApprove(
  agents: AgentLoopService,
  approvals: AgentApprovalService,
): Promise<void> {
  const output = await agents.run('refunds', 'Refund order A-17');
  for (const { toolCallId, argumentsHash } of output.pendingApprovals) {
    await approvals.decide(output.runId, toolCallId, { decision: 'approve', argumentsHash });
  }
}
