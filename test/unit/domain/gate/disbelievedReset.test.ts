import assert from 'node:assert/strict';
import { isResettable } from '../../../../src/domain/reasons/reason';
import { findBlockFor, phaseOf } from '../../../../src/domain/gate/gateOpening';
import { applyReport } from '../../../../src/domain/gate/gateReport';
import { OPEN_GATE, type GateBlock } from '../../../../src/domain/gate/gate';
import { paint } from '../../../support/queue/viewModels';
import { HOUR, MINUTE, NOW, RULES } from '../metGate';

const DAY = 24 * HOUR;
const block = (kind: GateBlock['kind'], until: number, more: Partial<GateBlock> = {}): GateBlock => ({
  ...{ kind, since: NOW - HOUR, until, message: 'limit' },
  ...more,
});
const phase = (one: GateBlock): string => phaseOf(one, NOW, RULES).kind;

describe('A gate that is closed for longer than its limit can last', () => {
  it('lets one task probe instead of waiting', () => {
    assert.equal(phase(block('five_hour', NOW + 5 * HOUR)), 'closed');
    assert.equal(phase(block('five_hour', NOW + 7 * HOUR)), 'half-open');
    assert.equal(phase(block('seven_day', NOW + 7 * DAY)), 'closed');
    assert.equal(phase(block('seven_day_opus', NOW + 9 * DAY)), 'half-open');
    assert.equal(phase(block('offline', NOW + HOUR)), 'half-open');
    assert.equal(phase(block('five_hour', NOW + 4.5 * HOUR, { guessed: true })), 'closed');
    assert.equal(phase(block('five_hour', NOW + 5 * HOUR, { guessed: true })), 'half-open');
    assert.equal(phase(block('sign-in', NOW, { until: null })), 'closed');
  });

  it('is closed for a guessed time if an attempt reports such a reset', () => {
    const signal = { kind: 'five_hour', resetAt: NOW + 3 * DAY, message: 'limit' } as const;
    const [closed] = applyReport(OPEN_GATE, { signal, usage: [] }, NOW, RULES).closures;
    assert.deepEqual([closed?.until, closed?.guessed], [NOW + RULES.limitFallback, true]);
  });

  it('is closed again, but not for that long, if the probe meets its limit', () => {
    const gate = { ...OPEN_GATE, closures: [block('five_hour', NOW + 7 * HOUR, { again: 1 })] };
    const signal = { kind: 'five_hour', resetAt: NOW + MINUTE / 2, message: 'limit' } as const;
    const [closed] = applyReport(gate, { signal, usage: [] }, NOW, RULES).closures;
    assert.ok(closed !== undefined);
    assert.deepEqual([phase(closed), closed.until], ['closed', NOW + MINUTE]);
  });

  it('is shown so, and the task that hit the limit is ready to probe', () => {
    const until = Date.parse('2026-11-20T18:00:00Z') + 300 * DAY;
    const row = { state: { dueAt: until, dueCause: 'limit' } } as const;
    const viewModel = paint([row, {}], { block: { until } });
    assert.deepEqual(
      viewModel.tasks.map(({ reason }) => reason.state),
      ['ready', 'ready'],
    );
    assert.match(
      viewModel.gateSummary?.text ?? '',
      /^5-hour usage window used up until 2027-09-16 18:00, which is later than the limit can last; trying now: probing with one task$/,
    );
  });
});

describe('The reason of a closed 5-hour gate', () => {
  it('names neither a command nor a button, and has whether the user can reset it', () => {
    const reasonOf = (more: Partial<GateBlock>): unknown[] => {
      const until = Date.parse('2026-11-20T20:00:00Z');
      const [shown] = paint([{}], { block: { until, ...more } }).tasks;
      return shown === undefined ? [] : [shown.reason.text, isResettable(shown.reason)];
    };
    const text = '5-hour usage window used up, resets 20:00';
    assert.deepEqual(reasonOf({}), [text, false]);
    assert.deepEqual(reasonOf({ resettable: true }), [text, true]);
  });

  it('has the next try instead of a reset that has passed', () => {
    const until = Date.parse('2026-11-20T18:00:00Z') - 30_000;
    const [shown] = paint([{}], { block: { until } }).tasks;
    assert.equal(shown?.reason.text, '5-hour usage window has reset, next try 18:00:30');
  });

  it('is the same when the limit is hit again', () => {
    const signal = { kind: 'five_hour', resetAt: NOW + HOUR, message: 'limit', resettable: true } as const;
    const once = applyReport(OPEN_GATE, { signal, usage: [] }, NOW, RULES);
    const later = { ...signal, resetAt: NOW + 2 * HOUR };
    const twice = applyReport(once, { signal: later, usage: [] }, NOW + MINUTE, RULES);
    assert.equal(twice.closures[0]?.resettable, true);
    assert.ok(findBlockFor(twice, {}, NOW + MINUTE, RULES) !== null);
  });
});
