// Follows the README of @nestor/agent in new Nest applications, an ES module one and a CommonJS one, as a user would:
// the official generator, the packed packages, the README's own files. Needs the built packages and an npm registry.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startModelServer } from './model-server.mjs';
import { readmeFiles, readmePackages, writeFiles } from './readme-files.mjs';
import { run, start, stopAll, timed } from './steps.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const require = createRequire(join(root, 'package.json'));
const nest = require.resolve('@nestjs/cli/bin/nest.js');
const schematics = createRequire(nest).resolve('@angular-devkit/schematics-cli/bin/schematics.js');
const readme = await readFile(join(root, 'libs/agent/README.md'), 'utf8');
const files = readmeFiles(readme);
/** What the README names for single chapters, and the routes of @nestor/http. */
const EXTRAS = [
  '@nestor/http',
  '@nestor/typeorm',
  'typeorm',
  'libsql',
  '@nestjs/event-emitter',
  '@nestjs/terminus',
  'class-validator',
  'class-transformer',
];

const folder = await mkdtemp(join(tmpdir(), 'nestor-install-'));
const model = await startModelServer();
const begin = performance.now();
try {
  const tarballs = await timed('pack', pack);
  await esModules(tarballs);
  await commonJs(tarballs);
  await rm(folder, { recursive: true, force: true });
  console.log(
    `The README works in new applications, on Node ${process.versions.node}: ` +
      `${Math.round((performance.now() - begin) / 1000)} s.`,
  );
} catch (error) {
  console.error(error);
  console.error(`The applications are left in ${folder}.`);
  process.exitCode = 1;
} finally {
  stopAll();
  model.close();
}

/** Gives the tarball of each package by its name. */
async function pack() {
  await mkdir(join(folder, 'packages'));
  const tarballs = new Map();
  for (const library of ['core', 'agent', 'http', 'typeorm']) {
    const args = ['pack', '--json', '--loglevel=error', '--pack-destination', join(folder, 'packages')];
    const output = await run('npm', args, { cwd: join(root, 'libs', library), seconds: 60 });
    // npm 11 gives a list, npm 12 an object by name.
    const [packed] = Object.values(JSON.parse(output));
    const names = packed.files.map(({ path }) => path);
    for (const file of ['README.md', 'LICENSE', 'dist/index.js', 'dist/index.d.ts']) {
      assert.ok(names.includes(file), `${packed.name} is packed without ${file}`);
    }
    const tests = names.filter((name) => /\.spec\.|tsbuildinfo/.test(name));
    assert.deepEqual(tests, [], `${packed.name} is packed with tests`);
    tarballs.set(packed.name, join(folder, 'packages', packed.filename));
  }
  return tarballs;
}

async function esModules(tarballs) {
  const cwd = join(folder, 'try-app');
  const flags = ['--skip-install', '--skip-git', '--package-manager', 'npm', '--no-observe'];
  await timed('nest new', () =>
    run(process.execPath, [nest, 'new', 'try-app', ...flags], { cwd: folder, seconds: 60 }),
  );
  await timed('npm i', () => install(cwd, tarballs, [...readmePackages(readme), ...EXTRAS]));
  await writeFiles(cwd, files);
  await timed('npm run build', () => run('npm', ['run', 'build'], { cwd, seconds: 90 }));
  await timed('type-check, tests included', () => run('npx', ['tsc', '--noEmit'], { cwd, seconds: 90 }));
  await timed('npm test', () => run('npm', ['test'], { cwd, seconds: 90 }));
  await timed('ask', () => serve(cwd, askForOrder));

  await writeFile(join(cwd, 'src/app.module.ts'), everythingModule(files.get('src/app.module.ts')));
  await timed('npm run build, all chapters', () => run('npm', ['run', 'build'], { cwd, seconds: 90 }));
  await timed('ask, all chapters', () => serve(cwd, askForEverything));
}

