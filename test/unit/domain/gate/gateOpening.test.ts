import assert from 'node:assert/strict';
import { findBlockFor, dropVoidProbes, probeGate } from '../../../../src/domain/gate/gateOpening';
import type { LimitSignal } from '../../../../src/domain/gate/limits';
import { Gate, HOUR, LIMIT, MINUTE, NOW, OPENS, RESET, RULES, SECOND } from '../metGate';

const OPUS: LimitSignal = { ...LIMIT, kind: 'seven_day_opus', model: 'opus' };

describe('A gate after the reset', () => {
  let gate: Gate;
  beforeEach(() => {
    gate = new Gate();
    gate.meet(1, LIMIT);
    assert.equal(gate.phase, 'closed');
    gate.now = OPENS;
  });

  it('lets one task go first, and only one of all that ask', () => {
    assert.ok(gate.isOpenFor());
    assert.deepEqual(
      [1, 2, 3].map((id) => gate.admits(id)),
      [true, false, false],
    );
    assert.ok(!gate.isOpenFor());
    assert.equal(findBlockFor(gate.view, {}, gate.now, RULES)?.until, OPENS + 10 * MINUTE);
  });

  it('lets the others follow one after another as soon as that one is let through, for five minutes', () => {
    gate.admits(1);
    gate.now += 2 * SECOND;
    gate.pass(1);
    assert.equal(gate.phase, 'staggered');
    assert.ok(!gate.admits(2));
    gate.now = OPENS + 15 * SECOND;
    assert.deepEqual(
      [2, 3].map((id) => gate.admits(id)),
      [true, false],
    );
    gate.now += 15 * SECOND;
    assert.ok(gate.admits(3));
    gate.now = OPENS + 2 * SECOND + 5 * MINUTE;
    assert.equal(gate.phase, 'open');
    assert.deepEqual(
      [4, 5].map((id) => gate.admits(id)),
      [true, true],
    );
  });

  it('closes again where the one that goes first meets the limit again, and is the same closing', () => {
    gate.admits(2);
    gate.meet(2, { ...LIMIT, resetAt: OPENS + HOUR });
    assert.equal(gate.phase, 'closed');
    assert.equal(gate.view.closures.length, 1);
    assert.equal(gate.view.closures[0]?.since, NOW);
    assert.equal(gate.view.closures[0].until, OPENS + HOUR);
    gate.now = OPENS + HOUR + MINUTE;
    assert.deepEqual(
      [3, 4].map((id) => gate.admits(id)),
      [true, false],
    );
  });

  it('is another closing where somebody was let through before', () => {
    gate.admits(2);
    gate.pass(2);
    gate.now += MINUTE;
    gate.meet(2, { ...LIMIT, resetAt: OPENS + HOUR });
    assert.equal(gate.view.closures[0]?.since, gate.now);
  });

  it('lets the next one go first where the first came to nothing, died, or says nothing for ten minutes', () => {
    gate.admits(1);
    gate.meet(1, null);
    assert.ok(gate.admits(2), 'came to nothing');
    gate.view = dropVoidProbes(gate.view, gate.now, ({ pid }) => pid !== 2);
    assert.ok(gate.admits(3), 'died');
    gate.view = dropVoidProbes(gate.view, gate.now, () => true);
    assert.ok(!gate.admits(4));
    gate.now += 10 * MINUTE;
    assert.ok(gate.admits(4), 'said nothing');
  });

  it('waits for the run that went first although its worker has died, as long as that run lives', () => {
    gate.admits(1);
    const run = { pid: 99, startedAt: 'start-99' };
    gate.meet(1, null, { startedProcess: run });
    gate.view = dropVoidProbes(gate.view, gate.now, ({ pid }) => pid === 99);
    assert.ok(!gate.admits(2));
    gate.view = dropVoidProbes(gate.view, gate.now, () => false);
    assert.ok(gate.admits(2));
  });

  it('is not opened by a run that only ends, without a sign that a request of it was let through now', () => {
    gate.admits(1);
    gate.meet(1, null, { passed: false });
    assert.equal(gate.phase, 'half-open');
    assert.ok(gate.admits(2));
  });

  it('does not wait for who went first after that where another run shows that it is open', () => {
    gate.admits(1);
    gate.pass(7);
    assert.equal(gate.phase, 'staggered');
  });

  it('is not opened by what a run meets while it is closed', () => {
    gate.now = RESET;
    gate.pass(7);
    assert.equal(gate.phase, 'closed');
  });

  it('that only a model had closed lets one task of that model go first, and all others go', () => {
    gate = new Gate();
    gate.meet(1, OPUS, { model: 'opus' });
    gate.now = OPENS;
    assert.deepEqual(
      [gate.admits(1, 'opus'), gate.admits(2, 'opus'), gate.admits(3, 'sonnet')],
      [true, false, true],
    );
    gate.pass(3, { model: 'sonnet' });
    assert.equal(gate.phase, 'half-open');
    gate.pass(1, { model: 'opus' });
    assert.equal(gate.phase, 'staggered');
  });
});

