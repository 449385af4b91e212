import assert from 'node:assert/strict';
import { findUnchangedShares } from '../../../../src/app/simulate/unchangedShares';
import type { TaskState } from '../../../../src/domain/queue/view';
import type { Attempt } from '../../../../src/domain/task/attempt';
import type { SkippedTimes } from '../../../../src/domain/time/skippedTimes';
import { simulateNight } from '../../../../src/app/simulate/simulatedNight';
import { QueuePaths } from '../../../../src/queue/queuePaths';
import { Harness, MACHINE, MINUTE_MS } from '../../../support/queue/workerHarness';
import { attempt, HOUR, NOW } from '../../../support/queue/attempts';
import { paint } from '../../../support/queue/viewModels';

const skips = (count: number, why: SkippedTimes['why'] = 'unchanged'): readonly SkippedTimes[] => [
  { why, from: NOW, to: NOW + count * HOUR, count },
];

/** Share of a task that asks for skips, has these attempts, and skipped these times since. */
function shareOf(
  attempts: readonly Partial<Attempt>[],
  state: Partial<TaskState> = {},
  unlessUnchanged = true,
): number | undefined {
  const task = paint([{ state: { power: 'power-1', ...state } }]).tasks[0]?.task ?? assert.fail();
  const definition = unlessUnchanged
    ? { ...task.definition, unlessUnchanged: true as const }
    : task.definition;
  return findUnchangedShares([{ ...task, definition }], attempts.map(attempt)).get(1);
}

/** Runs of this number of due times. */
const runs = (count: number): Partial<Attempt>[] =>
  Array.from({ length: count }, (_, index) => ({ number: index + 1, dueAt: NOW + index * HOUR }));

describe('The share of unchanged due times', () => {
  it('is that of the skips before the attempts and since, among these and the runs', () => {
    assert.equal(shareOf([...runs(5), { dueAt: NOW + 9 * HOUR, skipped: skips(4) }]), 0.4);
    assert.equal(shareOf(runs(4), { skipped: skips(12) }), 0.75);
  });

  it('counts the retries of a due time as one run, and neither catch-up runs nor other skips', () => {
    const retry = { number: 6, dueAt: NOW };
    const caughtUp = { number: 7, dueAt: NOW + 8 * HOUR, catchUp: true } as const;
    const merged = { number: 8, skipped: skips(20, 'merged') };
    assert.equal(shareOf([...runs(5), retry, caughtUp, merged], { skipped: skips(5) }), 0.5);
  });

  it('is unknown while there are fewer than ten due times, or none was skipped as unchanged', () => {
    assert.equal(shareOf(runs(5), { skipped: skips(4) }), undefined);
    assert.equal(shareOf(runs(30)), undefined);
  });

  it('is unknown for a row that has changed since, or does not ask for it', () => {
    assert.equal(shareOf(runs(30), { power: 'power-2', skipped: skips(3) }), undefined);
    assert.equal(shareOf(runs(5), { skipped: skips(5) }, false), undefined);
  });
});

describe('A simulated night with such a share', () => {
  /** Number of runs in a day of a task that is due every quarter of an hour, and takes no time. */
  async function countRuns(share: number | null): Promise<number> {
    const harness = new Harness();
    const repeat = { kind: 'every', text: '15m', everyMs: 15 * MINUTE_MS } as const;
    harness.put(1, { repeat, unlessUnchanged: true });
    const from = harness.clock.now();
    const night = {
      copyQueue: (clock: Parameters<typeof harness.queue.copy>[0]) =>
        harness.queue.copy(clock, (definition) => definition),
      approvedRows: { trusted: true, approvals: new Set<string>() },
      rules: { settings: harness.settings, timeZone: 'UTC' },
      gate: harness.gate.now,
      workers: [{ choice: {}, slots: { min: 1, max: 1 }, running: [] }],
      paths: new QueuePaths(`${harness.folder}/prompts.csv`),
      machine: MACHINE,
      ...{ from, until: from + 24 * HOUR },
      unchangedShares: new Map(share === null ? [] : [[1, share]]),
    };
    const plan = { ms: 0, outcome: 'success', reason: 'done', costUsd: 0, used: {} } as const;
    return (await simulateNight(night, 1, () => () => plan)).attempts.length;
  }

  it('skips due times as often, and none where it is unknown', async () => {
    assert.equal(await countRuns(null), 96);
    // The first run is at no due time of the interval.
    assert.equal(await countRuns(1), 1);
    const runs = await countRuns(0.5);
    assert.ok(runs > 34 && runs < 62, String(runs));
  });
});
