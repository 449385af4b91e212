import { writeSync } from 'node:fs';
import { meddleWithDisk, type DiskCall } from './faultyFs';

/** A program that works on a queue until something happens to it; run by the tests beside this file. */
interface Orders {
  readonly file: string;
  readonly name: string;
  /** `steps`: one of each step; `drain`: claims and finishes until nothing is left. */
  readonly play: 'steps' | 'drain';
  /** At which change of the disk (for `half`: at which write), and what happens then. */
  readonly at?: number;
  readonly act?: 'kill' | 'half' | 'freeze';
}

function say(text: string): void {
  writeSync(1, `${text}\n`);
}

async function main(): Promise<void> {
  const orders = JSON.parse(process.argv[2] ?? '{}') as Orders;
  // Only when nothing was loaded yet: the lock takes its functions when it is.
  if (orders.at !== undefined) await meddleWithDisk((call) => happen(call, orders));
  const { drain, playSteps } = await import('./childPlays');
  await (orders.play === 'drain' ? drain(orders, say) : playSteps(orders, say));
  say('through');
}

let counted = 0;

async function happen({ name, writeHalf }: DiskCall, { at, act }: Orders): Promise<void> {
  if (act !== 'half' || writeHalf !== undefined) counted += 1;
  if (counted !== at) return;
  say(`${act ?? ''} at ${name}`);
  if (act === 'half') await writeHalf?.();
  process.kill(process.pid, act === 'freeze' ? 'SIGSTOP' : 'SIGKILL');
}

main().catch((error: unknown) => {
  say(`failed ${String(error)}`);
  process.exitCode = 1;
});
