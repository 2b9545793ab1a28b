import { Module } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { AgentModule } from '@nestor/agent';
import { SupportDeskModule } from './support-desk.module.js';

/** The example as an application of its own. Model, key and base URL come from the environment. */
@Module({
  imports: [ConfigModule.forRoot({ isGlobal: true }), AgentModule.forRoot({}), SupportDeskModule],
})
export class SupportDeskApplication {}
