import { LlmException, type LlmRequest, type ScriptedStep } from '@nestor/core';

/** Makes the model's answer for one turn. */
export type RuleStep = (request: LlmRequest) => ScriptedStep;

/** A tool and its arguments: an object is sent as its JSON, a string as it is. Default: no arguments. */
type ScriptedCall = readonly [tool: string, args?: object | string];

/**
 * What the model does for one kind of question, a turn after the other. A rule counts from its first call on; it
 * needs no end where an exit condition ends the run.
 */
export class ScriptedRule<Owner> {
  readonly #owner: Owner;
  readonly #steps: RuleStep[];

  /** @param steps where the steps go; @param owner what the end of the rule gives back. */
  constructor(owner: Owner, steps: RuleStep[]) {
    this.#owner = owner;
    this.#steps = steps;
  }

  /** A turn that calls one tool. @param args an object is sent as its JSON, a string as it is. Default `{}`. */
  callTool(tool: string, args: object | string = {}): this {
    return this.callTools([tool, args]);
  }

  /** A turn that calls several tools at once. */
  callTools(...calls: readonly [ScriptedCall, ...ScriptedCall[]]): this {
    const toolCalls = calls.map(([name, args = {}]) => ({ name, arguments: args }));
    this.#steps.push(() => ({ toolCalls }));
    return this;
  }

  /** The last turn: a text, or a function that makes it of the request, which holds the tools' results. */
  thenAnswer(answer: string | ((request: LlmRequest) => string)): Owner {
    return this.#end((request) => ({ text: typeof answer === 'string' ? answer : answer(request) }));
  }

  /**
   * The last turn: the model fails.
   * @param error default: an `LlmException` of kind `unavailable`. An `AgentException` takes the id of the run it
   * leaves; where several runs fail, give a function that makes a new one.
   */
  thenFail(error: Error | ((request: LlmRequest) => Error) = unavailable): Owner {
    return this.#end((request) => ({ error: typeof error === 'function' ? error(request) : error }));
  }

  #end(step: RuleStep): Owner {
    this.#steps.push(step);
    return this.#owner;
  }
}

function unavailable(): LlmException {
  return new LlmException('The model is unavailable, as the script says.', { kind: 'unavailable' });
}
