import assert from 'node:assert/strict';
import { createWorld, type World } from '../../../src/domain/explain';
import { OPEN_GATE } from '../../../src/domain/limits';
import { defaults } from '../../../src/domain/settings';
import type { TaskView } from '../../../src/domain/view';
import { OutlookMemory } from '../../../src/queue/model/outlookMemory';
import { define, MINUTE, NO_HOLDS, UNKNOWN } from '../../conformance/bench';

const NOW = Date.parse('2026-03-02T10:00:00Z');

/** A queue in which one task is due in ten minutes and another one waits for its approval. */
function worldWith(parts: Partial<World> = {}): World {
  const scheduled: TaskView = {
    definition: define(1),
    state: { ...UNKNOWN, id: 1, power: 'a', ownerScheduledAt: NOW + 10 * MINUTE },
    order: 0,
  };
  const other: TaskView = { definition: define(2), state: { ...UNKNOWN, id: 2, power: 'b' }, order: 1 };
  return createWorld({
    queue: {
      tasks: [scheduled, other],
      invalidIds: new Set(),
      claims: [],
      ...NO_HOLDS,
      starts: [],
      costs: [],
    },
    gate: OPEN_GATE,
    proofs: { trusted: false, approvals: new Set(['1:a']) },
    settings: defaults,
    now: NOW,
    timeZone: 'UTC',
    ...parts,
  });
}

describe('Why nothing can be chosen is looked up once', () => {
  it('while nothing changes, also where gate, approvals and settings were read anew', () => {
    const memory = new OutlookMemory();
    const first = memory.recall(worldWith(), {}, 1);
    assert.equal(first.askAgainAt, NOW + 10 * MINUTE);
    const later = worldWith({ now: NOW + MINUTE, settings: { ...defaults }, gate: { ...OPEN_GATE } });
    assert.equal(memory.recall(later, {}, 1), first);
  });

  it('and anew when the time to ask again has come, or the clock was set back', () => {
    const memory = new OutlookMemory();
    const first = memory.recall(worldWith(), {}, 1);
    assert.notEqual(memory.recall(worldWith({ now: NOW - 1 }), {}, 1), first);
    memory.recall(worldWith(), {}, 1);
    const due = memory.recall(worldWith({ now: NOW + 10 * MINUTE }), {}, 1);
    assert.equal(due.askAgainAt, null);
  });

  it('and anew after an event, an approval, a closed gate, another setting, or for another claimer', () => {
    const closure = { kind: 'five_hour', since: 0, until: NOW + MINUTE, message: '' } as const;
    const others: [World, Parameters<OutlookMemory['recall']>[1], number][] = [
      [worldWith(), {}, 2],
      [worldWith({ proofs: { trusted: false, approvals: new Set(['2:b']) } }), {}, 1],
      [worldWith({ proofs: { trusted: true, approvals: new Set() } }), {}, 1],
      [worldWith({ gate: { ...OPEN_GATE, closures: [closure] } }), {}, 1],
      [worldWith({ settings: { ...defaults, maxRunning: 2 } }), {}, 1],
      [worldWith(), { priorities: ['high'] }, 1],
    ];
    for (const other of others) {
      const memory = new OutlookMemory();
      const first = memory.recall(worldWith(), {}, 1);
      assert.notEqual(memory.recall(...other), first);
    }
  });
});
