import assert from 'node:assert/strict';
import { report, seed } from '../support/fuzz';
import { PLANTED_BUGS } from './bugs/plantedBugs';
import { Program } from './machine/program';
import { Random } from './machine/random';
import { playHistory } from './play/history';
import { hunt } from './play/hunt';
import { readKept } from './play/kept';
import type { Exports } from './program/host';

/** Histories that a run plays, unless time is up. */
const HISTORIES = 60;
const MOST_MS = 30_000;
/** Planted bugs that a run looks for, of those that the first seeds showed. */
const BUGS = 3;
const QUICK = 6;
/** Seeds in which each must show. A change of the product gives the same seed another history. */
const MOST_SEEDS = 80;

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
    for (const { seed: kept, moves } of readKept()) {
      const { violation } = await playHistory(program, kept, moves);
      assert.equal(violation, null, `seed ${String(kept)}: ${String(violation?.message)}`);
    }
  });

  it('keeps every promise in new histories', async () => {
    const startedAt = performance.now();
    let count = 0;
    for (; count < HISTORIES && performance.now() - startedAt < MOST_MS; count += 1) {
      const one = seed * 1_000 + count;
      const { violation } = await playHistory(program, one);
      assert.equal(violation, null, `seed ${String(one)}: ${String(violation?.message)}`);
    }
    report(`${String(count)} simulated histories`);
  });

  it('finds planted bugs', async () => {
    const random = new Random(seed, 'bugs');
    const quick = PLANTED_BUGS.filter((bug) => (bug.seed ?? Infinity) <= QUICK);
    for (let count = 0; count < BUGS; count += 1) {
      const bug = random.pick(quick);
      const { found } = await hunt(bug, { from: 1, mostSeeds: MOST_SEEDS, mostMs: Infinity });
      assert.notEqual(found, null, `"${bug.name}" is not found by ${String(MOST_SEEDS)} seeds`);
    }
  });
});
