import { fileURLToPath } from 'node:url';
import { Module } from '@nestjs/common';
import { AgentModule } from '@nestor/agent';
import { AuditListener } from './audit.listener.js';
import { CustomersService } from './customers.service.js';
import { EscalationService } from './escalation.service.js';
import { KnowledgeBaseService } from './knowledge-base.service.js';
import { RefundsService } from './refunds.service.js';
import { SupportController } from './support.controller.js';
import { TicketsService } from './tickets.service.js';

/** Beside `src` and `dist`, wherever the application is started from. */
const AGENTS = fileURLToPath(new URL('../agents', import.meta.url));

/** The support desk as a feature; the application that imports it says with `AgentModule.forRoot` which model to use. */
@Module({
  imports: [AgentModule.forFeature({ agents: [`${AGENTS}/*.agent`] })],
  controllers: [SupportController],
  providers: [
    KnowledgeBaseService,
    TicketsService,
    CustomersService,
    EscalationService,
    RefundsService,
    AuditListener,
  ],
})
export class SupportDeskModule {}
