import assert from 'node:assert/strict';
import { explain } from '../../../../../src/domain/reasons/explain';
import type { Reason } from '../../../../../src/domain/reasons/reason';
import { createWorld } from '../../../../../src/domain/reasons/world';
import { OPEN_GATE, type GateView } from '../../../../../src/domain/gate/gate';
import { defaults } from '../../../../../src/domain/settings/settings';
import { approvable, approvalOf } from '../../../../../src/domain/task/approval';
import type { Definition, TaskId } from '../../../../../src/domain/task/task';
import type { QueueEvent } from '../../../../../src/queue/model/events';
import { lookBack } from '../../../../../src/queue/model/replay/lookBack';
import { replay } from '../../../../../src/queue/model/replay/replay';
import type { Past } from '../../../../../src/queue/model/replay/pastQueue';
import { checkRows } from '../../../../../src/queue/model/rows';
import { emptyState } from '../../../../../src/queue/model/state/queueState';
import { Step } from '../../../../../src/queue/model/step';
import { claimNext } from '../../../../../src/queue/model/steps';
import type { ClaimRequest } from '../../../../../src/queue/taskQueue';
import { define, workerOf } from '../../../../conformance/harness';
import { WHOLE } from '../../../../support/queue/wholeRows';

const NOW = Date.parse('2026-03-02T10:00:00Z');
const NOTHING_APPROVED = { trusted: false, approvals: new Set<string>() };

/** A request of `next`: no gate and no approval keeps the user from a task. */
const BY_HAND: Partial<ClaimRequest> = {
  owner: { kind: 'person', machine: 'here' },
  gate: OPEN_GATE,
  approvedRows: { trusted: true, approvals: new Set() },
  override: { unattendedRules: true },
};

/** A queue of these rows, from its start. */
class Scene {
  private readonly state = emptyState();
  readonly events: QueueEvent[] = [];
  private now = NOW;

  constructor(private readonly definitions: readonly Definition[]) {
    const rows = definitions.map(({ id }) => ({ id, power: 'power', status: 'pending' as const }));
    this.step((step) => step.record({ kind: 'seen', rows }));
  }

  /** Asks for a task, a minute after what was before. Returns its id; null: there is none. */
  ask(more: Partial<ClaimRequest>): TaskId | null {
    return this.step((step) => {
      const request = {
        ...{ owner: workerOf(1), since: NOW, gate: OPEN_GATE, approvedRows: NOTHING_APPROVED },
        ...{ settings: defaults, timeZone: 'UTC', freshSession: 'session', ...more },
      };
      const answer = claimNext(step, request, 'mark');
      return answer.kind === 'claimed' ? answer.claim.id : null;
    });
  }

  /** Returns the gate that was recorded last. */
  gate(): GateView | undefined {
    return this.state.inputs?.asked.gate;
  }

  // A past is read asynchronously.
  // eslint-disable-next-line @typescript-eslint/require-await
  async *past(): Past {
    yield { state: null, events: this.events };
  }

  /** Returns how `why --at` shows a task now. */
  async why(id: TaskId): Promise<string> {
    const reason = await this.reason(id);
    return typeof reason === 'string' ? reason : reason.state;
  }

  /** Returns what `why --at` would show of a task now; a text: that is not known. */
  async reason(id: TaskId): Promise<Reason | string> {
    const moment = await lookBack(this.past(), this.now);
    if (moment.kind !== 'known') return moment.kind;
    const world = createWorld({ ...moment.around, queue: moment.snapshot });
    const task = world.byId.get(id);
    assert.ok(task !== undefined);
    return explain(task, world);
  }

  private step<T>(work: (step: Step) => T): T {
    this.now += 60_000;
    const where = { kind: 'file', line: 1, column: 1 } as const;
    const rows = this.definitions.map((definition) => ({ definition, power: 'power', where }));
    const step = new Step(this.state, checkRows(rows, [], WHOLE), this.now);
    const result = work(step);
    this.events.push(...step.events);
    return result;
  }
}

