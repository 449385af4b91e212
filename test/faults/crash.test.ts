import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkAllDone, FaultFolder, finishAll, openQueue } from './faultQueue';
import { idsAfter, startChild, type ChildOrders } from './program';

/** As many children at a time as there are cores to be expected. */
const AT_A_TIME = 3;

/** No program makes more changes to the disk in one round of steps. */
const MOST_CALLS = 400;

async function crashAt(at: number, act: 'kill' | 'half'): Promise<string> {
  const place = new FaultFolder(3);
  try {
    const ended = await startChild({ file: place.file, name: 'child', play: 'steps', at, act }).ended;
    place.ageLock();
    const queue = await openQueue(place.file);
    await finishAll(queue);
    const added = idsAfter('added', ended);
    await checkAllDone(place, queue, idsAfter('finished', ended)).catch((error: unknown) => {
      throw new Error(`Crashed at change ${String(at)} (${act}): ${ended.stdout}`, { cause: error });
    });
    const rows = place.rows().filter((row) => row['working_dir'] === '/place/added');
    assert.ok(
      rows.length >= added.length && rows.length <= 1,
      `the added row is there ${String(rows.length)} times`,
    );
    return ended.stdout;
  } finally {
    place.remove();
  }
}

/** Crashes at every change of the disk in turn, until the program comes through. */
async function crashEverywhere(act: 'kill' | 'half'): Promise<number> {
  for (let from = 1; from < MOST_CALLS; from += AT_A_TIME) {
    const tries = Array.from({ length: AT_A_TIME }, (_, index) => crashAt(from + index, act));
    const said = await Promise.all(tries);
    const through = said.findIndex((text) => text.includes('through'));
    if (through >= 0) return from + through - 1;
  }
  throw new Error('The program never came through.');
}

describe('A queue file after kill -9', () => {
  it('has lost nothing and holds nothing twice, at whichever change of the disk it came', async () => {
    const points = await crashEverywhere('kill');
    assert.ok(points > 50, `only ${String(points)} points were hit`);
  }).timeout(60_000);

  it('has lost nothing and holds nothing twice where a write was cut in half', async () => {
    await crashEverywhere('half');
  }).timeout(60_000);

  it('at sixty random moments of a worker that claims and finishes has every task done once in the end', async () => {
    const seed = Number(process.env['FC_SEED'] ?? Date.now() % 2 ** 31);
    const random = randomFrom(seed);
    const place = new FaultFolder(400);
    const finished: number[] = [];
    try {
      for (let kill = 0; kill < 60; kill += 1) {
        const orders: ChildOrders = { file: place.file, name: `w${String(kill)}`, play: 'drain' };
        const child = startChild(orders);
        await Promise.race([child.waitForLine(/^begins$/), child.ended]);
        await sleep(random() * 80);
        child.kill('SIGKILL');
        finished.push(...idsAfter('finished', await child.ended));
        place.ageLock();
      }
      assert.equal(
        new Set(finished).size,
        finished.length,
        `something was finished twice (FC_SEED=${String(seed)})`,
      );
      const queue = await openQueue(place.file);
      await finishAll(queue);
      await checkAllDone(place, queue, finished);
    } finally {
      place.remove();
    }
  }).timeout(60_000);
});

/** Numbers from 0 to 1 that are the same for the same seed (the "minimal standard" generator). */
function randomFrom(seed: number): () => number {
  let state = (seed % 2_147_483_646) + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