describe('A gate at a time when the clock was set', () => {
  it('back does not stay closed for what started in the future: one task goes first', () => {
    const gate = new Gate();
    gate.meet(1, { ...LIMIT, resetAt: null });
    gate.now = NOW - 6 * HOUR;
    assert.equal(gate.phase, 'half-open');
    assert.deepEqual(
      [1, 2].map((id) => gate.admits(id)),
      [true, false],
    );
    gate.meet(1, { ...LIMIT, resetAt: gate.now + HOUR });
    assert.deepEqual([gate.phase, gate.view.closures[0]?.until], ['closed', gate.now + HOUR]);
    gate.now += HOUR + MINUTE;
    assert.ok(gate.admits(1));
  });

  it('back while one goes first, or while runs start one after another, keeps nobody waiting', () => {
    const gate = new Gate();
    gate.meet(1, LIMIT);
    gate.now = OPENS + 3 * HOUR;
    gate.admits(1);
    gate.now = OPENS;
    assert.ok(gate.admits(2));
    gate.now = OPENS + 3 * HOUR;
    gate.pass(2);
    gate.now = OPENS;
    assert.deepEqual(
      [3, 4].map((id) => gate.admits(id)),
      [true, true],
    );
  });
});

describe('A gate that the user lets one task try', () => {
  it('is half-open before its reset, and closed again where that task meets the limit', () => {
    const gate = new Gate();
    gate.meet(1, LIMIT);
    gate.view = probeGate(gate.view, gate.now, RULES);
    assert.deepEqual([gate.admits(2), gate.admits(3)], [true, false]);
    gate.meet(2, LIMIT);
    assert.deepEqual([gate.phase, gate.view.closures.length], ['closed', 1]);
    assert.equal(gate.view.closures[0]?.since, NOW);
  });

  it('is open for all, one after another, where it is let through', () => {
    const gate = new Gate();
    gate.meet(1, { kind: 'sign-in', resetAt: null, message: 'Please run /login' });
    gate.now += HOUR;
    gate.view = probeGate(gate.view, gate.now, RULES);
    gate.admits(2);
    gate.pass(2);
    assert.equal(gate.phase, 'staggered');
    gate.now += 10 * MINUTE;
    assert.equal(gate.phase, 'open');
  });

  it('is forgotten a day after it was let through, though only the user could end it', () => {
    const gate = new Gate();
    gate.meet(1, { kind: 'sign-in', resetAt: null, message: 'Please run /login' });
    gate.view = probeGate(gate.view, gate.now, RULES);
    gate.admits(2);
    gate.pass(2);
    const kindsAfter = (hours: number): string[] => {
      gate.now += hours * HOUR;
      gate.meet(3, { ...LIMIT, resetAt: gate.now + HOUR });
      return gate.view.closures.map(({ kind }) => kind);
    };
    assert.deepEqual(kindsAfter(23), ['sign-in', 'five_hour']);
    assert.deepEqual(kindsAfter(2), ['five_hour']);
  });

  it('is closed again until its time where that one ends and asked for nothing', () => {
    const gate = new Gate();
    gate.meet(1, LIMIT);
    gate.meet(1, { kind: 'sign-in', resetAt: null, message: 'Please run /login' });
    gate.view = probeGate(gate.view, gate.now, RULES);
    gate.admits(2);
    gate.meet(2, null);
    assert.ok(gate.isOpenFor(), 'it was given back unrun: another one may try');
    gate.admits(3);
    gate.meet(3, null, { passed: false });
    assert.deepEqual(
      gate.view.closures.map(({ until }) => until),
      [RESET, null],
    );
    assert.ok(!gate.isOpenFor());
  });

  it('asks for the user again where what was to be fixed is not', () => {
    const gate = new Gate();
    const signal: LimitSignal = { kind: 'billing', resetAt: null, message: 'Credit balance is too low' };
    gate.meet(1, signal);
    gate.view = probeGate(gate.view, gate.now, RULES);
    gate.admits(2);
    gate.meet(2, signal);
    assert.deepEqual([gate.phase, gate.view.closures[0]?.until], ['closed', null]);
  });
});

