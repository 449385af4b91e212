import * as path from 'node:path';
import { Problem } from '../../../domain/problem';
import type { TaskId } from '../../../domain/task/task';
import type { TaskDraft, TaskFields, TaskQueue } from '../../../queue/taskQueue';
import { usualCells } from '../../../queue/row/usualCells';
import { refuseInsideAttempt } from '../attempts/insideAttempt';
import type { QueueContext } from '../../context/queueContext';
import { planImport, planTable, type ImportPlan, type ImportTarget, type PlannedRow } from './importPlan';
import { t } from '../../../platform/text/translate';

/** Reads a file, and returns the tasks that an import into this queue would add. `folder` is for rows without one. */
export async function prepareImport(
  queueContext: QueueContext,
  queue: TaskQueue,
  { name, bytes, folder }: { readonly name: string; readonly bytes: Buffer; readonly folder: string },
): Promise<ImportPlan> {
  return planImport(name, bytes, await findTarget(queueContext, queue, folder));
}

/** Returns a plan that adds one task with these cells to the queue. `folder` is for a task without one. */
export async function prepareTask(
  queueContext: QueueContext,
  queue: TaskQueue,
  { cells, folder }: { readonly cells: TaskFields; readonly folder: string },
): Promise<ImportPlan> {
  const table = { columns: Object.keys(cells), rows: [Object.values(cells)] };
  return planTable(table, await findTarget(queueContext, queue, folder));
}

async function findTarget(
  queueContext: QueueContext,
  queue: TaskQueue,
  folder: string,
): Promise<ImportTarget> {
  const { settings } = await queueContext.configure();
  const { tasks, invalidIds } = await queue.read();
  const ids = new Set([...tasks.map(({ definition }) => definition.id), ...invalidIds]);
  return { rows: queueContext.rowContext(), ids, usual: { ...usualCells(settings), working_dir: folder } };
}

/**
 * Adds these rows of a plan after the others of the queue. They are not approved: the user chose them, but need not have
 * written or read them. `from`: their file, or `CHAT`. Returns their ids. All are added or none, in the order of the file.
 * @throws Problem `inside-run`; `usage` if a row has a problem, or depends on a row that is not added
 */
export async function importTasks(
  queueContext: QueueContext,
  queue: TaskQueue,
  {
    plan,
    chosen,
    from,
  }: { readonly plan: ImportPlan; readonly chosen: readonly PlannedRow[]; readonly from: string },
): Promise<readonly TaskId[]> {
  await refuseInsideAttempt(queueContext, queue, 'import tasks');
  refuseUnfit(plan, chosen);
  if (chosen.length === 0) return [];
  const rows = chosen.toSorted((a, b) => a.number - b.number);
  const places = new Map(rows.map((row, index) => [row, index]));
  const drafts = rows.map((row): TaskDraft => {
    const after = neededBy(row, plan).flatMap((one) => places.get(one) ?? []);
    return { fields: row.fields, after };
  });
  const added = await queue.addAll(drafts, queueContext.host.createId());
  const ids = added.map(({ id }) => id);
  await queueContext.openApprovals().noteOrigins(ids.map((id) => ({ id, origin: path.basename(from) })));
  return ids;
}

function neededBy({ after }: PlannedRow, { rows }: ImportPlan): readonly PlannedRow[] {
  return after.flatMap((index) => rows[index] ?? []);
}

function refuseUnfit(plan: ImportPlan, chosen: readonly PlannedRow[]): void {
  for (const row of chosen) {
    const [problem] = row.problems;
    if (problem !== undefined) throw new Problem('usage', t('Row {0}: {1}', row.number, problem));
    const isMet = ({ isDone, isCancelled }: PlannedRow): boolean => isDone && !isCancelled;
    const missing = neededBy(row, plan).find((one) => !isMet(one) && !chosen.includes(one));
    if (missing === undefined) continue;
    throw new Problem(
      'usage',
      t('Row {0} depends on row {1}. Import both, or neither.', row.number, missing.number),
    );
  }
}
