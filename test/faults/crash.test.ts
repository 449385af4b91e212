import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLong, randomFrom, seed, report } from '../support/fuzz';
import { type Scenario, SCENARIOS } from './crashScenarios';
import { checkAllDone, FaultFolder, finishAll, openQueue } from './faultQueue';
import { idsAfter, startChild, type ChildOrders } from './program';

/** Children at a time: one for each core that a machine is expected to have. */
const AT_A_TIME = 3;

/** No program makes more changes to the disk in one round of steps. */
const MOST_CALLS = 2_000;

/** In `npm test` every N changes, each time start elsewhere; in the long form all. */
const STRIDE = isLong ? 1 : 7;

/** Numbers of rows of the queues; the long form has more. */
const ROWS = isLong ? [3, 4, 40] : [3];

const random = randomFrom(seed);

/** A place in a program at which it is ended. */
interface Point {
  readonly scenario: Scenario;
  readonly at: number;
  readonly act: 'kill' | 'half';
}

/** Ends a program there, continues to the end, and checks what came of it. Whether it got to that place at all. */
async function crashAt({ scenario, at, act }: Point, template: FaultFolder): Promise<boolean> {
  const place = template.copy();
  try {
    const orders = { file: place.file, name: 'child', play: scenario.play, at, act };
    const ended = await startChild(orders).ended;
    const where = `Crashed at change ${String(at)} (${act}): ${ended.stdout}${ended.stderr}`;
    const isThrough = /^through$/m.test(ended.stdout);
    assert.ok(isThrough || ended.signal === 'SIGKILL', where);
    place.ageLock();
    try {
      const queue = await openQueue(place.file);
      await finishAll(queue);
      await scenario.check(place, queue, ended);
    } catch (error) {
      throw new Error(where, { cause: error });
    }
    return !isThrough;
  } finally {
    place.remove();
  }
}

/** Crashes at every `stride`-th change of the disk, until the program comes through. Gives how many there were. */
async function crashEverywhere(
  scenario: Scenario,
  act: Point['act'],
  rows: number,
  stride: number,
): Promise<number> {
  const template = new FaultFolder(rows);
  try {
    await scenario.prepare?.(template, random);
    let points = 0;
    for (let at = 1 + Math.floor(random() * stride); at < MOST_CALLS; at += AT_A_TIME * stride) {
      const tries = Array.from({ length: AT_A_TIME }, (_, index) =>
        crashAt({ scenario, act, at: at + index * stride }, template),
      );
      const crashed = (await Promise.all(tries)).filter((hasCrashed) => hasCrashed).length;
      points += crashed;
      if (crashed < AT_A_TIME) return points;
    }
    throw new Error('The program never came through.');
  } finally {
    template.remove();
  }
}

// A power cut that loses what was written and not yet synced is not played: a killed program's writes stay.
describe('A queue file after kill -9', () => {
  for (const scenario of SCENARIOS) {
    it(`has lost nothing and has nothing twice, at a change of the disk ${scenario.name}`, async () => {
      // The first of them is tried at more places in each run of the tests.
      const stride = scenario === SCENARIOS[0] ? Math.min(3, STRIDE) : STRIDE;
      let points = 0;
      for (const rows of ROWS) points += await crashEverywhere(scenario, 'kill', rows, stride);
      assert.ok(points * stride > 25, `only ${String(points)} points were hit`);
      report(`${String(points)} crash points ${scenario.name}`);
    }).timeout(900_000);

    it(`has lost nothing and has nothing twice if a write was cut in half ${scenario.name}`, async () => {
      let points = 0;
      for (const rows of ROWS) points += await crashEverywhere(scenario, 'half', rows, isLong ? 1 : 3);
      report(`${String(points)} writes cut in half ${scenario.name}`);
    }).timeout(900_000);
  }

  const kills = isLong ? 400 : 25;
  it(`completes every task once after ${String(kills)} kills at random moments`, async () => {
    const place = new FaultFolder(isLong ? 3_000 : 400);
    const finished: number[] = [];
    try {
      for (let kill = 0; kill < kills; kill += 1) {
        const orders: ChildOrders = { file: place.file, name: `w${String(kill)}`, play: 'drain' };
        const child = startChild(orders);
        await Promise.race([child.waitForLine(/^begins$/), child.ended]);
        await sleep(random() * 80);
        child.kill('SIGKILL');
        finished.push(...idsAfter('finished', await child.ended));
        place.ageLock();
      }
      assert.equal(new Set(finished).size, finished.length, 'something was finished twice');
      const queue = await openQueue(place.file);
      await finishAll(queue);
      await checkAllDone(place, queue, finished);
      report(`${String(kills)} kills at random moments`);
    } finally {
      place.remove();
    }
  }).timeout(900_000);
});
