import { ProcessTerminal } from './process.terminal.js';
import { runCli } from './program.js';

const terminal = new ProcessTerminal();
const exitCode = await runCli(process.argv.slice(2), terminal);
process.exitCode = await terminal.flush(exitCode);
// What an application has left open must not keep the command.
process.exit();
