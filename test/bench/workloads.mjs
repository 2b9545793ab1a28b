// What is done with a runner. Every method gives figures; every answer is checked.
import { mean, median, percentile, repeat, sample } from './measure.mjs';
import { charactersOf, conversation, FINAL_TEXT, QUESTION, toolCalls } from './scenario.mjs';

const KB = 1024;
const MB = 1024 * 1024;
const TOKENS = 5_000;

/** Characters of a streamed answer. */
const CHARACTERS = charactersOf(TOKENS);

/** Needs `--expose-gc`. The second collection finds what the first one's finalizers let go of. */
async function memoryAtRest() {
  globalThis.gc();
  await new Promise((resolve) => setTimeout(resolve, 200));
  globalThis.gc();
  return process.memoryUsage();
}

export class Workloads {
  /** Requests that the server must have seen, and tool calls that must have been made, at the end. */
  expected = { requests: 0, toolCalls: 0 };
  #runner;
  #readyMs;
  #profileFile;

  constructor(runner, readyMs, profileFile) {
    this.#runner = runner;
    this.#readyMs = readyMs;
    this.#profileFile = profileFile;
  }

  /** Ten turns of four tools and the answer: eleven requests. Figures are per request. */
  async loop() {
    await repeat({ seconds: 1.5, times: 15 }, () => this.#run(10, 4));
    const { results, cpuUs, allocated } = await this.#sample({ seconds: 2, times: 10 }, () =>
      this.#run(10, 4),
    );
    const requests = results.length * 11;
    return {
      cpuUs: cpuUs / requests,
      allocatedKb: allocated / KB / requests,
      wallUs: (median(results) * 1000) / 11,
    };
  }

  /** 5,000 tokens that come at once. Figures are per token. */
  stream() {
    return this.#streaming(`tokens-${TOKENS}`);
  }

  /** 5,000 tokens, each in a packet of its own. */
  trickle() {
    return this.#streaming(`tokens-${TOKENS}-trickle`);
  }

