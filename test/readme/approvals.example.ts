import { Injectable, Module } from '@nestjs/common';
import { AgentApprovalService, AgentLoopService, AgentModule, Operator } from '@nestor/agent';
import { AgentBuilder, type CallerCodec } from '@nestor/core';
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

interface Request {
  readonly user: { readonly name: string; readonly roles: readonly string[] };
}

const caller: CallerCodec = {
  serialize: (request) => ({ user: (request as Request).user }),
  restore: (kept) => kept,
};

const payment = z.object({ cents: z.int().positive() });

@Injectable()
export class PayoutDesk {
  readonly paid: number[] = [];

  @Operator({
    description: 'Pays an amount out',
    input: payment,
    approval: (input) => payment.parse(input).cents > 10_000,
    approvalTimeout: 86_400_000,
    onUnknownOutcome: 'suspend',
  })
  payOut({ cents }: { cents: number }) {
    this.paid.push(cents);
    return { cents, paid: true };
  }
}

const payouts = AgentBuilder.create('payouts').model('default').tool('payOut');

@Module({
  imports: [
    AgentModule.forRoot({
      agents: [payouts],
      durability: 'run',
      caller,
      approvals: {
        authorize: (decider, { caller: asker }) => {
          const { user } = decider as Request;
          return user.roles.includes('finance') && user.name !== (asker as Request).user.name;
        },
      },
    }),
  ],
  providers: [PayoutDesk],
})
export class PayoutsModule {}

export async function approveLess(
  approvals: AgentApprovalService,
  runId: string,
  request: Request,
): Promise<void> {
  const [payOut] = await approvals.pending(runId);
  if (!payOut) return;
  const { toolCallId, argumentsHash } = payOut;
  const answer = { decision: 'approve', arguments: { cents: 20_000 }, argumentsHash } as const;
  await approvals.decide(runId, toolCallId, answer, { caller: request });
}
