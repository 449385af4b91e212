import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { OPEN_GATE } from '../../../../src/domain/gate/gate';
import { WaitingTasks } from '../../../../src/domain/order/waitingTasks';
import { createWorld, type World } from '../../../../src/domain/reasons/world';
import { defaults } from '../../../../src/domain/settings/settings';
import type { QueueEvent } from '../../../../src/queue/model/events';
import { viewQueue } from '../../../../src/queue/model/queueView';
import { checkRows, type Row, type RowSet } from '../../../../src/queue/model/rows';
import { apply } from '../../../../src/queue/model/state/apply';
import { draftOf } from '../../../../src/queue/model/state/draftState';
import { emptyState, type QueueState } from '../../../../src/queue/model/state/queueState';
import { indexOf } from '../../../../src/queue/model/taskIndex';
import { define, workerOf } from '../../../conformance/harness';
import { WHOLE } from '../../../support/queue/wholeRows';

const NOW = Date.parse('2026-03-02T10:00:00Z');
const AROUND = {
  gate: OPEN_GATE,
  approvedRows: { trusted: true, approvals: new Set<string>() },
  settings: defaults,
  timeZone: 'UTC',
};

/** Something that happens to one task, or to a row. */
const happening = fc.record({
  kind: fc.constantFrom(
    'seen',
    'seen',
    'done',
    'edited',
    'gone',
    'claimed',
    'released',
    'cancel',
    'retry',
    'resumed',
    'swap',
  ),
  id: fc.integer({ min: 1, max: 6 }),
  /** Only tried: a draft that is not kept. */
  isDropped: fc.boolean(),
  isLooked: fc.boolean(),
});
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

/** A queue whose rows and state change. */
class Scene {
  readonly state = emptyState();
  rows: RowSet = checkRows([], [], WHOLE);
  private token = 0;

  private rowOf(id: number, power: string): Row {
    const dependencies = id === 2 ? [1] : [];
    const definition = define(id, { dependencies, ...(id % 2 === 0 ? { user: 'ada' } : {}) });
    return { definition, power, where: { kind: 'row', row: id, field: null } };
  }

  /** Returns the rows after it. */
  rowsAfter({ kind, id }: Happening): RowSet {
    const { rows } = this.rows;
    const others = rows.filter(({ definition }) => definition.id !== id);
    if (kind === 'gone') return checkRows(others, [], WHOLE);
    if (kind === 'swap') return checkRows(rows.toReversed(), [], WHOLE);
    if (kind === 'edited' && others.length < rows.length)
      return checkRows(
        rows.map((row) => (row.definition.id === id ? this.rowOf(id, 'q') : row)),
        [],
        WHOLE,
      );
    if (kind === 'seen' && others.length === rows.length)
      return checkRows([...rows, this.rowOf(id, 'p')], [], WHOLE);
    return this.rows;
  }

  eventOf(one: Happening, state: QueueState): QueueEvent | null {
    const { kind, id } = one;
    const at = NOW;
    if (kind === 'cancel' || kind === 'retry') return { kind: 'commanded', at, id, verb: kind };
    if (kind === 'resumed') return { kind, at };
    if (kind === 'gone') return { kind, at, ids: [id] };
    return this.claimEventOf(one, state) ?? this.rowEventOf(one, state);
  }

  private rowEventOf({ kind, id }: Happening, state: QueueState): QueueEvent | null {
    const known = state.powers.get(id);
    const seen = { kind: 'seen', at: NOW } as const;
    if (kind === 'seen') return { ...seen, rows: [{ id, power: 'p' }] };
    if (kind === 'edited') return { ...seen, rows: [{ id, power: 'q' }] };
    if (kind !== 'done' || known === undefined) return null;
    return { ...seen, rows: [{ id, power: known, status: 'completed' }] };
  }

  private claimEventOf({ kind, id }: Happening, state: QueueState): QueueEvent | null {
    const at = NOW;
    const power = state.powers.get(id);
    const held = state.claims.get(id);
    if (kind === 'released' && held !== undefined) return { kind, at, id, token: held.token, why: 'person' };
    if (kind !== 'claimed' || power === undefined || held !== undefined) return null;
    this.token += 1;
    // Also for another tenant than that of the row, as after an edit.
    const user = ['ada', 'bob'][this.token % 2] ?? '';
    const claim = { id, power, token: this.token, attempt: 1, at, session: 's', mark: 'm', user };
    return { kind, at, claim: { ...claim, owner: workerOf(1) } };
  }
}

function textOf(world: World, waiting: WaitingTasks): unknown {
  const lines = Array.from(waiting.inTurn({}), ({ tenant, list }) => [
    tenant,
    ...list.items.map(({ task }) => task.definition.id),
  ]);
  return { byId: [...world.byId].sort(([a], [b]) => a - b), tasks: world.queue.tasks, lines };
}

describe('The index of tasks', () => {
  it('makes the same world as state and rows alone, also after drafts that were dropped', () => {
    fc.assert(
      fc.property(fc.array(happening, { minLength: 30, maxLength: 60 }), (happenings) => {
        const scene = new Scene();
        for (const one of happenings) {
          const state = one.isDropped ? draftOf(scene.state) : scene.state;
          const rows = scene.rowsAfter(one);
          const event = scene.eventOf(one, state);
          if (event !== null) apply(state, event);
          if (!one.isDropped) scene.rows = rows;
          if (!one.isLooked) continue;
          const world = indexOf(state).world(state, rows, AROUND, NOW);
          const plain = createWorld({ ...AROUND, queue: viewQueue(state, rows), now: NOW });
          assert.deepEqual(textOf(world, world.waiting), textOf(plain, WaitingTasks.of(plain)));
        }
      }),
      { numRuns: 300 },
    );
  });
});
