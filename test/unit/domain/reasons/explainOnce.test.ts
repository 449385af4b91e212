import assert from 'node:assert/strict';
import { OPEN_GATE } from '../../../../src/domain/gate/gate';
import type { TaskView } from '../../../../src/domain/queue/view';
import { explain, explainOnce } from '../../../../src/domain/reasons/explain';
import { createWorld, type World } from '../../../../src/domain/reasons/world';
import { defaults } from '../../../../src/domain/settings/settings';
import { define, NO_HOLDS, UNKNOWN } from '../../../conformance/harness';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-03-02T10:00:00Z');

/** Checks that each task has the reason that it has alone, in whichever order they are explained. */
function assertOwnReasons(tasks: readonly [TaskView, TaskView], parts: Partial<World>): void {
  const queue = { tasks, invalidIds: new Set<number>(), claims: [], ...NO_HOLDS, starts: [], costs: [] };
  const world = createWorld({
    queue: { ...queue, unreviewed: 0 },
    gate: OPEN_GATE,
    approvedRows: { trusted: true, approvals: new Set() },
    settings: defaults,
    now: NOW,
    timeZone: 'UTC',
    ...parts,
  });
  for (const inOrder of [tasks, tasks.toReversed()]) {
    const explainTask = explainOnce(world);
    for (const task of inOrder) assert.deepEqual(explainTask(task), explain(task, world));
  }
}

describe('Tasks that share what keeps them from starting', () => {
  it('do not share the times that one of them skips meanwhile', () => {
    const state = { ...UNKNOWN, power: 'p' };
    const daily = define(1, { repeat: { kind: 'cron', text: '0 10 * * *' } });
    const due = {
      definition: daily,
      state: { ...state, id: 1, dueAt: NOW, dueCause: 'repeat' },
      order: 0,
    } as const;
    const other = { definition: define(2), state: { ...state, id: 2 }, order: 1 };
    const quietHours = [{ from: 10 * 60, to: 14 * 60, days: [1] }];
    const rules = { quietHours, missedRuns: 'skip', missedAfter: HOUR } as const;
    assertOwnReasons([due, other], { settings: { ...defaults, ...rules } });
  });

  it('do not share the default model of a directory, also where their rows say `default`', () => {
    const inFolder = (id: number, workingDir: string): TaskView => ({
      definition: define(id, { model: 'default', workingDir }),
      state: { ...UNKNOWN, power: 'p', id },
      order: id,
    });
    const block = {
      kind: 'seven_day_opus',
      model: 'opus',
      since: NOW,
      until: NOW + HOUR,
      message: '',
    } as const;
    const gate = { closures: [block], usage: [], defaultModels: { '/a': 'opus', '/b': 'sonnet' } };
    assertOwnReasons([inFolder(1, '/a'), inFolder(2, '/b')], { gate });
  });
});