describe('A gate while the API cannot be used', () => {
  const offline: LimitSignal = { kind: 'offline', resetAt: null, message: 'Connection refused' };
  const overload: LimitSignal = { kind: 'overload', resetAt: null, message: '529 Overloaded' };

  /** The whole minutes until a task may start. */
  function breakOf(gate: Gate): number {
    const until = findBlockFor(gate.view, {}, gate.now, RULES)?.until ?? gate.now;
    return (until - gate.now) / MINUTE;
  }

  it('tries again after 1, 2, 5 and then every 15 minutes, with one task', () => {
    const gate = new Gate();
    const breaks: number[] = [];
    gate.meet(1, offline);
    for (let round = 0; round < 6; round += 1) {
      breaks.push(breakOf(gate));
      gate.now += breakOf(gate) * MINUTE;
      assert.deepEqual([gate.admits(1), gate.admits(2)], [true, false]);
      gate.now += 8 * SECOND;
      gate.meet(1, offline);
    }
    assert.deepEqual(breaks, [1, 2, 5, 15, 15, 15]);
    assert.equal(gate.view.closures.length, 1);
    assert.equal(gate.view.closures[0]?.since, NOW);
  });

  it('starts with a short break again after somebody was let through', () => {
    const gate = new Gate();
    for (let round = 0; round < 3; round += 1) {
      gate.meet(1, offline);
      gate.now += breakOf(gate) * MINUTE;
    }
    gate.pass(1);
    gate.meet(2, offline);
    assert.equal(breakOf(gate), 1);
  });

  it('does not wait longer because many runs end at once', () => {
    const gate = new Gate();
    for (let id = 0; id < 12; id += 1) gate.meet(id, offline);
    assert.equal(breakOf(gate), 1);
  });

  it('opens as soon as any run is let through', () => {
    const gate = new Gate();
    gate.meet(1, { ...offline, kind: 'throttle' });
    gate.pass(2);
    assert.equal(gate.phase, 'staggered');
  });

  it('closes for an overload that two runs meet, be they of one task, and for no single one', () => {
    const single = new Gate();
    single.meet(1, overload);
    assert.ok(single.isOpenFor());
    single.meet(1, overload);
    assert.equal(breakOf(single), 1);
    const gate = new Gate();
    gate.meet(1, overload);
    gate.meet(2, overload);
    assert.equal(breakOf(gate), 1);
    gate.now += MINUTE;
    gate.admits(2);
    gate.meet(2, overload);
    assert.equal(breakOf(gate), 2);
  });

  it('forgets an overload when somebody is let through, or half an hour later', () => {
    const gate = new Gate();
    gate.meet(1, overload);
    gate.pass(3);
    gate.meet(2, overload);
    assert.ok(gate.isOpenFor());
    gate.now += 31 * MINUTE;
    gate.meet(1, overload);
    assert.ok(gate.isOpenFor());
  });
});