async function commonJs(tarballs) {
  const cwd = join(folder, 'cjs-app');
  const flags = ['--name=cjs-app', '--type=cjs', '--package-manager=npm', '--language=ts'];
  await timed('CommonJS: generate', () =>
    run(process.execPath, [schematics, '@nestjs/schematics:application', ...flags], {
      cwd: folder,
      seconds: 60,
    }),
  );
  await timed('CommonJS: npm i', () => install(cwd, tarballs, readmePackages(readme)));
  const quickStart = [...files].filter(([path]) => /^src\/(orders\/|app\.module)/.test(path));
  await writeFiles(cwd, quickStart);
  await timed('CommonJS: npm run build', () => run('npm', ['run', 'build'], { cwd, seconds: 90 }));
  assert.match(
    await readFile(join(cwd, 'dist/orders/orders.module.js'), 'utf8'),
    /require\("@nestor\/agent"\)/,
  );
  await timed('CommonJS: ask', () => serve(cwd, askForOrder));

  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 24 || (major === 24 && minor < 9)) {
    console.log('CommonJS: npm test is left out; jest loads ES modules such as Nest from Node 24.9 on.');
    return;
  }
  const withoutExtensions = quickStart.map(([path, text]) => [
    path,
    text.replaceAll(/(from '\.[^']*)\.js'/g, "$1'"),
  ]);
  await writeFiles(cwd, withoutExtensions);
  await timed('CommonJS: npm test', () => run('npm', ['test'], { cwd, seconds: 90 }));
}

function install(cwd, tarballs, packages) {
  const args = ['i', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  return run('npm', [...args, ...packages.map((name) => tarballs.get(name) ?? name)], { cwd, seconds: 300 });
}

/** The README's application module with what its other chapters add. */
function everythingModule(text) {
  const changed = text
    .replace(
      'OrdersModule] })',
      'OrdersModule, AccountingModule, HealthModule, AgentHttpModule], providers: [CatalogService] })',
    )
    .replace(
      'forRoot()',
      "forRoot({ durability: 'run', caller: requestCallerCodec, eventJournal: { enabled: true } })",
    );
  assert.match(changed, /durability/, 'The README has another src/app.module.ts than this check expects.');
  assert.notEqual(changed, text, 'The README has another src/app.module.ts than this check expects.');
  return [
    "import { AgentHttpModule, requestCallerCodec } from '@nestor/http';",
    "import { AccountingModule } from './accounting/accounting.module.js';",
    "import { CatalogService } from './catalog/catalog.service.js';",
    "import { HealthModule } from './health/health.module.js';",
    changed,
  ].join('\n');
}

/** Starts a built application, asks it, and stops it. */
async function serve(cwd, ask) {
  const port = await freePort();
  const app = start(process.execPath, ['dist/main.js'], {
    cwd,
    env: { PORT: String(port), OPENAI_BASE_URL: model.url },
  });
  try {
    const origin = `http://127.0.0.1:${port}`;
    await listening(app, origin);
    await ask(origin);
  } catch (error) {
    app.kill(String(error));
    await app.ended;
  }
  app.stop('SIGTERM');
  // Without shutdown hooks the signal ends it, which is no exit code.
  await app.ended.catch(() => {});
}

async function listening(app, origin) {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await wait(100)) {
    if (!app.running) await app.ended;
    const response = await fetch(origin).catch(() => undefined);
    if (response) return response.text();
  }
  throw new Error('It did not listen within 30 s.');
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function askForOrder(origin) {
  const before = model.requests.length;
  const answer = await post(`${origin}/orders/questions`, { question: 'Where is order A-17?' });
  assert.deepEqual(await answer.json(), { answer: 'It is shipped.' });
  assert.equal(model.requests.length, before + 2);
}

async function askForEverything(origin) {
  await askForOrder(origin);
  const health = await json(`${origin}/healthz`);
  assert.equal(health.details.agents.status, 'up');
  const operators = JSON.stringify(await json(`${origin}/operators`));
  assert.match(operators, /"maximum":20/, 'the DTO is not described');
  const stream = await post(`${origin}/agents/orders/runs`, { input: 'Where is A-17?' }, 'text/event-stream');
  const events = (await stream.text()).match(/^event: .*$/gm);
  assert.ok(events?.includes('event: tool_end'), String(events));
  assert.equal(events.at(-1), 'event: done');
  const { runs } = await json(`${origin}/runs`);
  assert.ok(runs.length > 0 && runs.every(({ status }) => status === 'completed'), JSON.stringify(runs));
  const journal = await json(`${origin}/runs/${runs[0].runId}/events`);
  assert.equal(journal.events.at(-1).type, 'AGENT_LOOP_EXITED');
}

async function json(url) {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
  assert.equal(response.status, 200, url);
  return response.json();
}

function post(url, body, accept = 'application/json') {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });
}
