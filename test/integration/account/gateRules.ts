import assert from 'node:assert/strict';
import { createGate, type Gate, type GateStore } from '../../../src/account/gate';
import { findBlockFor, type GateRules } from '../../../src/domain/gate/gateOpening';
import type { LimitSignal } from '../../../src/domain/gate/gate';
import { defaults } from '../../../src/domain/settings/settings';

export const HOUR_MS = 3_600_000;
export const NOW = Date.parse('2026-11-20T19:40:00Z');
export const RESET = Date.parse('2026-11-20T22:10:00Z');
export const LIMIT: LimitSignal = {
  kind: 'five_hour',
  resetAt: RESET,
  message: "You've hit your session limit",
};

const TRIAL = {
  task: { queue: '/q', id: 1 },
  worker: '1',
  process: { pid: 1, startedAt: 'then' },
  at: NOW,
};

/** A place of gates, anew for each test. The text is that of the account `abc`. */
export interface GateGround {
  open(account: string): GateStore;
  put(text: string): void | Promise<void>;
  get(): string | Promise<string>;
  /** Returns something that is another one after each write. */
  lastWrite(): unknown;
  /** Whether an empty text is another thing than none. */
  readonly hasEmpty: boolean;
}

/** Defines the tests that a gate passes wherever it is kept. */
export function exerciseGate(name: string, createGround: () => GateGround): void {
  describe(name, () => {
    let ground: GateGround;
    let now: number;

    beforeEach(() => {
      ground = createGround();
      now = NOW;
    });

    function open(account = 'abc', limitFallbackMs = 4.5 * HOUR_MS): Gate {
      const rules = (): GateRules => ({ ...defaults, limitFallback: limitFallbackMs });
      const store = ground.open(account);
      return createGate({ store, clock: { now: () => now }, rules, isAlive: () => true });
    }

    it('is closed once by twelve attempts that hit one limit', async () => {
      const gates = Array.from({ length: 12 }, () => open());
      await Promise.all(gates.map((gate) => gate.report({ signal: LIMIT, usage: [] })));
      now += 60_000;
      const gate = await open().report({ signal: LIMIT, usage: [] });
      assert.deepEqual(gate.closures, [
        { kind: 'five_hour', since: NOW, until: RESET, message: "You've hit your session limit" },
      ]);
    });

    it('stays closed longer after a longer limit, and no shorter after a shorter one', async () => {
      await open().report({ signal: LIMIT, usage: [] });
      now += 60_000;
      await open().report({ signal: { ...LIMIT, resetAt: RESET - HOUR_MS }, usage: [] });
      assert.equal((await open().view()).closures[0]?.until, RESET);
      const { closures } = await open().report({ signal: { ...LIMIT, resetAt: RESET + HOUR_MS }, usage: [] });
      assert.deepEqual(
        closures.map(({ since, until }) => [since, until]),
        [[NOW + 60_000, RESET + HOUR_MS]],
      );
    });

    it('is closed for the fallback time if no believable reset is reported', async () => {
      await open('none', HOUR_MS).report({ signal: { ...LIMIT, resetAt: null }, usage: [] });
      await open('past', HOUR_MS).report({ signal: { ...LIMIT, resetAt: NOW - 10 * HOUR_MS }, usage: [] });
      for (const account of ['none', 'past']) {
        assert.equal((await open(account).view()).closures[0]?.until, NOW + HOUR_MS, account);
      }
    });

    it('closes again at the next limit after the first one', async () => {
      await open().report({ signal: LIMIT, usage: [] });
      now = RESET + HOUR_MS;
      const { closures } = await open().report({
        signal: { ...LIMIT, resetAt: RESET + 6 * HOUR_MS },
        usage: [],
      });
      assert.deepEqual(
        closures.map(({ since }) => since),
        [RESET + HOUR_MS],
      );
    });

    it('can be closed for one model alone', async () => {
      const signal: LimitSignal = { ...LIMIT, kind: 'seven_day_opus', model: 'opus' };
      const gate = await open().report({ signal, usage: [] });
      assert.equal(
        findBlockFor(gate, { model: 'claude-opus-4-1' }, NOW, defaults)?.block.kind,
        'seven_day_opus',
      );
      assert.equal(findBlockFor(gate, { model: 'sonnet' }, NOW, defaults), null);
      const both = await open().report({ signal: LIMIT, usage: [] });
      assert.equal(findBlockFor(both, { model: 'sonnet' }, NOW, defaults)?.block.kind, 'five_hour');
    });

    it('stays closed until the user acts if only the user can fix the cause', async () => {
      await open().report({
        signal: { kind: 'sign-in', resetAt: null, message: 'Please run /login' },
        usage: [],
      });
      now += 100 * HOUR_MS;
      assert.equal(findBlockFor(await open().view(), {}, now, defaults)?.block.kind, 'sign-in');
      await open().reopen();
      assert.deepEqual((await open().view()).closures, []);
    });

    it('keeps the newest fill level of each window, also when it is reopened', async () => {
      await open().report({
        signal: null,
        usage: [{ window: 'five_hour', utilization: 0.2, resetAt: RESET }],
      });
      now += 60_000;
      const usage = [
        { window: 'five_hour', utilization: 1, resetAt: RESET },
        { window: 'seven_day', utilization: 0.5, resetAt: RESET + 48 * HOUR_MS },
      ] as const;
      await open().report({ signal: LIMIT, usage });
      await open().reopen();
      assert.deepEqual(await open().view(), {
        closures: [],
        openedBefore: RESET,
        usage: [
          { window: 'five_hour', utilization: 1, resetAt: RESET, asOf: now },
          { window: 'seven_day', utilization: 0.5, resetAt: RESET + 48 * HOUR_MS, asOf: now },
        ],
      });
    });

    it('is shared by all queues of the account, and by no other account', async () => {
      await open('first').report({ signal: LIMIT, usage: [] });
      assert.equal((await open('first').view()).closures.length, 1);
      assert.equal((await open('second').view()).closures.length, 0);
    });

    it('is read from the format of the first version', async () => {
      await open().report({
        signal: null,
        usage: [{ window: 'five_hour', utilization: 0.2, resetAt: RESET }],
      });
      const block = { kind: 'five_hour', since: NOW - HOUR_MS, until: RESET, message: 'limit' };
      await ground.put(JSON.stringify({ version: 1, value: { closures: [block], usage: [] } }));
      const gate = open();
      assert.equal(findBlockFor(await gate.view(), {}, now, defaults)?.phase.kind, 'closed');
      now = RESET + 60_000;
      const starter = { task: { queue: 'q', id: 1 }, worker: '1', process: { pid: 1, startedAt: 'then' } };
      assert.ok(await gate.admit(starter));
      assert.ok(!(await gate.admit({ ...starter, task: { queue: 'q', id: 2 } })));
      assert.equal((await gate.report({ ...starter, signal: LIMIT, usage: [] })).closures.length, 1);
    });

    it('is not written if nothing changed', async () => {
      await open().reopen();
      await open().report({ signal: LIMIT, usage: [] });
      const before = await ground.lastWrite();
      await open().report({ signal: LIMIT, usage: [] });
      const { task, worker, process } = TRIAL;
      assert.equal(await open().admit({ task, worker, process }), false);
      assert.equal(await ground.lastWrite(), before);
    });

    it('of a newer version is not touched', async () => {
      await open().report({ signal: LIMIT, usage: [] });
      const newer = JSON.stringify({ version: 2, value: { closures: 'another way' } });
      await ground.put(newer);
      await assert.rejects(open().view(), { reason: 'state-newer' });
      await assert.rejects(open().report({ signal: LIMIT, usage: [] }), { reason: 'state-newer' });
      assert.equal(await ground.get(), newer);
    });

    it('with a block of an unknown kind is still obeyed', async () => {
      await open().report({ signal: LIMIT, usage: [] });
      const newer = (await ground.get()).replace('five_hour', 'lunch');
      await ground.put(newer);
      await assert.rejects(open().view(), { reason: 'state-newer' });
      assert.equal(await ground.get(), newer);
    });

    it('that is damaged is reported with its place and a remedy', async () => {
      await open().report({ signal: LIMIT, usage: [] });
      for (const text of [
        ...(ground.hasEmpty ? [''] : []),
        '{"version":',
        'null',
        '7',
        '{}',
        '{"version":1}',
        '{"version":"1","value":{}}',
        '{"version":1,"value":null}',
        '{"version":1,"value":{}}',
        '{"version":1,"value":{"closures":{},"usage":[]}}',
        '{"version":1,"value":{"closures":[null],"usage":[]}}',
        '{"version":1,"value":{"closures":[{"kind":"five_hour","since":"now"}],"usage":[]}}',
        '{"version":1,"value":{"closures":[],"usage":[{"window":"five_hour"}]}}',
        '{"version":1,"value":{"closures":[],"usage":[],"defaultModels":{"/p":7}}}',
        ...[
          { since: 1e300 },
          { until: -1e300 },
          { machine: 7 },
          { guessed: 'yes' },
          { ofDefault: 1 },
          { probed: null },
          { trial: { ...TRIAL, run: {} } },
        ].map((more) => {
          const block = { kind: 'five_hour', since: NOW, until: RESET, message: 'limit', ...more };
          return JSON.stringify({ version: 1, value: { closures: [block], usage: [] } });
        }),
      ]) {
        await ground.put(text);
        await assert.rejects(open().view(), (error: Error) => {
          assert.match(error.message, /abc\S* .*was not written by this program\. Remove it/, text);
          return 'reason' in error && error.reason === 'state-damaged';
        });
      }
    });
  });
}
