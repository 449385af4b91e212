// The process of one part of the tests: how it is started, and how one that hangs is ended.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { dirname } from 'node:path';
import { clearTimeout, setTimeout } from 'node:timers';

/**
 * Longest time of a part of the whole run, twice what the longest needs on a slow machine. One that hangs is ended, so that its
 * tests are shown: the last one is before the one that hangs.
 */
const PART_LIMIT_MS = 40 * 60_000;
/** Longest time from the counts of a part to the end of its process. */
const END_LIMIT_MS = 3 * 60_000;

/**
 * Runs the process of a part, which writes `countsFile` into a folder of its own at its end. Returns its exit code; null if a
 * signal ended it. Of a process that does not end after its counts, 0: Node 20 can hang there (nodejs/node#49344), and the reporter
 * has by then counted as a failure what a test left open.
 */
export async function runPartProcess([command, ...args], options, { countsFile, isWhole, name }) {
  const child = spawn(command, args, options);
  const limits = [];
  let isStuck = false;
  // A test that never yields would keep mocha from hearing another signal.
  const end = () => child.kill('SIGKILL');
  if (isWhole) limits.push(setTimeout(end, PART_LIMIT_MS));
  const watcher = watch(dirname(countsFile)).once('change', () => {
    limits.push(
      setTimeout(() => {
        isStuck = end();
        process.stderr.write(`The process of ${name} did not end after its counts, and was ended.\n`);
      }, END_LIMIT_MS),
    );
  });
  try {
    const [code] = await once(child, 'close');
    return isStuck ? 0 : code;
  } finally {
    watcher.close();
    for (const limit of limits) clearTimeout(limit);
  }
}
