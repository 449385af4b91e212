import assert from 'node:assert/strict';
import { closedGateFor, findBlockFor, openEarly } from '../../../../src/domain/gate/gateOpening';
import { dropVoidProbes, type IsAlive } from '../../../../src/domain/gate/probe';
import type { LimitSignal } from '../../../../src/domain/gate/gate';
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

  it('lets exactly one task probe', () => {
    assert.ok(gate.isOpenFor());
    assert.deepEqual(
      [1, 2, 3].map((id) => gate.admits(id)),
      [true, false, false],
    );
    assert.ok(!gate.isOpenFor());
    assert.equal(findBlockFor(gate.view, {}, gate.now, RULES)?.until, OPENS + 10 * MINUTE);
  });

  it('starts the others one after another for five minutes once the probe was accepted', () => {
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

  it('closes again with the same block if the probe hits the limit again', () => {
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

  it('closes with a new block if an attempt was accepted before', () => {
    gate.admits(2);
    gate.pass(2);
    gate.now += MINUTE;
    gate.meet(2, { ...LIMIT, resetAt: OPENS + HOUR });
    assert.equal(gate.view.closures[0]?.since, gate.now);
  });

  it('lets another task probe if the first ended without a result, died, or reports nothing for ten minutes', () => {
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

  it('waits for a probe whose worker died as long as its attempt runs', () => {
    gate.admits(1);
    const run = { pid: 99, startedAt: 'start-99' };
    gate.meet(1, null, { startedProcess: run });
    gate.view = dropVoidProbes(gate.view, gate.now, ({ pid }) => pid === 99);
    assert.ok(!gate.admits(2));
    gate.view = dropVoidProbes(gate.view, gate.now, () => false);
    assert.ok(gate.admits(2));
  });

  it('has a probe of another machine, which this machine cannot call dead', () => {
    gate.admits(1, undefined, 'elsewhere');
    const isAlive: IsAlive = (_process, machine) => machine === 'elsewhere';
    gate.view = dropVoidProbes(gate.view, gate.now, isAlive);
    assert.ok(!gate.admits(2));
    gate.now += 10 * MINUTE;
    gate.view = dropVoidProbes(gate.view, gate.now, isAlive);
    assert.ok(gate.admits(2), 'timed out');
  });

  it('keeps its probe when a worker of the same name on another machine ends the task', () => {
    gate.admits(1, undefined, 'here');
    gate.meet(1, null, { machine: 'elsewhere' });
    assert.ok(!gate.admits(2));
    gate.meet(1, null, { machine: 'here' });
    assert.ok(gate.admits(2));
  });

  it('is not opened by the end of an attempt without an accepted request', () => {
    gate.admits(1);
    gate.meet(1, null, { passed: false });
    assert.equal(gate.phase, 'half-open');
    assert.ok(gate.admits(2));
  });

  it('does not wait for the probe after another attempt shows that it is open', () => {
    gate.admits(1);
    gate.pass(7);
    assert.equal(gate.phase, 'staggered');
  });

  it('is not opened by results from while it was closed', () => {
    gate.now = RESET;
    gate.pass(7);
    assert.equal(gate.phase, 'closed');
  });

  it('for one model lets one task of that model probe, and starts all others', () => {
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

describe('A gate when the clock was set', () => {
  it('back does not wait for attempts of the future: one task probes', () => {
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

  it('back during a probe or staggered starts blocks nothing', () => {
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

describe('A gate that the user probes', () => {
  it('is half-open before its reset, and closed again if the probe hits the limit', () => {
    const gate = new Gate();
    gate.meet(1, LIMIT);
    gate.view = openEarly(gate.view, gate.now, RULES);
    assert.deepEqual([gate.admits(2), gate.admits(3)], [true, false]);
    gate.meet(2, LIMIT);
    assert.deepEqual([gate.phase, gate.view.closures.length], ['closed', 1]);
    assert.equal(gate.view.closures[0]?.since, NOW);
  });

  it('is open for all, one after another, if the probe is accepted', () => {
    const gate = new Gate();
    gate.meet(1, { kind: 'sign-in', resetAt: null, message: 'Please run /login' });
    gate.now += HOUR;
    gate.view = openEarly(gate.view, gate.now, RULES);
    gate.admits(2);
    gate.pass(2);
    assert.equal(gate.phase, 'staggered');
    gate.now += 10 * MINUTE;
    assert.equal(gate.phase, 'open');
  });

  it('drops its block a day after the probe was accepted, also one that needs the user', () => {
    const gate = new Gate();
    gate.meet(1, { kind: 'sign-in', resetAt: null, message: 'Please run /login' });
    gate.view = openEarly(gate.view, gate.now, RULES);
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

  it('is closed again until its reset if the probe ends without a request', () => {
    const gate = new Gate();
    gate.meet(1, LIMIT);
    gate.meet(1, { kind: 'sign-in', resetAt: null, message: 'Please run /login' });
    gate.view = openEarly(gate.view, gate.now, RULES);
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

  it('needs the user again if the cause was not fixed', () => {
    const gate = new Gate();
    const signal: LimitSignal = { kind: 'billing', resetAt: null, message: 'Credit balance is too low' };
    gate.meet(1, signal);
    gate.view = openEarly(gate.view, gate.now, RULES);
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

  it('starts with a short break again after an accepted attempt', () => {
    const gate = new Gate();
    for (let round = 0; round < 3; round += 1) {
      gate.meet(1, offline);
      gate.now += breakOf(gate) * MINUTE;
    }
    gate.pass(1);
    gate.meet(2, offline);
    assert.equal(breakOf(gate), 1);
  });

  it('does not wait longer because many attempts end at once', () => {
    const gate = new Gate();
    for (let id = 0; id < 12; id += 1) gate.meet(id, offline);
    assert.equal(breakOf(gate), 1);
  });

  it('opens as soon as any attempt is accepted', () => {
    const gate = new Gate();
    gate.meet(1, { ...offline, kind: 'throttle' });
    gate.pass(2);
    assert.equal(gate.phase, 'staggered');
  });

  it('closes for an overload that two attempts hit, also of one task, and for no single one', () => {
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

  it('drops an overload after an accepted attempt, or half an hour later', () => {
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

describe('The end of an attempt', () => {
  const closed = (signal: LimitSignal | undefined, gate: Gate): object =>
    closedGateFor(gate.view, signal, gate.now, RULES);

  it('knows until when the gate is closed for its limit, also if it reported no reset', () => {
    const gate = new Gate();
    const noReset = { ...LIMIT, resetAt: null };
    gate.meet(1, noReset);
    assert.deepEqual(closed(noReset, gate), { isGateClosed: true, closedUntil: NOW + 4.5 * HOUR });
  });

  it('knows no time if only the user opens the gate', () => {
    const gate = new Gate();
    const billing: LimitSignal = { kind: 'billing', resetAt: null, message: 'no credit' };
    gate.meet(1, billing);
    assert.deepEqual(closed(billing, gate), { isGateClosed: true });
  });

  it('finds the gate open if it reported no limit, or one that does not close the gate', () => {
    const gate = new Gate();
    gate.meet(1, LIMIT);
    assert.deepEqual(closed(undefined, gate), { isGateClosed: false });
    assert.deepEqual(closed(OPUS, gate), { isGateClosed: false });
  });
});
