// Where the time of a CPU profile went: node test/bench/profile.mjs FILE [ROWS]
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Self time by place (package or folder) and by function, as shares of the busy time. */
export function summarise(file, rows = 25) {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8'));
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const places = new Map();
  const functions = new Map();
  let busy = 0;
  samples.forEach((id, index) => {
    const frame = frames.get(id);
    if (frame.functionName === '(idle)') return;
    const us = timeDeltas[index];
    busy += us;
    add(places, placeOf(frame), us);
    add(functions, nameOf(frame), us);
  });
  const top = (map) =>
    [...map]
      .sort(([, a], [, b]) => b - a)
      .slice(0, rows)
      .map(([name, us]) => `${((100 * us) / busy).toFixed(1).padStart(6)} %  ${name}`)
      .join('\n');
  return `${file}: ${Math.round(busy / 1000)} ms busy\n\n${top(places)}\n\n${top(functions)}\n`;
}

function add(map, key, us) {
  map.set(key, (map.get(key) ?? 0) + us);
}

const shortened = (url) =>
  decodeURI(url)
    .replace(`file://${ROOT}`, '')
    .replace(/^.*node_modules\//, '');

function placeOf({ functionName, url }) {
  if (url === '') return functionName.startsWith('(') ? functionName : 'built into V8';
  if (url.startsWith('node:internal/deps/undici')) return 'fetch of Node';
  if (url.startsWith('node:')) return 'node';
  const path = shortened(url);
  if (url.includes('node_modules/')) return path.split('/', path.startsWith('@') ? 2 : 1).join('/');
  return path.replace(/\/[^/]*$/, '');
}

function nameOf({ functionName, url, lineNumber }) {
  return `${functionName || '(anonymous)'}  ${shortened(url)}:${lineNumber + 1}`;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log(summarise(process.argv[2], Number(process.argv[3] ?? 25)));
}
