import type { AgentCallbackContext } from '../listeners/agent-execution.listener.js';
import { ListenerDispatch } from '../listeners/listener-dispatch.js';
import type { OperatorContext } from '../operators/operator.context.js';
import type { RunLog } from '../runs/run.store.js';
import type { LoopServices } from './loop-services.js';
import type { RunRequest } from './run-request.js';

/** Whoever hears of a run: its log first, so that a step and the events before it can be one commit. */
export function runListeners(
  log: RunLog,
  { listeners = [] }: RunRequest,
  services: LoopServices,
  context: OperatorContext,
): ListenerDispatch {
  const { executionId, graphName, nodeId, operatorRef, sessionId, traceparent } = context;
  const about: AgentCallbackContext = {
    executionId,
    graphName,
    nodeId,
    operatorRef,
    sessionId,
    traceparent,
  };
  const ofLog = log.listen?.(about);
  return new ListenerDispatch(
    [...(ofLog ? [ofLog] : []), ...services.listeners, ...listeners],
    about,
    services.logger,
  );
}