  /** 200 runs of five turns of two tools, all at once. Figures are per run. */
  async concurrent() {
    const batch = (runs) => Promise.all(Array.from({ length: runs }, () => this.#run(5, 2)));
    await repeat({ seconds: 1, times: 2 }, () => batch(50));
    const { results, cpuUs, allocated } = await this.#sample({ seconds: 2, times: 3 }, () => batch(200));
    const waits = results.flat();
    return {
      cpuUs: cpuUs / waits.length,
      allocatedKb: allocated / KB / waits.length,
      medianMs: percentile(waits, 0.5),
      p99Ms: percentile(waits, 0.99),
      peakRssMb: process.resourceUsage().maxRSS / KB,
    };
  }

  /** 2,000 messages of history, then 20 turns of one tool: 21 requests. Figures are per request. */
  async history() {
    const messages = conversation(2_000);
    await repeat({ seconds: 1, times: 4 }, () => this.#run(20, 1, messages));
    const { results, cpuUs, allocated } = await this.#sample({ seconds: 2, times: 3 }, () =>
      this.#run(20, 1, messages),
    );
    const requests = results.length * 21;
    return {
      cpuUs: cpuUs / requests,
      allocatedKb: allocated / KB / requests,
      wallUs: (median(results) * 1000) / 21,
    };
  }

  /** One run of 200 turns: what turn 190 takes, as a multiple of turn 20. */
  async growth() {
    await repeat({ seconds: 1, times: 3 }, () => this.#run(200, 1));
    const turns = [];
    const { results, cpuUs } = await this.#sample({ seconds: 2, times: 5 }, async () => {
      const marks = [performance.now()];
      toolCalls.onCall = () => marks.push(performance.now());
      await this.#run(200, 1);
      toolCalls.onCall = undefined;
      turns.push(marks.slice(1).map((mark, index) => mark - marks[index]));
    });
    const around = (turn) => median(turns.map((run) => mean(run.slice(turn - 10, turn + 10)))) * 1000;
    return {
      growth: around(190) / around(20),
      early: around(20),
      late: around(190),
      cpuMs: cpuUs / 1000 / results.length,
    };
  }

  /** From the start of the process to the first answer, over one tool. */
  async cold() {
    await this.#run(1, 1);
    const { user, system } = process.cpuUsage();
    return {
      wallMs: performance.now(),
      readyMs: this.#readyMs,
      cpuMs: (user + system) / 1000,
      rssMb: process.memoryUsage.rss() / MB,
    };
  }

  /** What 10,000 short runs leave behind. */
  async rss() {
    await repeat({ seconds: 0, times: 5_000 }, () => this.#run(1, 1));
    const before = await memoryAtRest();
    await repeat({ seconds: 0, times: 10_000 }, () => this.#run(1, 1));
    const after = await memoryAtRest();
    return {
      rssGrowthMb: (after.rss - before.rss) / MB,
      heapGrowthMb: (after.heapUsed - before.heapUsed) / MB,
      rssMb: after.rss / MB,
    };
  }

  /** KB on the heap per request of `loop` and per token of `stream`. Counts in place of seconds: the same on any machine. */
  async allocations() {
    const measured = async (times, work) => {
      await repeat({ seconds: 0, times }, work);
      return (await this.#sample({ seconds: 0, times }, work)).allocated / KB / times;
    };
    const loop = await measured(100, () => this.#run(10, 4));
    const stream = await measured(40, () => this.#stream(`tokens-${TOKENS}`));
    return { perRequestKb: loop / 11, perTokenKb: stream / TOKENS };
  }

  /** How often things are serialised: exact, so a difference of one is a change. */
  async serialisations() {
    const count = async (turns, width, messages) => {
      await this.#run(turns, width, messages);
      const stringify = JSON.stringify;
      const counted = { calls: 0, characters: 0 };
      JSON.stringify = (...given) => {
        const json = stringify(...given);
        counted.calls += 1;
        counted.characters += json?.length ?? 0;
        return json;
      };
      await this.#run(turns, width, messages).finally(() => (JSON.stringify = stringify));
      return counted;
    };
    return {
      turns10: await count(10, 4),
      turns20: await count(20, 4),
      turns40: await count(40, 4),
      history: await count(10, 4, conversation(500)),
    };
  }

  #sample(limits, work) {
    return sample(limits, work, this.#profileFile);
  }

  /** One run that is checked; gives how long it took in ms. */
  async #run(turns, width, messages = [QUESTION]) {
    const startedAt = performance.now();
    const text = await this.#runner.run(messages, { model: `tools-${turns}-${width}`, maxTurns: turns + 2 });
    const took = performance.now() - startedAt;
    if (text !== FINAL_TEXT) throw new Error(`The final text is ${JSON.stringify(text)}.`);
    this.expected.requests += turns + 1;
    this.expected.toolCalls += turns * width;
    return took;
  }

  async #streaming(model) {
    await repeat({ seconds: 1, times: 5 }, () => this.#stream(model));
    const { results, cpuUs, allocated } = await this.#sample({ seconds: 2, times: 5 }, () =>
      this.#stream(model),
    );
    const tokens = results.length * TOKENS;
    return {
      cpuUs: cpuUs / tokens,
      allocatedKb: allocated / KB / tokens,
      tokensPerSecond: TOKENS / (median(results.map(({ ms }) => ms)) / 1000),
      firstTokenMs: median(results.map(({ firstMs }) => firstMs)),
    };
  }

  /** One streamed answer that is checked. */
  async #stream(model) {
    let characters = 0;
    let firstMs = 0;
    const startedAt = performance.now();
    const onText = (text) => {
      if (characters === 0) firstMs = performance.now() - startedAt;
      characters += text.length;
    };
    await this.#runner.stream([QUESTION], { model, maxTurns: 2, onText });
    this.expected.requests += 1;
    if (characters !== CHARACTERS) throw new Error(`${characters} characters came, not ${CHARACTERS}.`);
    return { ms: performance.now() - startedAt, firstMs };
  }
}
