import { createInterface } from 'node:readline';
import { systemClock } from './platform/clock';
import { systemProcesses } from './platform/processes/processes';
import { LOOKS, type WatchdogMessage, type WatchedProgram } from './platform/processes/watchdog';

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

/** Ends what is watched once it is silent. Counts looks, not time: the machine may have slept, which is no silence. */
class Silence {
  private looks = 0;
  private timer: NodeJS.Timeout | undefined;

  start(silentMs: number): void {
    this.timer = setInterval(() => {
      this.looks += 1;
      if (this.looks === LOOKS) void endAll();
    }, silentMs / LOOKS);
  }

  noteMessage(): void {
    this.looks = 0;
  }

  end(): void {
    clearInterval(this.timer);
  }
}

/** Ends what is watched when the process that writes to the standard input has died or is frozen. */
async function main(): Promise<void> {
  // A service manager sends them to every process of a worker. This one ends after the worker.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => undefined);
  const silence = new Silence();
  for await (const line of createInterface({ input: process.stdin })) {
    silence.noteMessage();
    const message = JSON.parse(line) as WatchdogMessage;
    if (message === null) continue;
    if ('silentMs' in message) silence.start(message.silentMs);
    else if ('watch' in message) watched.set(message.watch.root.pid, message.watch);
    else watched.delete(message.forget);
  }
  silence.end();
  await endAll();
}

void main();
