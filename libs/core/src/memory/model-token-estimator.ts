import { HEURISTIC_TOKEN_ESTIMATOR } from './heuristic-token-estimator.js';
import { MessageTokenEstimator } from './message-token-estimator.js';
import type { TokenEstimator } from './token-estimator.js';

interface Encoding {
  countTokens(text: string, options: { readonly disallowedSpecial: Set<string> }): number;
}

/** A tokenizer's time grows with the square of a run of equal characters: long texts are counted piece by piece. */
const PIECE_LENGTH = 1_000;
/** What stands for a control token in a text is text. */
const NO_SPECIAL = { disallowedSpecial: new Set<string>() };

const ENCODINGS = {
  o200k: {
    models: /^(gpt-4o|gpt-4\.1|gpt-4\.5|gpt-5|chatgpt-4o|o[134])(-|$|\.|mini)/,
    load: () => import('gpt-tokenizer/encoding/o200k_base'),
  },
  cl100k: { models: /^(gpt-4|gpt-3\.5)(-|$)/, load: () => import('gpt-tokenizer/encoding/cl100k_base') },
} as const;

const estimators = new Map<string, Promise<TokenEstimator>>();

/**
 * The estimator for a model: its real tokenizer if the model is known and the optional package `gpt-tokenizer` is
 * installed, else the heuristic. The tables are loaded with the first call for a model that needs them.
 */
export function tokenEstimatorFor(model: string): Promise<TokenEstimator> {
  // A gateway's name for a model often has its vendor in front.
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  const found = Object.entries(ENCODINGS).find(([, { models }]) => models.test(name));
  if (!found) return Promise.resolve(HEURISTIC_TOKEN_ESTIMATOR);
  const [key, { load }] = found;
  const estimator = estimators.get(key) ?? load().then(estimatorOf, () => HEURISTIC_TOKEN_ESTIMATOR);
  estimators.set(key, estimator);
  return estimator;
}

function estimatorOf(encoding: Encoding): TokenEstimator {
  return new MessageTokenEstimator((text) => {
    let tokens = 0;
    for (let at = 0; at < text.length; at += PIECE_LENGTH) {
      tokens += encoding.countTokens(text.slice(at, at + PIECE_LENGTH), NO_SPECIAL);
    }
    return tokens;
  });
}
