import { runProgram } from './cli/program';
import { createSystem } from './cli/system';

const system = createSystem(process);
void runProgram(process.argv.slice(2), system).then((code) => {
  // Not process.exit: output that is still being written to a pipe must arrive.
  process.exitCode = code;
});
