import { isLeftover } from '../../../src/domain/order/leftoverCapacity';
import { explain } from '../../../src/domain/reasons/explain';
import { findBehind } from '../../../src/queue/file/checkpoint/projection';
import { LOG_NAMES } from '../../../src/queue/file/checkpoint/logLines';
import type { Kernel } from '../machine/kernel';
import type { Claude } from '../play/claude';
import { Violation } from '../play/violation';
import { STATE } from '../program/host';
import type { Audit } from './audit';
import { newestBasis, worldOf } from './claimAudit';

/** States in which a task may be when everything that could be done is done. */
const AT_REST = ['completed', 'cancelled', 'dead', 'review', 'stuck', 'scheduled', 'invalid'];

/**
 * Checks what must hold when all is done and written. `lookedAt`: time on the wall at which the last worker started.
 * @throws Violation
 */
export function checkEnd(audit: Audit, kernel: Kernel, claude: Claude, lookedAt: number): void {
  checkCarriedOut(audit, lookedAt);
  checkRecorded(audit, claude);
  checkLogs(audit, kernel);
  checkFile(audit);
}

/** A task that became due after the last worker has looked waits for the next one. */
function checkCarriedOut(audit: Audit, lookedAt: number): void {
  const basis = newestBasis(audit.sources, lookedAt);
  if (!basis.sheet.rows.set.whole) return;
  const world = worldOf(audit.state.queue, lookedAt, basis);
  for (const task of world.queue.tasks) {
    const { state, causes } = explain(task, world);
    if (AT_REST.includes(state)) continue;
    // A dependency that rests keeps it waiting.
    if (state === 'blocked') continue;
    // Leftover capacity may never come, neither now nor when its time has come.
    if (isLeftover(task.definition, world.settings)) continue;
    const why = causes.map(({ kind }) => kind).join();
    throw new Violation('carried to its end', `task ${String(task.definition.id)} is ${state} (${why})`);
  }
  const [claim] = audit.state.queue.claims.values();
  if (claim !== undefined)
    throw new Violation('carried to its end', `task ${String(claim.id)} is still claimed`);
}

/** Each run that got its prompt is in the history once. */
function checkRecorded(audit: Audit, claude: Claude): void {
  const counts = new Map<string, number>();
  for (const { attempt } of audit.finished) {
    const key = `${String(attempt.id)}/${String(attempt.number)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    if ((counts.get(key) ?? 0) > 1) throw new Violation('recorded once', `attempt ${key} is recorded twice`);
  }
  for (const { id, job, promptedAt } of claude.runs) {
    const made = audit.claims.get(job.attemptMark);
    if (promptedAt === null) continue;
    if (made === undefined) throw new Violation('recorded once', `a run of task ${String(id)} has no claim`);
    if (counts.get(`${String(id)}/${String(made.claim.attempt)}`) !== 1)
      throw new Violation(
        'recorded once',
        `attempt ${String(made.claim.attempt)} of task ${String(id)} is not recorded`,
      );
  }
}

function checkLogs(audit: Audit, kernel: Kernel): void {
  for (const name of LOG_NAMES) {
    const text = kernel.disk.read(`${STATE}/${name}`)?.toString() ?? '';
    const expected = audit.logs.get(name) ?? '';
    if (text !== expected)
      throw new Violation(
        'logged once',
        `${name} has ${JSON.stringify(text)}, not ${JSON.stringify(expected)}`,
      );
  }
}

/** Checks that the file shows what the history says. @throws Violation */
export function checkFile(audit: Audit): void {
  const { rows } = audit.sources.sheets.newest;
  if (!rows.set.whole) return;
  const behind = rows.rows.flatMap((row) => findBehind(row, audit.state, 'UTC') ?? []);
  const [first] = behind;
  if (first === undefined) return;
  const { row, wanted } = first;
  throw new Violation(
    'file follows',
    `row ${String(row.definition.id)} says ${row.texts.join()}, and should say ${wanted.join()}`,
  );
}