describe('The recorded gate', () => {
  it('names no folder of another queue, and lets the same rows start', async () => {
    const scene = new Scene([define(1, { workingDir: '/own' }), define(2, { workingDir: '/new' })]);
    const closures = [
      { kind: 'seven_day_opus', model: 'opus', since: NOW, until: NOW + 9e6, message: '' },
    ] as const;
    const defaultModels = { '/own': 'opus-4', '/other/secret': 'sonnet-4', '/other/more': 'opus-4' };
    const gate = { closures, usage: [], defaultModels };
    const approvedRows = { trusted: true, approvals: new Set<string>() };
    // A default that is known is not of the family, so the limit does not cover a row without one.
    assert.equal(scene.ask({ gate, approvedRows }), 2);
    assert.equal(scene.gate()?.defaultModels?.['/own'], 'opus-4');
    assert.ok(!JSON.stringify(scene.events).includes('/other'), JSON.stringify(scene.events));
    const { same, differences } = await replay(scene.past(), { from: 0, to: Infinity }, () => false);
    assert.deepEqual([same, differences], [1, []]);
  });
});

describe('A task that the user takes by hand', () => {
  it('does not make unapproved rows ready at that time', async () => {
    const scene = new Scene([define(1), define(2)]);
    assert.equal(scene.ask({}), null);
    const before = await scene.why(2);
    assert.notEqual(before, 'ready');
    assert.equal(scene.ask(BY_HAND), 1);
    assert.equal(await scene.why(2), before);
    const { same, differences } = await replay(scene.past(), { from: 0, to: Infinity }, () => false);
    assert.deepEqual([same, differences], [1, []]);
  });

  it('does not say what a worker could start before one has asked', async () => {
    const scene = new Scene([define(1), define(2)]);
    assert.equal(scene.ask(BY_HAND), 1);
    assert.equal(await scene.why(2), 'unrecorded');
    // A worker to which the same applies is recorded nevertheless.
    const trusted = { trusted: true, approvals: new Set<string>() };
    assert.equal(scene.ask({ approvedRows: trusted, tags: ['none'] }), null);
    assert.equal(await scene.why(2), 'ready');
  });
});

describe('A past reason of a task that is not approved', () => {
  const rows = [1, 2].map((id) => define(id));
  const approvals = new Set(rows.map((row) => approvalOf(approvable(row, 'power'))));
  const changed = { state: 'unapproved', causes: [{ kind: 'changed' }], waitsFor: 'person' };

  it('says that it changed since, if the machine of a worker had approved it', async () => {
    const scene = new Scene(rows);
    assert.equal(scene.ask({ approvedRows: { trusted: false, approvals } }), 1);
    assert.equal(scene.ask({}), null);
    assert.deepEqual(await scene.reason(2), changed);
  });

  it('does not say so if it was trusted, or approved elsewhere', async () => {
    const never = { ...changed, causes: [{ kind: 'not-approved' }] };
    for (const before of [
      { approvedRows: { trusted: true, approvals } },
      { owner: workerOf(2, 'elsewhere'), approvedRows: { trusted: false, approvals } },
    ]) {
      const scene = new Scene(rows);
      assert.equal(scene.ask(before), 1);
      assert.equal(scene.ask({}), null);
      assert.deepEqual(await scene.reason(2), never);
    }
  });
});

describe('Two workers with different settings', () => {
  const trusted = { approvedRows: { trusted: true, approvals: new Set<string>() } };
  const paused = { ...defaults, maxPerDay: 0 };

  it('record theirs once each, however often they ask', () => {
    const scene = new Scene([define(1)]);
    const askBoth = (): void => {
      scene.ask({ ...trusted, settings: paused });
      scene.ask({ owner: workerOf(2), settings: defaults, timeZone: 'Asia/Tokyo' });
    };
    askBoth();
    const { length } = scene.events;
    askBoth();
    assert.equal(scene.events.length, length);
  });

  it('are each replayed with their own', async () => {
    const scene = new Scene([define(1), define(2)]);
    const second = { ...trusted, owner: workerOf(2), settings: { ...defaults, maxRunning: 2 } };
    assert.equal(scene.ask(second), 1);
    assert.equal(scene.ask({ ...trusted, settings: paused }), null);
    assert.equal(scene.ask(second), 2);
    const { same, differences } = await replay(scene.past(), { from: 0, to: Infinity }, () => false);
    assert.deepEqual([same, differences], [2, []]);
  });
});
