// A program that starts another one, and prints its id, for each line `start` that it reads; `forget` forgets the last. Its
// arguments: those of Node that run the watchdog, and the time in ms after which this program counts as frozen.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { ProcessIdentity } from '../../../../src/domain/task/processIdentity';
import { systemProcesses } from '../../../../src/platform/processes/processes';
import { Watchdog, watchProcesses } from '../../../../src/platform/processes/watchdog';

const words = process.argv.slice(2);
const report = (error: Error | null): void => {
  console.log('lost', error);
};
const watchdog = new Watchdog(words.slice(0, -1), report, Number(words.at(-1)));
const processes = watchProcesses(systemProcesses, watchdog);
let last: ProcessIdentity | null = null;

function startOne(): ProcessIdentity | null {
  const args = ['-e', 'setInterval(() => {}, 1e6)'];
  const child = spawn(process.execPath, args, { detached: true, stdio: 'ignore' });
  return processes.identifyChild(child, { graceMs: 100 });
}

createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'start') {
    last = startOne();
    console.log(last?.pid);
  } else {
    if (last !== null) watchdog.forget(last);
    console.log('forgotten');
  }
});
