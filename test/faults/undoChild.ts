import { writeSync } from 'node:fs';
import { UndoWorld } from '../support/undo/undoWorld';
import { meddleWithDisk } from './faultyFs';

/** Change of the disk before which the program is killed, or during which (`half`). */
export interface UndoOrders {
  readonly folder: string;
  readonly at: number;
  readonly act: 'kill' | 'half';
}

/** A program that undoes task 1 until it is killed. */
async function main(): Promise<void> {
  const { folder, at, act } = JSON.parse(process.argv[2] ?? '{}') as UndoOrders;
  let counted = 0;
  await meddleWithDisk(({ isWrite }) => {
    if (act === 'half' && !isWrite) return null;
    counted += 1;
    if (counted !== at) return null;
    return { half: act === 'half', then: () => process.kill(process.pid, 'SIGKILL') };
  });
  await new UndoWorld(folder).undo(1);
  writeSync(1, 'through\n');
}

main().catch((error: unknown) => {
  writeSync(1, `failed ${String(error)}\n`);
  process.exitCode = 1;
});
