import { AgentException } from '@nestor/core';

/** An RFC 9457 problem. */
export interface Problem {
  readonly type: 'about:blank';
  /** That of the status, and what to do about it where that is always the same. */
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** A stable word for programs, e.g. `unknown_agent`. */
  readonly code: string;
  readonly runId?: string;
  /** Seconds after which the same may succeed; also in the header `retry-after`. */
  readonly retryAfter?: number;
}

const RETRY_AFTER_S = 5;
/** What is away for a while, and what is said of it. The error's own text, which may tell where things are, is for the log. */
const AWAY: ReadonlyMap<string, string> = new Map([
  ['database_unavailable', 'The agent database does not answer.'],
  ['database_closed', 'This server is about to stop, and its database is closed.'],
  ['store_closed', 'This server is about to stop, and takes no more runs.'],
  ['journal_failed', 'The events of the run cannot be written to the journal, and it is strict.'],
]);

const STATUS_BY_CODE: ReadonlyMap<string, number> = new Map([
  ['invalid_input', 400],
  ['invalid_cursor', 400],
  ['unknown_agent', 404],
  ['unknown_run', 404],
  ['approval_invalid', 400],
  ['approval_forbidden', 403],
  ['approval_unknown', 404],
  ['approval_decided', 409],
  ['approval_changed', 409],
  ['approval_expired', 409],
  ['run_not_suspended', 409],
  ['not_resumable', 409],
  ['session_busy', 409],
  ['session_conflict', 409],
  ['duplicate_run', 409],
  ['max_turns', 422],
  ['budget', 422],
  ['loop_detected', 422],
  ['context_budget', 422],
  ['journal_off', 501],
  ['not_durable', 501],
  ['invalid_response', 502],
  ['incomplete_stream', 502],
  ['aborted', 503],
  ['shutting_down', 503],
  ['not_started', 503],
  ['deadline', 504],
]);

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** What the outside is told of an error. The text of an error that is nobody's fault but ours stays in the log. */
export function toProblem(error: unknown): Problem {
  if (error instanceof AgentException) return agentProblem(error);
  const status = statusOf(error) ?? 500;
  if (status >= 500) {
    return problem(
      status,
      status === 500 ? 'internal' : codeOf(status),
      'The server failed; its log says why.',
    );
  }
  return problem(status, codeOf(status), messageOf(error, status));
}

function agentProblem(error: AgentException): Problem {
  const { runId } = error;
  const away = AWAY.get(error.code);
  if (away !== undefined) {
    return {
      ...problem(503, error.code, `${away} ${laterText(runId)}`),
      title: 'Service Unavailable: Try Again Later',
      ...(runId !== undefined && { runId }),
      retryAfter: RETRY_AFTER_S,
    };
  }
  if (runId !== undefined && isHandedOver(error)) {
    return { ...problem(503, 'handed_over', followText(runId)), runId };
  }
  const status = STATUS_BY_CODE.get(error.code) ?? (isProviderError(error.code) ? 502 : 500);
  const detail = status === 500 ? "The run failed; the server's log says why." : error.message;
  return { ...problem(status, error.code, detail), ...(runId !== undefined && { runId }) };
}

/** A run whose start was not answered may be there. */
function laterText(runId: string | undefined): string {
  const again = `Try again in ${RETRY_AFTER_S} seconds.`;
  return runId === undefined ? again : `${again} Look first whether GET /runs/${runId} has the run already.`;
}

/** The run goes on in another process, because this one stops or has lost it: started again, it would be done twice. */
function isHandedOver(error: unknown): boolean {
  if (!(error instanceof AgentException)) return false;
  return error.code === 'handed_over' || error.code === 'lease_lost' || isHandedOver(error.cause);
}

function followText(runId: string): string {
  return (
    `This server has left the run, which goes on in another process. Do not start it again, but follow it: ` +
    `GET /runs/${runId} has its state and its answer, GET /runs/${runId}/stream its chunks.`
  );
}

function isProviderError(code: string): boolean {
  return code.startsWith('llm_') || code.startsWith('timeout:');
}

function problem(status: number, code: string, detail: string): Problem {
  return { type: 'about:blank', title: TITLES[status] ?? 'Error', status, detail, code };
}

/** Nest's exceptions have `getStatus`; the body parsers of the platforms throw errors with `status` or `statusCode`. */
function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const status: unknown =
    'getStatus' in error && typeof error.getStatus === 'function'
      ? error.getStatus()
      : 'statusCode' in error
        ? error.statusCode
        : 'status' in error
          ? error.status
          : undefined;
  return typeof status === 'number' && status >= 400 && status <= 599 ? status : undefined;
}

function codeOf(status: number): string {
  return (TITLES[status] ?? 'error').toLowerCase().replaceAll(' ', '_');
}

/** How V8 and the body parsers word it when a body is no JSON. */
const BODY_PARSER = /\bin JSON\b|\bJSON input\b|is not valid JSON$/;

function messageOf(error: unknown, status: number): string {
  if (status === 413) return 'The request body is larger than the limit of this server.';
  const response: unknown =
    typeof error === 'object' &&
    error !== null &&
    'getResponse' in error &&
    typeof error.getResponse === 'function'
      ? error.getResponse()
      : undefined;
  const message =
    typeof response === 'object' && response !== null && 'message' in response ? response.message : response;
  if (Array.isArray(message)) return message.join('; ');
  if (typeof message === 'string')
    return status === 400 && BODY_PARSER.test(message) ? `The body is not valid JSON: ${message}.` : message;
  return error instanceof Error && error.message ? error.message : (TITLES[status] ?? 'Error');
}
