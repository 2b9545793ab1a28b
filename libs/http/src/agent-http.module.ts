import { Module } from '@nestjs/common';
import { CatalogController } from './catalog/catalog.controller.js';
import { RunFollowers } from './runs/run-followers.js';
import { RunEventsController } from './runs/run-events.controller.js';
import { RunRecordsController } from './runs/run-records.controller.js';
import { RunStreamController } from './runs/run-stream.controller.js';
import { RunsController } from './runs/runs.controller.js';
import { SessionsController } from './sessions/sessions.controller.js';

/** Puts the application's agents on HTTP. Import it beside `AgentModule.forRoot`, which is global by default. */
@Module({
  controllers: [
    CatalogController,
    RunsController,
    RunRecordsController,
    RunEventsController,
    RunStreamController,
    SessionsController,
  ],
  providers: [RunFollowers],
})
export class AgentHttpModule {}
