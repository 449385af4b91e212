import { createInterface } from 'node:readline';
import { systemClock } from './platform/clock';
import { systemProcesses } from './platform/processes/processes';
import type { WatchdogMessage, WatchedProgram } from './platform/processes/watchdog';

const watched = new Map<number, WatchedProgram>();

async function endAll(): Promise<void> {
  const programs = [...watched.values()];
  watched.clear();
  await Promise.all(
    programs.map(({ root, ...how }) =>
      systemProcesses.endTree(root, { ...how, leadsGroup: true, clock: systemClock }),
    ),
  );
}

/** Ends what is watched when the process that writes to the standard input has died or is frozen. */
async function main(): Promise<void> {
  // A service manager sends them to every process of a worker. This one ends after the worker.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => undefined);
  let silence: NodeJS.Timeout | undefined;
  for await (const line of createInterface({ input: process.stdin })) {
    silence?.refresh();
    const message = JSON.parse(line) as WatchdogMessage;
    if (message === null) continue;
    if ('silentMs' in message) silence = setTimeout(() => void endAll(), message.silentMs);
    else if ('watch' in message) watched.set(message.watch.root.pid, message.watch);
    else watched.delete(message.forget);
  }
  clearTimeout(silence);
  await endAll();
}

void main();
