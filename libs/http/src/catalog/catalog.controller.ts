import { Controller, Get, Inject, UseFilters } from '@nestjs/common';
import {
  ActiveRuns,
  AgentRegistry,
  DatabaseHealth,
  EventJournalRuntime,
  LLM_PROVIDER,
  type DatabaseState,
  type JournalCounters,
} from '@nestor/agent';
import { OperatorRegistry, type LlmProvider } from '@nestor/core';
import { ProblemFilter } from '../problems/problem.filter.js';
import { describeAgent, type AgentDescription } from './agent-description.js';
import { describeOperator, type OperatorDescription } from './operator-description.js';

export interface Health {
  readonly status: 'ok' | 'stopping';
  readonly provider: string;
  readonly runs: { readonly active: number };
  /** The database of runs, sessions and journal, if there is one. */
  readonly database?: DatabaseState;
  /** Counters of the event journal, if it is on. */
  readonly journal?: JournalCounters;
}

/** What there is: agents, operators, and how the application is. */
@Controller()
@UseFilters(ProblemFilter)
export class CatalogController {
  constructor(
    @Inject(AgentRegistry) private readonly agents: AgentRegistry,
    @Inject(OperatorRegistry) private readonly operators: OperatorRegistry,
    @Inject(ActiveRuns) private readonly active: ActiveRuns,
    @Inject(DatabaseHealth) private readonly database: DatabaseHealth,
    @Inject(EventJournalRuntime) private readonly journal: EventJournalRuntime,
    @Inject(LLM_PROVIDER) private readonly provider: LlmProvider,
  ) {}

  /**
   * Answers 200 within a second, also while the database is away: whoever restarts the application for that would end
   * the runs that wait for it to come back.
   */
  @Get('health')
  async health(): Promise<Health> {
    const database = await this.database.check();
    return {
      status: this.active.closing ? 'stopping' : 'ok',
      provider: this.provider.description,
      runs: { active: this.active.size },
      ...(database && { database }),
      ...(this.journal.counters && { journal: this.journal.counters }),
    };
  }

  @Get('agents')
  listAgents(): AgentDescription[] {
    return this.agents.definitions().map(describeAgent);
  }

  @Get('operators')
  listOperators(): OperatorDescription[] {
    return this.operators
      .names()
      .map((name) => this.operators.metadata(name))
      .filter(({ kind }) => kind !== 'model')
      .map(describeOperator);
  }
}
