import assert from 'node:assert/strict';
import { describeLimits } from '../../../../../src/app/present/report/nightTexts';
import type { Attempt } from '../../../../../src/domain/task/attempt';
import { ran, reportOf } from '../../../../support/night/reports';
import { HOUR, MINUTE, NOW, WORKER_DIED } from '../../../../support/queue/attempts';
import { runByUser, runByWorker, type Around, type Row } from '../../../../support/queue/viewModels';

describe('A time in which nothing ran', () => {
  const causesOf = (attempts: readonly Attempt[], around: Around = {}): (readonly string[])[] =>
    reportOf([{}], attempts, around).gaps.map(({ causes }) => causes.map(({ kind }) => kind));

  it('after a limit is explained by it, also where another attempt ended later', () => {
    const attempts = [
      ran(1_440, 700),
      ran(800, 720, { id: 2, outcome: 'limit', reason: 'five_hour' }),
      ran(500, 0),
    ];
    assert.deepEqual(causesOf(attempts), [['limit']]);
  });

  it('is no retry delay only because the same task failed before and ran after', () => {
    const attempts = [ran(1_440, 700, { outcome: 'error' }), ran(500, 0, { waitedMs: 200 * MINUTE })];
    assert.deepEqual(causesOf(attempts), [['unknown']]);
  });

  it('has no due task where the next task had not waited, and else no recorded reason', () => {
    const next = (waitedMs?: number): readonly Attempt[] => [
      ran(1_440, 700),
      ran(500, 0, { id: 2, ...(waitedMs === undefined ? {} : { waitedMs }) }),
    ];
    assert.deepEqual(causesOf(next(MINUTE)), [['nothing-due']]);
    assert.deepEqual(causesOf(next(HOUR)), [['unknown']]);
    assert.deepEqual(causesOf(next()), [['unknown']]);
  });

  it('before an attempt that runs is explained as before one that has ended', () => {
    const running = (at: number, since: number): Row => ({
      ...{ ...runByWorker, at: NOW - at * MINUTE },
      state: { firstSeenAt: NOW - since * MINUTE },
    });
    const causesBefore = (row: Row, before: Partial<Attempt>): readonly unknown[] =>
      reportOf([row], [ran(1_440, 700, before)]).gaps.flatMap(({ causes }) => causes);
    assert.deepEqual(causesBefore(running(500, 501), { id: 2 }), [{ kind: 'nothing-due' }]);
    assert.deepEqual(causesBefore(running(500, 1_400), { id: 2 }), [{ kind: 'unknown', waiting: 1 }]);
    assert.deepEqual(causesBefore(running(500, 1_400), { outcome: 'error' }), [
      { kind: 'unknown', waiting: 1 },
    ]);
  });

  it('starts with an attempt whose worker died, since its end is not known', () => {
    const lost = ran(600, 400, WORKER_DIED);
    assert.deepEqual(causesOf([ran(1_440, 700), lost, ran(400, 0)]), [['unknown'], ['worker-died']]);
    const died: Row = { ...runByWorker, at: NOW - 600 * MINUTE, lost: true };
    const { gaps } = reportOf([died], [ran(1_440, 700, { id: 2 })]);
    assert.deepEqual(
      gaps.map(({ from, to, causes }) => [(NOW - from) / MINUTE, (NOW - to) / MINUTE, causes[0]?.kind]),
      [
        [700, 600, 'unknown'],
        [600, 0, 'worker-died'],
      ],
    );
  });

  it('starts with an attempt that its worker ended because Redis was away', () => {
    const note = { kind: 'redis-away', worker: '1' } as const;
    const lost = ran(600, 400, { outcome: 'lost', reason: 'redis-away', note });
    assert.deepEqual(causesOf([lost, ran(400, 0)]).at(-1), ['redis-away']);
  });

  it('does not include an attempt whose Claude Code alone was killed', () => {
    const killed = ran(700, 400, { outcome: 'lost', reason: 'SIGKILL' });
    assert.deepEqual(causesOf([ran(1_440, 700), killed, ran(400, 0)]), []);
  });

  it('includes what the user took by hand and has, or has ended', () => {
    const dead = [{ from: NOW - 700 * MINUTE, to: NOW - 10 * MINUTE }];
    const spansOf = (rows: readonly Row[], attempts: readonly Attempt[]): readonly object[] =>
      reportOf(rows, attempts).gaps.map(({ from, to }) => ({ from, to }));
    const forgotten = { ...runByUser, at: NOW - 700 * MINUTE };
    assert.deepEqual(spansOf([forgotten], [ran(1_440, 700), ran(10, 0)]), dead);
    assert.deepEqual(spansOf([{ ...forgotten, ...runByWorker }], [ran(1_440, 700), ran(10, 0)]), []);
    const byHand = ran(700, 10, { reason: 'by-hand' });
    assert.deepEqual(spansOf([{}], [ran(1_440, 700), byHand, ran(10, 0)]), dead);
  });

  it('that lasts until now is explained by the pause, or by what stops the queue now', () => {
    const { gaps, idle } = reportOf([{}], [ran(1_440, 700)], { held: 'I am away' });
    assert.equal(gaps[0]?.isOpen, true);
    assert.match(idle.join(), /I am away/);
  });
});

describe('The wait for usage limits in a report', () => {
  const limited = (from: number, to: number): Attempt =>
    ran(from, to, { outcome: 'limit', reason: 'five_hour' });
  const waitOf = (attempts: readonly Attempt[], around: Around = {}): number =>
    reportOf([{}], attempts, around).waitedForLimitsMs / MINUTE;

  it('is the time between a limit and the next start', () => {
    assert.equal(waitOf([ran(1_440, 710), limited(710, 700), ran(500, 0)]), 200);
  });

  it('leaves out pauses, also those that overlap', () => {
    const pause = (from: number, to: number): NonNullable<Around['pauses']>[number] => ({
      ...{ why: 'lunch', from: NOW - from * MINUTE, to: NOW - to * MINUTE },
    });
    const attempts = [ran(1_440, 710), limited(710, 700), ran(500, 0)];
    assert.equal(waitOf(attempts, { pauses: [pause(690, 600), pause(650, 560)] }), 70);
    assert.equal(waitOf(attempts, { pauses: [pause(900, 400)] }), 0);
  });

  it('ends with an attempt whose worker died', () => {
    const lost = ran(650, 520, WORKER_DIED);
    assert.equal(waitOf([ran(1_440, 710), limited(710, 700), lost, ran(500, 0)]), 50);
  });

  it('lasts until now only while the account is at its limit', () => {
    const attempts = [ran(1_440, 710), limited(710, 700)];
    assert.equal(waitOf(attempts, { block: { since: NOW - 700 * MINUTE } }), 700);
    assert.equal(waitOf(attempts), 0);
  });

  it('is explained by an earlier limit where none was reached in the period', () => {
    const textsOf = (...attempts: readonly Attempt[]): readonly string[] =>
      describeLimits(reportOf([{}], attempts)).slice(0, 2);
    assert.deepEqual(textsOf(limited(1_500, 1_490), ran(60, 0)), [
      'No attempt was stopped by a usage limit in this time; an earlier one still applied.',
      'Nothing ran for 23 h because of usage limits alone.',
    ]);
    assert.equal(textsOf(ran(1_440, 0))[0], 'No attempt was stopped by a usage limit.');
  });
});
