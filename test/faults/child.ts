import { writeSync } from 'node:fs';
import { meddleWithDisk, type DiskCall, type Fate } from './faultyFs';
import type { Play } from './childPlays';

/** A program that works on a queue until something happens to it; started by the tests beside this file. */
interface Orders {
  readonly file: string;
  readonly name: string;
  readonly play: Play;
  readonly sign?: string;
  /** At which change of the disk (for `half`: at which write), and what happens then. */
  readonly at?: number;
  readonly act?: 'kill' | 'half' | 'freeze';
  /** Counts only changes of these names. */
  readonly among?: readonly string[];
  /** Prints each later change of this name. */
  readonly after?: string;
}

function say(text: string): void {
  writeSync(1, `${text}\n`);
}

async function main(): Promise<void> {
  const orders = JSON.parse(process.argv[2] ?? '{}') as Orders;
  // Only when nothing was loaded yet: the lock takes its functions when it is.
  if (orders.at !== undefined) await meddleWithDisk((call) => decide(call, orders));
  const { PLAYS } = await import('./childPlays');
  await PLAYS[orders.play](orders, say);
  say('through');
}

let counted = 0;

function decide({ name, isWrite }: DiskCall, { at, act, among, after }: Orders): Fate | null {
  if (at !== undefined && counted >= at && name === after) say(`then ${name}`);
  if (act === 'half' && !isWrite) return null;
  if (among?.includes(name) === false) return null;
  counted += 1;
  if (counted !== at) return null;
  say(`${act ?? ''} at ${name}`);
  const signal = act === 'freeze' ? 'SIGSTOP' : 'SIGKILL';
  return { half: act === 'half', then: () => process.kill(process.pid, signal) };
}

main().catch((error: unknown) => {
  say(`failed ${String(error)}`);
  process.exitCode = 1;
});
