import assert from 'node:assert/strict';
import { choose } from '../../../../src/domain/order/order';
import { lookAhead } from '../../../../src/domain/order/lookAhead';
import { DECIDING_SETTINGS } from '../../../../src/domain/reasons/inputs';
import { explain } from '../../../../src/domain/reasons/explain';
import { createWorld } from '../../../../src/domain/reasons/world';
import { parseRepeatInterval } from '../../../../src/domain/time/schedule';
import { findMissed } from '../../../../src/domain/time/missedRuns';
import { defaults, type Settings } from '../../../../src/domain/settings/settings';
import { emptyState } from '../../../../src/queue/model/state/queueState';
import { viewQueue } from '../../../../src/queue/model/queueView';
import { checkRows } from '../../../../src/queue/model/rows';
import { apply } from '../../../../src/queue/model/state/apply';
import { define } from '../../../conformance/harness';

const NOW = Date.parse('2026-03-02T10:00:00Z');
const DAY_MS = 86_400_000;

describe('The settings that decide', () => {
  it('are all that the rules read', () => {
    const read = new Set<string>();
    const changed = { reserve: 0.5, nightBudget: 1, strict: false, maxRunning: 2 };
    const settings = new Proxy<Settings>(
      { ...defaults, ...changed },
      {
        get: (all, name) => {
          read.add(String(name));
          return Reflect.get(all, name) as unknown;
        },
      },
    );
    const repeat = parseRepeatInterval('1h') ?? undefined;
    const definitions = [
      define(1, { tags: ['spare'] }),
      define(2, repeat === undefined ? {} : { repeat }),
      define(3, { priority: 'low' }),
    ];
    const state = emptyState();
    const rows = definitions.map((definition) => ({
      definition,
      power: 'power',
      where: { kind: 'file', line: 1, column: 1 } as const,
    }));
    const seen = definitions.map(({ id }) => ({ id, power: 'power', status: 'pending' as const }));
    apply(state, { kind: 'seen', rows: seen, at: NOW - 3 * DAY_MS });
    const gate = {
      closures: [{ kind: 'five_hour', since: NOW - 1, until: NOW + 60_000, message: '' }],
      usage: [{ window: 'five_hour', utilization: 0.9, resetAt: NOW + 60_000, asOf: NOW }],
    } as const;
    const world = createWorld({
      ...{ queue: viewQueue(state, checkRows(rows, [], true)), gate, settings, now: NOW, timeZone: 'UTC' },
      approvedRows: { trusted: true, approvals: new Set() },
    });
    choose(world);
    lookAhead(world);
    for (const task of world.queue.tasks) {
      explain(task, world);
      findMissed(task, world);
    }
    assert.ok(read.size > 10, [...read].join());
    assert.deepEqual(
      [...read].filter((name) => !DECIDING_SETTINGS.some((one) => one === name)),
      [],
    );
  });
});
