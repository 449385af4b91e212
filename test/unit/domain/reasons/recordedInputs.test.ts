import assert from 'node:assert/strict';
import { choose } from '../../../../src/domain/order/order';
import { lookAhead } from '../../../../src/domain/order/lookAhead';
import { serviceOf } from '../../../../src/domain/order/service';
import {
  DECIDING_FIELDS,
  DECIDING_SETTINGS,
  rowFactsOf,
} from '../../../../src/domain/reasons/recordedInputs';
import { explain } from '../../../../src/domain/reasons/explain';
import { createWorld } from '../../../../src/domain/reasons/world';
import { parseRepeatInterval } from '../../../../src/domain/time/schedule';
import { findMissed } from '../../../../src/domain/time/missedRuns';
import { defaults, type Settings } from '../../../../src/domain/settings/settings';
import type { Definition } from '../../../../src/domain/task/task';
import { emptyState } from '../../../../src/queue/model/state/queueState';
import { viewQueue } from '../../../../src/queue/model/queueView';
import { checkRows } from '../../../../src/queue/model/rows';
import { apply } from '../../../../src/queue/model/state/apply';
import { define } from '../../../conformance/harness';
import { WHOLE } from '../../../support/queue/wholeRows';

const NOW = Date.parse('2026-03-02T10:00:00Z');
const DAY_MS = 86_400_000;

/** Returns an object like this one that adds the name of each field that is read to `read`. */
function watched<T extends object>(object: T, read: Set<string>): T {
  return new Proxy(object, {
    get: (all, name) => {
      read.add(String(name));
      return Reflect.get(all, name) as unknown;
    },
  });
}

/** Applies the rules to a queue with these rows. */
function applyRules(definitions: readonly Definition[], settings: Settings): void {
  const state = emptyState();
  const rows = definitions.map((definition) => ({
    definition,
    power: 'power',
    where: { kind: 'file', line: 1, column: 1 } as const,
  }));
  const seen = definitions.map(({ id }) => ({ id, power: 'power', status: 'pending' as const }));
  apply(state, { kind: 'seen', rows: seen, at: NOW - 3 * DAY_MS });
  const gate = {
    closures: [
      { kind: 'five_hour', since: NOW - 1, until: NOW + 60_000, message: '' },
      { kind: 'seven_day_opus', model: 'opus', since: NOW - 1, until: NOW + 60_000, message: '' },
    ],
    usage: [{ window: 'five_hour', utilization: 0.9, resetAt: NOW + 60_000, asOf: NOW }],
  } as const;
  const world = createWorld({
    ...{ queue: viewQueue(state, checkRows(rows, [], WHOLE)), gate, settings, now: NOW, timeZone: 'UTC' },
    approvedRows: { trusted: true, approvals: new Set() },
  });
  choose(world, { tags: ['spare'], users: ['ann'] });
  choose(world);
  lookAhead(world);
  for (const task of world.queue.tasks) {
    explain(task, world);
    findMissed(task, world);
    serviceOf(task, world);
  }
}

const hourly = parseRepeatInterval('1h') ?? undefined;
const definitions = [
  define(1, { tags: ['spare'] }),
  define(2, hourly === undefined ? {} : { repeat: hourly }),
  define(3, { priority: 'low', dependencies: [1] }),
];
const strictest = { ...defaults, reserve: 0.5, nightBudget: 1, strict: false, maxRunning: 2 };

describe('The settings that decide', () => {
  it('are all that the rules read', () => {
    const read = new Set<string>();
    applyRules(definitions, watched<Settings>(strictest, read));
    assert.ok(read.size > 10, [...read].join());
    assert.deepEqual(
      [...read].filter((name) => !DECIDING_SETTINGS.some((one) => one === name)),
      [],
    );
  });
});

describe('The fields of a row that decide', () => {
  it('are all that the rules read', () => {
    const read = new Set<string>();
    applyRules(
      definitions.map((definition) => watched(definition, read)),
      strictest,
    );
    assert.ok(read.size > 8, [...read].join());
    const known: readonly string[] = DECIDING_FIELDS;
    assert.deepEqual(
      [...read].filter((name) => !known.includes(name)),
      [],
    );
  });

  it('do not include texts for Claude Code, permissions, addresses, or a column that is not named here', () => {
    const secret = 'secret';
    const definition = define(1, {
      ...{ prompt: secret, promptFile: { path: secret, text: secret }, appendSystemPrompt: secret },
      ...{ callbackUrl: secret, requestId: secret, metadata: secret },
      ...{ allowedTools: [secret], verify: [secret], linkedRepository: secret, tags: ['kept'] },
    });
    const facts = rowFactsOf(Object.assign(definition, { columnOfNextYear: secret }));
    assert.deepEqual(facts.tags, ['kept']);
    assert.ok(!JSON.stringify(facts).includes(secret), JSON.stringify(facts));
  });
});
