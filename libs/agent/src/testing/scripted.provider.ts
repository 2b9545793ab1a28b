import {
  AgentException,
  ScriptedProvider as CoreScriptedProvider,
  type LlmRequest,
  type Script,
  type ScriptedStep,
} from '@nestor/core';
import type { QuestionPattern } from './question.js';
import { ScriptRules } from './script-rules.js';
import { ScriptedRule } from './scripted-rule.js';

/**
 * A model for tests: it answers from rules, or from a list as the one of `@nestor/core`.
 *
 * With rules the last user message decides which one answers, and the number of answers since then which of its
 * steps is next. Nothing is counted elsewhere, so that runs, streams and sessions may go on at the same time.
 */
export class ScriptedProvider extends CoreScriptedProvider {
  readonly #rules: ScriptRules;
  readonly #hasScript: boolean;

  /** @param script the answers in order, or a function that gives them. Default: the rules that are added. */
  constructor(script?: readonly ScriptedStep[] | Script) {
    const rules = new ScriptRules();
    super(script ?? ((request) => rules.stepFor(request)));
    this.#rules = rules;
    this.#hasScript = script !== undefined;
  }

  /** The latest request; undefined before the first. */
  get lastRequest(): LlmRequest | undefined {
    return this.requests.at(-1);
  }

  /**
   * Begins a rule; of several that match, the one added first answers. A question that none matches fails the run
   * with the code `script_unmatched`.
   * @param pattern compared with the last user message: a string is the whole text, a RegExp is searched in it.
   * @throws AgentException `invalid_script` if there is a list of answers already.
   */
  whenAsked(pattern: QuestionPattern): ScriptedRule<this> {
    this.#checkIsFree();
    return new ScriptedRule(this, this.#rules.add(pattern));
  }

  /** Begins the rule for all questions that no other matches; a later one replaces it. @throws as `whenAsked`. */
  otherwise(): ScriptedRule<this> {
    this.#checkIsFree();
    return new ScriptedRule(this, this.#rules.addDefault());
  }

  /** The names of the tools a request offered to the model. @param request default: the latest. */
  toolNames(request: LlmRequest | undefined = this.lastRequest): string[] {
    return request?.tools?.map(({ name }) => name) ?? [];
  }

  /** As new: forgets the requests and the rules; a list of answers begins again. */
  reset(): void {
    this.requests.length = 0;
    this.#rules.clear();
  }

  #checkIsFree(): void {
    if (!this.#hasScript) return;
    throw new AgentException(
      'This ScriptedProvider answers from the script it was given, so a rule would never be asked. ' +
        'Make it with new ScriptedProvider() and add rules only.',
      { code: 'invalid_script' },
    );
  }
}
