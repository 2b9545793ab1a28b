import { Injectable } from '@nestjs/common';
import { Operator } from '@nestor/agent';
import { z } from 'zod';

const orderNumber = z.object({ orderId: z.string().describe('Order number, e.g. A-17') });

@Injectable()
export class OrdersService {
  @Operator({ description: 'Find an order by its number', input: orderNumber })
  findOrder({ orderId }: z.infer<typeof orderNumber>) {
    return { orderId, status: 'shipped' };
  }
}
