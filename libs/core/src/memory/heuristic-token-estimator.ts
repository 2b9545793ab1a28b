import { estimateTokenCount } from 'tokenx';
import { MessageTokenEstimator } from './message-token-estimator.js';
import type { TokenEstimator } from './token-estimator.js';

/** Estimates without a tokenizer's tables, for any model: close on prose and code, and linear in the length of the text. */
export class HeuristicTokenEstimator extends MessageTokenEstimator {
  constructor() {
    super(estimateTokenCount);
  }
}

/** The estimator of `token_budget` where there is none for the model; also counts what a request reserves for its tools. */
export const HEURISTIC_TOKEN_ESTIMATOR: TokenEstimator = new HeuristicTokenEstimator();
