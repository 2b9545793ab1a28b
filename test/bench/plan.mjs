// What is measured, how it is shown, and what Nestor is to reach.
// A column is [figure, heading, digits]. The first one is compared with the floor. A target is a limit of the first
// column: `ratio` of its multiple of the floor, `limit` of the figure itself.
const COST = [
  ['cpuUs', 'CPU us', 1],
  ['allocatedKb', 'alloc KB', 1],
];

export const PLAN = {
  loop: {
    title: '10 turns of 4 tools, per request',
    columns: [...COST, ['wallUs', 'wall us', 0], ['sentKb', 'sent KB', 1]],
    target: { ratio: 0.8 },
  },
  stream: {
    title: '5,000 tokens in one write, per token',
    columns: [
      ['cpuUs', 'CPU us', 2],
      ['allocatedKb', 'alloc KB', 2],
      ['tokensPerSecond', 'tokens/s', 0],
      ['firstTokenMs', 'first token ms', 1],
    ],
    target: { ratio: 1.3 },
  },
  trickle: {
    title: '5,000 tokens with a write each, per token',
    columns: [
      ['cpuUs', 'CPU us', 2],
      ['allocatedKb', 'alloc KB', 2],
      ['tokensPerSecond', 'tokens/s', 0],
      ['firstTokenMs', 'first token ms', 1],
    ],
    target: { ratio: 1.3 },
  },
  concurrent: {
    title: '200 runs of 5 turns of 2 tools at once, per run',
    columns: [...COST, ['medianMs', 'median ms', 0], ['p99Ms', 'p99 ms', 0], ['peakRssMb', 'peak RSS MB', 0]],
    target: { ratio: 0.8 },
  },
  history: {
    title: '2,000 messages of history, 20 turns, per request',
    columns: [...COST, ['wallUs', 'wall us', 0], ['sentKb', 'sent KB', 0]],
    target: { ratio: 0.6 },
  },
  growth: {
    title: 'one run of 200 turns',
    columns: [
      ['growth', 'turn 190 / turn 20', 2],
      ['early', 'us at turn 20', 0],
      ['late', 'us at turn 190', 0],
      ['cpuMs', 'CPU ms per run', 0],
    ],
    target: { limit: 2 },
  },
  cold: {
    title: 'start of the process to the first answer (nest: of a whole Nest application)',
    columns: [
      ['wallMs', 'wall ms', 0],
      ['readyMs', 'of it until ready', 0],
      ['cpuMs', 'CPU ms', 0],
      ['rssMb', 'RSS MB', 0],
    ],
    target: { limit: 1_000 },
    runners: ['floor', 'openai', 'nestor', 'nest'],
  },
  rss: {
    title: 'memory after 10,000 short runs',
    columns: [
      ['rssGrowthMb', 'RSS growth MB', 1],
      ['heapGrowthMb', 'heap growth MB', 1],
      ['rssMb', 'RSS MB', 0],
    ],
    target: { limit: 30 },
    nodeArguments: ['--expose-gc'],
  },
};

export const RUNNERS = ['floor', 'openai', 'nestor'];
/** Those the targets are for. */
export const OURS = new Set(['nestor', 'nest']);
