import { runCli } from './program.js';
import { processTerminal } from './terminal.js';

/** How long what an application has left open may keep the process, in ms. */
const LINGER_MS = 1_000;

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // As in `nestor check … | head`: whoever reads has had enough.
  if (error.code !== 'EPIPE') throw error;
});
process.exitCode = await runCli(process.argv.slice(2), processTerminal);
setTimeout(() => process.exit(), LINGER_MS).unref();
