import { Inject, Injectable, Scope } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { Operator } from '@nestor/agent';

@Injectable({ scope: Scope.REQUEST })
export class BasketService {
  constructor(@Inject(REQUEST) private readonly request: { user?: { basket: string[] } }) {}

  @Operator({ description: 'What is in the basket' })
  showBasket() {
    return this.request.user?.basket ?? [];
  }
}
