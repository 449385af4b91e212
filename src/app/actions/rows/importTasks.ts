import * as path from 'node:path';
import { Problem } from '../../../domain/problem';
import type { TaskId } from '../../../domain/task/task';
import type { TaskDraft, TaskFields, TaskQueue } from '../../../queue/taskQueue';
import { DEFAULT_MAX_RETRIES } from '../../../queue/row/readTexts';
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
  const usual: TaskFields = {
    status: 'pending',
    repeat: 'no',
    retry_count: '0',
    max_retries: String(DEFAULT_MAX_RETRIES),
    working_dir: folder,
    ...(settings.priorityRules.length === 0 ? { priority: 'medium' } : {}),
  };
  return { rows: queueContext.rowContext(), ids, usual };
}

/**
 * Adds these rows of a plan after the others of the queue. They are not approved: the user chose them, but need not have
 * written or read them. Returns their ids. Rows that depend on others of them are added after these.
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
  const ids = new Map<PlannedRow, TaskId>();
  for (let left = chosen; left.length > 0; left = left.filter((row) => !ids.has(row))) {
    const batch = left.filter((row) =>
      neededBy(row, plan).every((one) => ids.has(one) || !chosen.includes(one)),
    );
    const drafts = batch.map((row) => toDraft(row, plan, ids));
    const added = await queue.addAll(drafts, queueContext.host.createId());
    for (const [index, row] of batch.entries()) ids.set(row, added[index]?.id ?? 0);
  }
  const all = [...ids.values()].sort((a, b) => a - b);
  await queueContext.openApprovals().noteOrigins(all.map((id) => ({ id, origin: path.basename(from) })));
  return all;
}

function neededBy({ after }: PlannedRow, { rows }: ImportPlan): readonly PlannedRow[] {
  return after.flatMap((index) => rows[index] ?? []);
}

function refuseUnfit(plan: ImportPlan, chosen: readonly PlannedRow[]): void {
  for (const row of chosen) {
    const [problem] = row.problems;
    if (problem !== undefined) throw new Problem('usage', t('Row {0}: {1}', row.number, problem));
    const missing = neededBy(row, plan).find((one) => !one.isDone && !chosen.includes(one));
    if (missing === undefined) continue;
    throw new Problem(
      'usage',
      t('Row {0} depends on row {1}. Import both, or neither.', row.number, missing.number),
    );
  }
}

function toDraft(row: PlannedRow, plan: ImportPlan, ids: ReadonlyMap<PlannedRow, TaskId>): TaskDraft {
  const needed = neededBy(row, plan).flatMap((one) => ids.get(one) ?? []);
  if (needed.length === 0) return { fields: row.fields };
  const others = row.fields['dependencies'] ?? '';
  return {
    fields: { ...row.fields, dependencies: [...(others === '' ? [] : [others]), ...needed].join('|') },
  };
}
