import { PRIORITIES } from '../../../src/domain/task/priority';
import type { ShownState } from '../../../src/domain/reasons/reason';
import type { TaskId } from '../../../src/domain/task/task';
import type { Random } from '../machine/random';
import type { Command } from '../program/host';
import type { Size } from './size';
import { cellTime } from './setup';

const MINUTE = 60_000;

/** Draws a command of the user, mostly for a task that it fits. */
export function drawCommand(
  random: Random,
  states: ReadonlyMap<TaskId, ShownState>,
  { wall, size: { mostId } }: { readonly wall: number; readonly size: Size },
): Command {
  const pickId = (wanted: readonly ShownState[]): TaskId => pickFrom(random, { states, mostId }, wanted);
  const id: TaskId = random.between(1, mostId);
  const priority = random.pick(PRIORITIES);
  const soon = cellTime(wall + random.between(-2, 10) * MINUTE);
  const fields = {
    working_dir: random.pick(['/place/a', '/place/b']),
    prompt: `Added ${String(random.between(1, 99))}`,
    priority,
    ...(random.oneIn(4) ? { dependencies: String(id) } : {}),
    ...(random.oneIn(4) ? { scheduled_time: soon } : {}),
  };
  return random.weighted<Command>([
    [3, { kind: 'verb', id: pickId(['dead', 'review', 'cancelled']), verb: 'retry' }],
    [1, { kind: 'verb', id: pickId(['unapproved', 'stuck', 'blocked', 'retrying']), verb: 'retry' }],
    [2, { kind: 'verb', id: pickId(['review']), verb: 'accept' }],
    // A repeating task in review is pending already.
    [1, { kind: 'verb', id: pickId(['scheduled', 'ready', 'waiting', 'completed']), verb: 'accept' }],
    [4, { kind: 'verb', id: pickId(['running']), verb: 'cancel' }],
    [1, { kind: 'verb', id: pickId(['unapproved', 'review', 'dead', 'stuck']), verb: 'cancel' }],
    [2, { kind: 'answer', id: pickId(['review']), text: 'The first one.' }],
    [1, { kind: 'answer', id: pickId(['scheduled', 'ready', 'waiting']), text: 'The second one.' }],
    [2, { kind: 'hold' }],
    [1, { kind: 'hold', priorities: [priority] }],
    [4, { kind: 'resume' }],
    [4, { kind: 'approve' }],
    [1, { kind: 'reopen' }],
    [1, { kind: 'probe' }],
    [1, { kind: 'stop', how: random.pick(['after-task', 'now'] as const) }],
    [1, { kind: 'recover' }],
    [2, { kind: 'add', fields }],
    [2, { kind: 'edit', id, fields: random.oneIn(2) ? { priority } : { prompt: 'Edited' } }],
    [1, { kind: 'move', id, before: random.oneIn(2) ? null : random.between(1, mostId) }],
    [1, { kind: 'remove', ids: [id] }],
  ]);
}

/** Returns a task; mostly one in these states. */
function pickFrom(
  random: Random,
  { states, mostId }: { readonly states: ReadonlyMap<TaskId, ShownState>; readonly mostId: number },
  wanted: readonly ShownState[],
): TaskId {
  const ids = [...states].filter(([, shown]) => wanted.includes(shown)).map(([id]) => id);
  const any = random.between(1, mostId + 1);
  return ids.length === 0 || random.oneIn(3) ? any : random.pick(ids);
}
