import { AgentException, type LlmRequest, type ScriptedStep } from '@nestor/core';
import { isMatch, questionOf, type QuestionPattern } from './question.js';
import type { RuleStep } from './scripted-rule.js';

interface Rule {
  readonly pattern: QuestionPattern;
  readonly steps: RuleStep[];
}

/** The rules of one script: the first that matches counts, else the default. */
export class ScriptRules {
  #rules: Rule[] = [];
  #otherwise: RuleStep[] | undefined;

  /** Gives the list that the rule's steps are to be put into. */
  add(pattern: QuestionPattern): RuleStep[] {
    const steps: RuleStep[] = [];
    this.#rules.push({ pattern, steps });
    return steps;
  }

  /** As `add`, for every other question. A second default replaces the first. */
  addDefault(): RuleStep[] {
    return (this.#otherwise = []);
  }

  clear(): void {
    this.#rules = [];
    this.#otherwise = undefined;
  }

  /** @throws AgentException `script_unmatched` or `script_exhausted`. */
  stepFor(request: LlmRequest): ScriptedStep {
    const { text, answers } = questionOf(request);
    const rule = this.#rules.find(({ pattern }) => isMatch(pattern, text, request));
    const steps = rule?.steps ?? this.#otherwise;
    if (!steps) throw this.#unmatched(text);
    const step = steps[answers];
    if (!step) throw exhausted(rule ? nameOf(rule) : 'otherwise()', steps.length, answers, text);
    return step(request);
  }

  #unmatched(question: string): AgentException {
    const rules = this.#rules.map(nameOf).join(', ') || 'none';
    return new AgentException(
      `The script has no rule for the question ${quoted(question)}. Rules: ${rules}. ` +
        'Add one with whenAsked(...), or otherwise() for all other questions; a text must be the whole question, ' +
        'a RegExp may be found in it.',
      { code: 'script_unmatched' },
    );
  }
}

function exhausted(rule: string, steps: number, answers: number, question: string): AgentException {
  return new AgentException(
    `The rule ${rule} has ${steps} ${steps === 1 ? 'step' : 'steps'}, but the model was called ${answers + 1} ` +
      `times for the question ${quoted(question)}. End the rule with thenAnswer(...) or thenFail(...).`,
    { code: 'script_exhausted' },
  );
}

function nameOf({ pattern }: Rule): string {
  if (typeof pattern === 'function') return pattern.name ? `the function ${pattern.name}` : 'a function';
  return typeof pattern === 'string' ? quoted(pattern) : String(pattern);
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
