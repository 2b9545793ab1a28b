import { Injectable, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Caller, Operator, ToolContext } from '@nestor/agent';
import type { OperatorContext } from '@nestor/core';
import { z } from 'zod';

interface Request {
  user?: { name: string; roles: string[] };
}

@Injectable()
export class SupportOnly implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { user } = context.switchToHttp().getRequest<Request>();
    return user?.roles.includes('support') ?? false;
  }
}

const refund = z.object({ orderId: z.string(), cents: z.int().positive() });

@Injectable()
export class RefundsService {
  @Operator({ description: 'Refund an order', input: refund })
  @UseGuards(SupportOnly)
  refund(
    { orderId, cents }: z.infer<typeof refund>,
    @Caller() { user }: Request,
    @ToolContext() { idempotencyKey }: OperatorContext,
  ) {
    return { orderId, cents, by: user?.name, payment: idempotencyKey };
  }
}
