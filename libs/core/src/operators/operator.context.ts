import { SILENT_LOGGER, type AgentLogger } from '../listeners/agent-logger.js';

export interface OperatorContextFields {
  /** The run's id. */
  readonly executionId: string;
  /** The agent's id, or the enclosing graph's. */
  readonly graphName: string;
  /** The node that is being executed. */
  readonly nodeId: string;
  /** The operator's name in the registry. */
  readonly operatorRef: string;
  readonly toolCallId: string | undefined;
  /** 1-based; 0 outside a turn. */
  readonly turnNumber: number;
  readonly sessionId: string | undefined;
  /** The `ctx` of definitions: values of the application, read-only. */
  readonly graphContext: Readonly<Record<string, unknown>>;
  /** On whose behalf: request-like, `{ user }` at least. Never comes from the model. */
  readonly caller: unknown;
  /** `<executionId>:<turn>:<ordinal>`: the same when the call is made again after a crash. */
  readonly idempotencyKey: string | undefined;
  /** How many agents deep this call is; 0 for an agent that was not called by another. */
  readonly agentDepth: number;
  /** W3C trace context of the caller, if any. */
  readonly traceparent: string | undefined;
  readonly logger: AgentLogger;
}

const NEVER = new AbortController().signal;

/** Where and for whom an operator runs. Never holds anything the model wrote. */
export class OperatorContext implements OperatorContextFields {
  readonly executionId: string;
  readonly graphName: string;
  readonly nodeId: string;
  readonly operatorRef: string;
  readonly toolCallId: string | undefined;
  readonly turnNumber: number;
  readonly sessionId: string | undefined;
  readonly graphContext: Readonly<Record<string, unknown>>;
  readonly caller: unknown;
  readonly idempotencyKey: string | undefined;
  readonly agentDepth: number;
  readonly traceparent: string | undefined;
  readonly logger: AgentLogger;
  readonly #fields: OperatorContextFields;
  readonly #signal: () => AbortSignal;

  /** @param signal gives the signal; called only if somebody asks, because a controller per call is not free. */
  constructor(fields: OperatorContextFields, signal: () => AbortSignal) {
    this.executionId = fields.executionId;
    this.graphName = fields.graphName;
    this.nodeId = fields.nodeId;
    this.operatorRef = fields.operatorRef;
    this.toolCallId = fields.toolCallId;
    this.turnNumber = fields.turnNumber;
    this.sessionId = fields.sessionId;
    this.graphContext = fields.graphContext;
    this.caller = fields.caller;
    this.idempotencyKey = fields.idempotencyKey;
    this.agentDepth = fields.agentDepth;
    this.traceparent = fields.traceparent;
    this.logger = fields.logger;
    this.#fields = fields;
    this.#signal = signal;
  }

  /** Aborts on time-out, cancel and shutdown. */
  get signal(): AbortSignal {
    return this.#signal();
  }

  /** A context outside any run, to start one from: no caller, no session, a signal that never aborts unless one is given. */
  static root(
    options: Partial<OperatorContextFields> & { readonly signal?: AbortSignal | undefined } = {},
  ): OperatorContext {
    const { signal = NEVER, ...fields } = options;
    return new OperatorContext(
      {
        executionId: '',
        graphName: 'root',
        nodeId: 'root',
        operatorRef: '',
        toolCallId: undefined,
        turnNumber: 0,
        sessionId: undefined,
        graphContext: {},
        caller: undefined,
        idempotencyKey: undefined,
        agentDepth: 0,
        traceparent: undefined,
        logger: SILENT_LOGGER,
        ...fields,
      },
      () => signal,
    );
  }

  /** A context for a step inside this one. The signal stays unless another is given. */
  child(fields: Partial<OperatorContextFields>, signal?: () => AbortSignal): OperatorContext {
    return new OperatorContext({ ...this.#fields, ...fields }, signal ?? this.#signal);
  }
}
