import assert from 'node:assert/strict';
import { report, seed } from '../support/fuzz';
import { Coverage } from './audit/coverage';
import { PLANTED_BUGS } from './bugs/plantedBugs';
import { Program, plantIn } from './machine/program';
import { playHistory } from './play/history';
import { hunt } from './play/hunt';
import { readKept } from './play/kept';
import type { Exports } from './program/host';

/** Histories that a run plays, from `FUZZ_SEED` on. */
const HISTORIES = 60;
/** Seeds in which a planted bug must show. A change of the product gives the same seed another history. */
const MOST_SEEDS = 80;
/** Planted bugs that a run looks for; `npm run test:simulation -- --bugs` looks for all. */
const BUGS = [
  'order: the last row of a class goes first',
  'outbox: a notice that was shown is not recorded',
  'callback: one whose sender died is not sent again',
  'recovery: a worker that runs overlooks the claims of dead ones',
];

/** Mistake after which a process that waits for a lock lets no time pass. */
const SPINNING = {
  name: 'lock: waiting takes no time',
  file: 'src/platform/lock/lockWaiting.ts',
  find: 'await pause(Math.min(MOST_PAUSE_MS, LEAST_PAUSE_MS + waited / 500));',
  replace: 'await Promise.resolve();',
};

describe('a simulated machine', () => {
  let program: Program<Exports>;

  before(async () => {
    program = await Program.build<Exports>();
  });

  it('plays the same history from the same seed', async () => {
    for (const one of [seed, seed + 1]) {
      const { hash, trace } = await playHistory(program, one);
      const again = await playHistory(program, one);
      assert.deepEqual(again.trace, trace);
      assert.equal(again.hash, hash);
    }
  });

  it('plays another history from another seed', async () => {
    const one = await playHistory(program, seed);
    const other = await playHistory(program, seed + 1);
    assert.notEqual(one.hash, other.hash);
  });

  it('keeps every promise in the histories that broke one before', async () => {
    for (const { seed: kept, ...given } of readKept()) {
      const { violation } = await playHistory(program, kept, given);
      assert.equal(violation, null, `seed ${String(kept)}: ${String(violation?.message)}`);
    }
  });

  it(`keeps every promise in ${String(HISTORIES)} histories, and visits no pair of state and event that is listed as unreachable`, async () => {
    const coverage = new Coverage();
    for (let one = seed; one < seed + HISTORIES; one += 1) {
      const result = await playHistory(program, one);
      const { violation } = result;
      assert.equal(violation, null, `seed ${String(one)}: ${String(violation?.message)}`);
      coverage.add(result.coverage);
    }
    assert.deepEqual(coverage.contradictions(), []);
    report(`${String(HISTORIES)} simulated histories`);
  });

  it('ends a history in which a process runs in circles while no time passes', async () => {
    const { found } = await hunt(SPINNING, { from: 1, mostSeeds: MOST_SEEDS, mostMs: Infinity });
    assert.match(found?.violation?.message ?? '', /runs in circles while no time passes/);
  });

  it('has every planted bug at a place that is in the code', () => {
    for (const bug of PLANTED_BUGS)
      for (const one of [bug, ...(bug.also === undefined ? [] : [bug.also])])
        assert.doesNotThrow(() => plantIn(one.file, [one]), bug.name);
  });

  for (const name of BUGS)
    it(`finds a planted bug: ${name}`, async () => {
      const bug = PLANTED_BUGS.find((each) => each.name === name);
      assert.ok(bug);
      const { found } = await hunt(bug, { from: bug.seed ?? 1, mostSeeds: MOST_SEEDS, mostMs: Infinity });
      assert.notEqual(found, null, `not found by ${String(MOST_SEEDS)} seeds`);
    });
});
