import type { ShownState } from '../../../src/domain/reasons/reason';
import type { TaskId } from '../../../src/domain/task/task';
import type { HandEdit } from '../../generated/handEdits';
import { textOf, type Sheet } from '../../generated/sheet';
import type { Random } from '../machine/random';
import { cellTime } from './setup';
import type { Size } from './size';

/** Returns a row to edit; often one of a task that runs or has ended. */
export function pickRow(
  sheet: Sheet,
  random: Random,
  { states, size }: { readonly states: ReadonlyMap<TaskId, ShownState>; readonly size: Size },
): number {
  const wanted: readonly ShownState[] = ['running', 'completed', 'dead', 'review', 'cancelled'];
  const any = random.between(0, size.mostId);
  const rows = sheet.lines.flatMap((line, index) => {
    const shown = states.get(Number(textOf(sheet, line, 'id')));
    return shown !== undefined && wanted.includes(shown) ? [index] : [];
  });
  return rows.length === 0 || random.oneIn(2) ? any : random.pick(rows);
}

/** Draws an edit; those that leave a queue to work on more often than those that break it. */
export function drawEdit(random: Random, wall: number, row: number): HandEdit {
  const change = (column: string, texts: readonly string[]): HandEdit => {
    return { kind: 'change', row, column, text: random.pick(texts) };
  };
  const soon = cellTime(wall + random.between(-5, 15) * 60_000);
  return random.weighted<() => HandEdit>([
    [3, () => change('status', ['pending', 'pending', 'completed', 'failed', 'cancelled', 'review'])],
    [2, () => change('scheduled_time', ['', soon, soon])],
    [2, () => change('retry_count', ['0', '1', '2'])],
    [4, () => change('priority', ['critical', 'high', 'medium', 'low', '', 'urgent', 'urgent', 'urgent'])],
    [2, () => change('prompt', ['Something else', 'Do it "again"', 'Two\nmore'])],
    [2, () => change('dependencies', ['', '1', '2', '3', '1|2', '9'])],
    [1, () => change('working_dir', ['/place/a', '/place/b', 'c'])],
    [1, () => change('max_retries', ['1', '2', '4'])],
    [1, () => change('repeat', ['yes', 'no'])],
    [1, () => change('note', ['mine', 'mine, too'])],
    [3, () => insert(random, row)],
    [1, () => ({ kind: 'delete', row })],
    [2, () => ({ kind: 'move', row, to: random.between(0, 7) })],
    [1, () => ({ kind: 'blank line', row })],
    [
      1,
      () => ({
        kind: 'rewrite',
        bom: random.oneIn(2),
        end: random.pick(['\n', '\r\n']),
        quotes: random.oneIn(2),
      }),
    ],
    [0.5, () => ({ kind: 'cut short', row })],
    [0.5, () => ({ kind: 'turn columns' })],
    [0.5, () => ({ kind: 'restore', back: random.between(0, 3) })],
  ])();
}

function insert(random: Random, row: number): HandEdit {
  const cells = {
    priority: random.pick(['critical', 'high', 'low', '']),
    working_dir: random.pick(['/place/a', '/place/b', '/place/d']),
    prompt: random.pick(['Do this', 'Do that']),
    dependencies: random.pick(['', '', '1', '2']),
    repeat: 'no',
    note: 'new',
  };
  return { kind: 'insert', row, id: random.between(4, 12), cells };
}
