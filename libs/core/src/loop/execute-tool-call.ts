import type { LinkedTool } from '../definition/linked-agent.js';
import { AgentException } from '../errors/agent.exception.js';
import { didYouMean } from '../errors/did-you-mean.js';
import { LoopDetectedException } from '../errors/loop-detected.exception.js';
import { ToolException } from '../errors/tool.exception.js';
import { executeGraph } from '../graph/execute-graph.js';
import type { InputSchema } from '../operators/input-schema.js';
import { issueText } from '../operators/issue-text.js';
import type { OperatorContext } from '../operators/operator.context.js';
import type { PendingApproval } from '../definition/pending-approval.js';
import type { AgentRun } from './agent-run.js';
import { approvalRequest } from './approval-request.js';
import { CallScope } from './call-scope.js';
import type { PreparedCall } from './prepared-call.js';
import { failed, outcomeOfError, succeeded, type ToolOutcome } from './tool-outcome.js';

const RETRY_DELAY_MS = 200;

/** Makes one call: look up, check, run within its limits. Never throws; an outcome with `fatal` stops the run. */
export async function executeToolCall(
  run: AgentRun,
  prepared: PreparedCall,
  scope: CallScope,
): Promise<ToolOutcome> {
  const { call } = prepared;
  const tool = run.agent.tools.get(call.name);
  if (!tool) return unknownTool(run, call.name);
  if (!prepared.arguments.ok) return failed(prepared.arguments.code, prepared.arguments.message);
  const repeats = run.guard.repeats(call.name, call.arguments);
  if (repeats > 0) return repeatedCall(run, call.name, repeats);
  const timer = setTimeout(() => scope.cancel(timeoutOf(tool)), tool.timeout);
  try {
    const context = callContext(run, prepared, tool, scope);
    const checking = approvedArguments(tool, prepared, context);
    const args = await scope.settle(checking, run.services.settleGraceMs);
    return succeeded(await attempt(run, tool, args, context, scope), run.agent.def.toolResultLimit);
  } catch (thrown) {
    return outcomeOfError(thrown);
  } finally {
    clearTimeout(timer);
  }
}

function unknownTool(run: AgentRun, name: string): ToolOutcome {
  const known = [...run.agent.tools.keys()];
  const list = known.length > 0 ? `Known tools: ${known.join(', ')}.` : 'There are no tools.';
  return failed(
    'unknown_tool',
    `There is no tool "${name.slice(0, 100)}". ${list}${didYouMean(name, known)}`,
  );
}

function repeatedCall(run: AgentRun, name: string, repeats: number): ToolOutcome {
  const outcome = failed(
    'repeated_call',
    `"${name}" was called ${repeats} times in a row with these arguments and gave the same result each time. ` +
      `Do not repeat the call: use the result, change the arguments, or answer.`,
  );
  const toldBefore = run.guard.tell(name, run.turn);
  return toldBefore
    ? { ...outcome, fatal: new LoopDetectedException(run.agent.def.id, name, repeats + 1) }
    : outcome;
}

function callContext(
  run: AgentRun,
  prepared: PreparedCall,
  tool: LinkedTool,
  scope: CallScope,
): OperatorContext {
  return run.context.child(
    {
      nodeId: tool.ref.resultNodeId,
      operatorRef: tool.ref.operatorRef,
      toolCallId: prepared.call.id,
      turnNumber: run.turn,
      idempotencyKey: prepared.idempotencyKey,
    },
    () => scope.signal,
  );
}

/** @throws ToolException `invalid_arguments` with path and reason per problem. */
async function checked(schema: InputSchema | null, value: unknown): Promise<unknown> {
  if (!schema) return value;
  const pending = schema.validate(value);
  const validation = pending instanceof Promise ? await pending : pending;
  if (validation.ok) return validation.value;
  const issues = validation.issues.map(issueText);
  throw new ToolException('invalid_arguments', issues.join('; '));
}

/** @throws ToolException `invalid_arguments`, or `not_approved` if a person would have to decide. */
async function approvedArguments(
  tool: LinkedTool,
  prepared: PreparedCall,
  context: OperatorContext,
): Promise<unknown> {
  const args = await checked(tool.argumentsSchema, prepared.arguments.ok ? prepared.arguments.value : {});
  if (prepared.approved || !(await needsApproval(tool, args, context))) return args;
  throw new ToolException(
    'not_approved',
    `"${tool.ref.name}" needs a person's approval, which this run cannot wait for. It was not called.`,
  );
}

async function needsApproval(tool: LinkedTool, args: unknown, context: OperatorContext): Promise<boolean> {
  const { approval } = tool.metadata;
  return typeof approval === 'function' ? approval(args, context) : approval;
}

/**
 * What a person is to decide about a call; undefined if nobody is to be asked, or if it will not be made anyway
 * (unknown tool, arguments that do not fit).
 */
export async function approvalOf(
  run: AgentRun,
  prepared: PreparedCall,
): Promise<PendingApproval | undefined> {
  const tool = run.agent.tools.get(prepared.call.name);
  if (!tool || tool.metadata.approval === false || !prepared.arguments.ok) return undefined;
  try {
    const context = callContext(run, prepared, tool, new CallScope());
    const args = await checked(tool.argumentsSchema, prepared.arguments.value);
    if (!(await needsApproval(tool, args, context))) return undefined;
    return approvalRequest(run, tool, prepared.call, { reason: 'approval', arguments: args, asked: 0 });
  } catch (thrown) {
    if (thrown instanceof ToolException) return undefined;
    throw thrown;
  }
}

/** Runs the tool's graph, again if its operator allows retries. */
async function attempt(
  run: AgentRun,
  tool: LinkedTool,
  args: unknown,
  context: OperatorContext,
  scope: CallScope,
): Promise<unknown> {
  const { attempts = 1, delayMs = RETRY_DELAY_MS } = tool.metadata.retry ?? {};
  for (let count = 1; !scope.cancelled; count++) {
    try {
      const result = await scope.settle(callGraph(run, tool, args, context), run.services.settleGraceMs);
      if (!scope.cancelled) return result;
    } catch (thrown) {
      if (scope.cancelled) break;
      if (count >= attempts || thrown instanceof AgentException || thrown instanceof ToolException)
        throw thrown;
      await scope.pause(delayMs * 2 ** (count - 1));
    }
  }
  throw scope.reason;
}

function callGraph(
  run: AgentRun,
  tool: LinkedTool,
  args: unknown,
  context: OperatorContext,
): Promise<unknown> {
  const { graph, resultNodeId } = tool.ref;
  const { inputSchema } = tool;
  return executeGraph({
    graph,
    resultNodeId,
    scope: { toolArgs: args, ctx: context.graphContext },
    registry: run.agent.registry,
    context,
    checkInput: inputSchema ? (input) => checked(inputSchema, input) : undefined,
  });
}

function timeoutOf(tool: LinkedTool): ToolException {
  return new ToolException('timeout', `"${tool.ref.name}" did not finish within ${tool.timeout} ms.`);
}
