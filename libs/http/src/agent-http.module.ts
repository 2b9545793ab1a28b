import { Module } from '@nestjs/common';
import { CatalogController } from './catalog/catalog.controller.js';
import { RunRecordsController } from './runs/run-records.controller.js';
import { RunsController } from './runs/runs.controller.js';

/** Puts the application's agents on HTTP. Import it beside `AgentModule.forRoot`, which is global by default. */
@Module({ controllers: [CatalogController, RunsController, RunRecordsController] })
export class AgentHttpModule {}
