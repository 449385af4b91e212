import { findMissed } from '../../../src/domain/time/missedRuns';
import { findSoonerTime } from '../../../src/domain/time/soonerTime';
import type { QueueEvent } from '../../../src/queue/model/events';
import type { QueueState } from '../../../src/queue/model/state/queueState';
import { currentTask } from '../../../src/queue/model/state/queueState';
import { Violation } from '../play/violation';
import type { Sources } from './sources';

type Missed = Extract<QueueEvent, { readonly kind: 'missed' }>;

/** Checks what was recorded of times that passed without a run, before it is applied. @throws Violation */
export function checkMissed(state: QueueState, event: Missed, { sheets, settings }: Sources): void {
  const task = currentTask(state, event.id);
  if (task === undefined) return;
  const expected = new Set<string>();
  for (const { rows } of sheets.since(0)) {
    const row = rows.set.rows.find(
      ({ definition, power }) => definition.id === event.id && power === task.power,
    );
    if (row === undefined) continue;
    const view = { definition: row.definition, state: task };
    for (const one of settings.since(0)) {
      const rules = { now: event.at, timeZone: 'UTC', settings: one };
      const sooner = findSoonerTime(view, rules);
      const found = sooner === null ? findMissed(view, rules) : { count: task.missed ?? 0, dueAt: sooner };
      if (found === null) continue;
      if (isSame(found, event)) return;
      expected.add(JSON.stringify(found));
    }
  }
  if (expected.size === 0) return;
  const { count, dueAt, owedRuns } = event;
  throw new Violation(
    'due times recorded',
    `${JSON.stringify({ count, dueAt, owedRuns })} is recorded, not ${[...expected].join(' or ')}`,
  );
}

type Told = Pick<Missed, 'count' | 'dueAt' | 'owedRuns'>;

function isSame(one: Told, other: Told): boolean {
  return one.count === other.count && one.dueAt === other.dueAt && one.owedRuns === other.owedRuns;
}
