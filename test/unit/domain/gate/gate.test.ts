import assert from 'node:assert/strict';
import { findBlockFor, findBlockForAll, type GateRules } from '../../../../src/domain/gate/gateOpening';
import { applyReport } from '../../../../src/domain/gate/gateReport';
import {
  OPEN_GATE,
  recordUsage,
  reopenGate,
  saneReset,
  type GateKind,
  type GateView,
  type LimitSignal,
  type ModelChoice,
  type LimitKind,
} from '../../../../src/domain/gate/gate';

const NOW = Date.UTC(2026, 10, 20, 19, 40);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const RULES: GateRules = { limitFallback: 4.5 * HOUR, openAfterReset: MINUTE, openStagger: 15_000 };

const fiveHour = (resetAt: number | null): LimitSignal => ({ kind: 'five_hour', resetAt, message: 'limit' });

function closed(signal: LimitSignal, gate: GateView = OPEN_GATE, now = NOW): GateView {
  return applyReport(gate, { signal, usage: [] }, now, RULES);
}

const OPUS: LimitSignal = {
  kind: 'seven_day_opus',
  model: 'opus',
  resetAt: NOW + HOUR,
  message: 'Opus limit',
};

/** Returns the kind of the block that keeps a task of this model from starting. */
function inTheWay(gate: GateView, model: string | undefined, now: number): GateKind | undefined {
  return findBlockFor(gate, model === undefined ? {} : { model }, now, RULES)?.block.kind;
}

