import { TURNS } from './crash-agent.js';

/** What is called in each turn; `paid` waits for a person, who approves. */
export const FAIL_POINT_TOOLS = ['keyed', 'once', 'pure', 'paid'];

/** Turns whose points are tried. */
export const FIRST_TURN = 1;
export const MIDDLE_TURN = 2;
export const LAST_TURN = TURNS;

/** Points of the whole run, and of its answer without tools. */
const OF_THE_RUN = ['open', 'claim', `model:${TURNS + 1}`, `answered:${TURNS + 1}`, 'append', 'ended'];
/** Points of a turn. */
const OF_A_TURN = [
  'model',
  'answered',
  'suspended',
  'toolStarted',
  ...FAIL_POINT_TOOLS.flatMap((tool) => [`call:${tool}`, `toolCompleted:${tool}`]),
];

/** Every commit and every call, before and behind it: `before:call:once:2`. */
export function failPoints(turns: readonly number[]): string[] {
  const points = [...OF_THE_RUN, ...turns.flatMap((turn) => OF_A_TURN.map((point) => `${point}:${turn}`))];
  return points.flatMap((point) => [`before:${point}`, `after:${point}`]);
}
