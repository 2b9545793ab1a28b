interface LatestCall {
  readonly call: string;
  readonly result: string;
  count: number;
  /** The turn in which the model was told; undefined if it was not. */
  toldIn?: number;
}

/** Notices a model that makes the same call again and again and gets the same answer. Polling, whose answers change, is no loop. */
export class RepeatedCallGuard {
  readonly #limit: number;
  readonly #latestByTool = new Map<string, LatestCall>();

  /** @param limit equal calls in a row that are let through; 0 lets all through. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How often in a row this call was made with the same result, if that is as often as allowed or more; else 0. */
  repeats(toolName: string, argumentsJson: string): number {
    const latest = this.#latestByTool.get(toolName);
    if (this.#limit === 0 || latest?.call !== argumentsJson) return 0;
    return latest.count >= this.#limit ? latest.count : 0;
  }

  /** Notes that the model is told in this turn. Gives true if it was told in an earlier one and goes on all the same. */
  tell(toolName: string, turn: number): boolean {
    const latest = this.#latestByTool.get(toolName);
    if (!latest) return false;
    if (latest.toldIn !== undefined && latest.toldIn < turn) return true;
    latest.toldIn = turn;
    return false;
  }

  /** Notes how a call ended. A call that was answered with the notice does not count. */
  record(toolName: string, argumentsJson: string, resultText: string): void {
    if (this.#limit === 0) return;
    const latest = this.#latestByTool.get(toolName);
    if (latest?.call === argumentsJson) {
      if (latest.toldIn !== undefined) return;
      if (latest.result === resultText) {
        latest.count += 1;
        return;
      }
    }
    this.#latestByTool.set(toolName, { call: argumentsJson, result: resultText, count: 1 });
  }
}