describe("An account's gate", () => {
  it('closes at a limit until a minute after its reset', () => {
    const gate = closed(fiveHour(NOW + HOUR));
    assert.equal(inTheWay(gate, undefined, NOW + HOUR + MINUTE - 1), 'five_hour');
    assert.equal(inTheWay(gate, undefined, NOW + HOUR + MINUTE), undefined);
  });

  it('closes for 4.5 hours without a believable reset', () => {
    const [block] = closed(fiveHour(null)).closures;
    assert.equal(block?.until, NOW + RULES.limitFallback);
  });

  it('is closed once by twelve attempts that hit the same limit', () => {
    let gate = OPEN_GATE;
    for (let run = 0; run < 12; run += 1) gate = closed(fiveHour(NOW + HOUR), gate, NOW + run);
    assert.equal(gate.closures.length, 1);
    assert.equal(gate.closures[0]?.since, NOW);
  });

  it('stays closed longer after a later reset, and never shorter', () => {
    const first = closed(fiveHour(NOW + HOUR));
    assert.equal(closed(fiveHour(NOW + 2 * HOUR), first).closures[0]?.until, NOW + 2 * HOUR);
    assert.equal(closed(fiveHour(NOW + MINUTE), first).closures[0]?.until, NOW + HOUR);
  });

  it('waits for the user if only the user can fix the cause', () => {
    const gate = closed({ kind: 'sign-in', resetAt: null, message: 'Not logged in' });
    assert.equal(inTheWay(gate, undefined, NOW + 1000 * HOUR), 'sign-in');
    assert.equal(inTheWay(reopenGate(gate), undefined, NOW), undefined);
  });

  it("is open for other models at one model's limit", () => {
    const gate = closed(OPUS);
    assert.equal(inTheWay(gate, 'claude-sonnet-5-5', NOW), undefined);
    assert.equal(inTheWay(gate, 'Opus', NOW), 'seven_day_opus');
    assert.equal(inTheWay(gate, 'default', NOW), undefined);
  });

  it('closes for tasks without a model if one of them hit the limit of a model', () => {
    const task = { queue: 'q', id: 1 };
    const met = applyReport(OPEN_GATE, { signal: OPUS, usage: [], task }, NOW, RULES);
    assert.equal(inTheWay(met, undefined, NOW), 'seven_day_opus');
    const named = applyReport(OPEN_GATE, { signal: OPUS, usage: [], task, model: 'opus' }, NOW, RULES);
    assert.equal(inTheWay(named, undefined, NOW), undefined);
    const both = applyReport(named, { signal: OPUS, usage: [], task }, NOW, RULES);
    assert.equal(inTheWay(both, undefined, NOW), 'seven_day_opus');
    assert.equal(both.closures.length, 1);
  });

  it("learns the account's default model from attempts of rows without a model", () => {
    const reported = { signal: null, usage: [], task: { queue: 'q', id: 1 } };
    const learnt = applyReport(OPEN_GATE, { ...reported, attemptModel: 'claude-opus-5-5' }, NOW, RULES);
    assert.equal(inTheWay(closed(OPUS, learnt), undefined, NOW), 'seven_day_opus');
    const other = applyReport(learnt, { ...reported, attemptModel: 'claude-sonnet-5-5' }, NOW, RULES);
    assert.equal(inTheWay(closed(OPUS, other), undefined, NOW), undefined);
    const named = { ...reported, model: 'opus', attemptModel: 'claude-opus-5-5' };
    assert.equal(applyReport(other, named, NOW, RULES).defaultModel, 'claude-sonnet-5-5');
  });

  it('closes for rows without a model if the default model cannot be used and their directory has no other', () => {
    const gone: LimitSignal = {
      kind: 'default-model',
      model: 'gone',
      resetAt: null,
      message: 'No such model',
    };
    const task = { queue: 'q', id: 1 };
    const good = { signal: null, usage: [], task, workingDir: '/good', attemptModel: 'claude-sonnet-5-5' };
    const known = applyReport(OPEN_GATE, good, NOW, RULES);
    const met = { signal: gone, usage: [], task, workingDir: '/bad', attemptModel: 'gone' };
    const gate = applyReport(known, met, NOW, RULES);
    const isHeld = (choice: ModelChoice): boolean =>
      findBlockFor(gate, choice, NOW + 1000 * HOUR, RULES) !== null;
    assert.deepEqual(
      ['/bad', '/new', '/good'].map((workingDir) => isHeld({ workingDir })),
      [true, true, false],
    );
    assert.ok(!isHeld({ workingDir: '/bad', model: 'opus' }));
    assert.ok(!isHeld({ workingDir: '/bad', model: 'gone' }), 'a row that names it fails by itself');
    assert.equal(findBlockForAll(gate, NOW, RULES), null);
  });

  it('learns the default of each directory, since a project may have its own', () => {
    const run = (workingDir: string, attemptModel: string) => ({
      ...{ signal: null, usage: [], task: { queue: 'q', id: 1 } },
      ...{ workingDir, attemptModel },
    });
    const plain = applyReport(OPEN_GATE, run('/plain', 'claude-sonnet-5-5'), NOW, RULES);
    const met = applyReport(plain, { ...run('/opus', 'claude-opus-5-5'), signal: OPUS }, NOW, RULES);
    const isHeld = (workingDir: string): boolean => findBlockFor(met, { workingDir }, NOW, RULES) !== null;
    assert.deepEqual(['/opus', '/plain', '/new'].map(isHeld), [true, false, false]);
    assert.ok(findBlockFor(met, { workingDir: '/plain', model: 'opus' }, NOW, RULES) !== null);
    const onlyOpus = applyReport(OPEN_GATE, { ...run('/opus', 'claude-opus-5-5'), signal: OPUS }, NOW, RULES);
    assert.ok(
      findBlockFor(onlyOpus, { workingDir: '/new' }, NOW, RULES) !== null,
      'no other default was seen yet',
    );
  });

  it('remembers a limited number of directories', () => {
    let gate = OPEN_GATE;
    for (let id = 1; id <= 300; id += 1) {
      const met = { signal: null, usage: [], task: { queue: 'q', id }, attemptModel: 'opus' };
      gate = applyReport(gate, { ...met, workingDir: `/place/${String(id)}` }, NOW, RULES);
    }
    const known = Object.keys(gate.defaultModels ?? {});
    assert.deepEqual([known.length, known.at(-1)], [200, '/place/300']);
  });

  it('is closed as long as its longest block', () => {
    const gate = closed(
      { kind: 'seven_day', resetAt: NOW + 50 * HOUR, message: '' },
      closed(fiveHour(NOW + HOUR)),
    );
    assert.equal(inTheWay(gate, undefined, NOW), 'seven_day');
  });

  it('drops a block a day after it ended', () => {
    const first = closed(fiveHour(NOW + HOUR));
    const weekly: LimitSignal = { kind: 'seven_day', resetAt: NOW + 60 * HOUR, message: '' };
    assert.equal(closed(weekly, first, NOW + 24 * HOUR).closures.length, 2);
    assert.equal(closed(weekly, first, NOW + 25 * HOUR).closures.length, 1);
  });

  it('keeps the newest fill level of each window', () => {
    const usage = (utilization: number) => [
      { window: 'five_hour', utilization, resetAt: NOW + HOUR } as const,
    ];
    const gate = recordUsage(recordUsage(OPEN_GATE, usage(0.2), NOW), usage(0.9), NOW + MINUTE);
    assert.deepEqual(gate.usage, [{ ...usage(0.9)[0], asOf: NOW + MINUTE }]);
  });

  it('accepts a reset from half an hour ago up to eight days ahead, and that of used-up credits up to 32', () => {
    const day = 24 * HOUR;
    const isSane = (at: number, kind: LimitKind = 'five_hour'): boolean => saneReset(kind, at, NOW) === at;
    assert.ok(isSane(NOW - 30 * MINUTE));
    assert.ok(!isSane(NOW - 30 * MINUTE - 1));
    assert.ok(isSane(NOW + 8 * day));
    assert.ok(!isSane(NOW + 8 * day + 1));
    assert.ok(isSane(NOW + 32 * day, 'overage'));
    assert.ok(!isSane(NOW + 32 * day + 1, 'overage'));
    assert.equal(saneReset('five_hour', null, NOW), null);
  });

  it('starts a new block after the old one has ended', () => {
    const gate = closed(fiveHour(NOW + 3 * HOUR), closed(fiveHour(NOW + HOUR)), NOW + 2 * HOUR);
    assert.deepEqual(
      gate.closures.map(({ since }) => since),
      [NOW + 2 * HOUR],
    );
  });
});
