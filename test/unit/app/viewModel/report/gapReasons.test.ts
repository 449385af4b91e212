import assert from 'node:assert/strict';
import { describeGapCauses } from '../../../../../src/app/present/report/nightTexts';
import { explainGaps } from '../../../../../src/app/viewModel/report/gapReasons';
import type { GapCause } from '../../../../../src/app/viewModel/report/gaps';
import type { NightReport } from '../../../../../src/app/viewModel/report/nightReport';
import { defaults } from '../../../../../src/domain/settings/settings';
import type { TaskQueue } from '../../../../../src/queue/taskQueue';
import { HOUR, MINUTE, NOW, paint, type Around, type Row } from '../../../../support/queue/viewModels';

const FULL = { settings: { ...defaults, maxPerHour: 1 }, starts: [NOW - MINUTE], workers: 1 };

describe('A time in which nothing ran', () => {
  const reportWith = (...causes: readonly GapCause[]): NightReport => {
    const gap = { from: NOW - HOUR, to: NOW + HOUR, isOpen: false, causes };
    return { gaps: [gap], idle: [], timeZone: 'UTC', now: NOW + HOUR } as unknown as NightReport;
  };

  /** The night's text, where the queue looked so in the middle of the gap; null: that is not recorded. */
  async function explain(cause: GapCause, then: Around | null, row: Row = {}): Promise<string> {
    const looks: number[] = [];
    const lookBack = ((at: number) => {
      looks.push(at);
      if (then === null) return Promise.resolve({ kind: 'unrecorded', recordedFrom: null });
      const { snapshot, world } = paint([row], then);
      return Promise.resolve({ kind: 'known', snapshot, around: world, recordedAt: null });
    }) as TaskQueue['lookBack'];
    const report = await explainGaps(reportWith(cause), { lookBack });
    assert.ok(looks.every((at) => at === NOW));
    const [gap] = report.gaps;
    assert.ok(gap !== undefined);
    return describeGapCauses(gap, report);
  }

  it('has the reason for which its task was waiting then', async () => {
    const waiting = { kind: 'unknown', waiting: 1 } as const;
    assert.match(await explain(waiting, FULL), /^task 1 was waiting: .*1 .*hour/);
    assert.equal(await explain(waiting, {}), 'no worker was running; task 1 was waiting');
  });

  it('has none where that is not recorded, or a worker could have run it', async () => {
    const waiting = { kind: 'unknown', waiting: 1 } as const;
    for (const then of [null, { workers: 1 }])
      assert.equal(await explain(waiting, then), 'reason not recorded; task 1 was waiting');
  });

  it('keeps the causes that attempts show', async () => {
    assert.equal(await explain({ kind: 'quiet' }, FULL), 'quiet hours');
  });

  it('is followed by sentences about now while it lasts', () => {
    const report = { idle: ['No worker is running.'], timeZone: 'UTC', now: NOW } as unknown as NightReport;
    const describe = (...causes: readonly GapCause[]): string =>
      describeGapCauses({ from: NOW - HOUR, to: NOW, isOpen: true, causes }, report);
    assert.equal(describe({ kind: 'quiet' }), 'quiet hours. No worker is running');
    assert.equal(describe(), 'No worker is running');
  });

  it('is a retry delay only while its task waited for the next try', async () => {
    const waiting = { kind: 'unknown', waiting: 1 } as const;
    const at = (dueAt: number): Promise<string> =>
      explain(waiting, {}, { state: { dueCause: 'retry', retryCount: 1, dueAt } });
    assert.match(await at(NOW + MINUTE), /^task 1 was waiting: next try /);
    assert.equal(await at(NOW - MINUTE), 'no worker was running; task 1 was waiting');
  });
});
