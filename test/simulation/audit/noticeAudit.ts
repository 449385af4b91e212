import { noticeOfEnd, type Notice } from '../../../src/domain/queue/notices';
import { STATUSES } from '../../../src/domain/task/task';
import { readOutbox } from '../../../src/queue/model/outbox';
import type { Kernel } from '../machine/kernel';
import type { SimProcess } from '../machine/process';
import { Violation } from '../play/violation';
import type { Audit } from './audit';

interface Shown {
  readonly key: string;
  readonly at: number;
}

/** Time in ms that a notice takes to be recorded as shown: a fault within it makes the next process show it again. */
const RECORDED_MS = 20_000;

/** Arguments with which the user's `notify` command was called. */
export class NoticeAudit {
  readonly shown: Shown[] = [];
  /** Faults by running time: after these a notice may come again. */
  private readonly faults: { readonly from: number; readonly until: number }[] = [];

  constructor(private readonly kernel: Kernel) {}

  /** Notes a fault that lasts from now on. */
  noteFault(lastsMs = 0): void {
    const { now } = this.kernel;
    this.faults.push({ from: now, until: now + lastsMs });
  }

  /** Whether a fault may have kept processes from recording something that they did in this time. */
  isNearFault(from: number, until = from): boolean {
    return this.faults.some((one) => until > one.from - RECORDED_MS && from < one.until + RECORDED_MS);
  }

  /** Shows a notice, as the user's command does. */
  show(by: SimProcess, input: string): Promise<string | null> {
    const { event, task } = JSON.parse(input) as { readonly event: string; readonly task: number | null };
    return new Promise((resolve) => {
      this.kernel.after(by, by.random.next() * 500, () => {
        this.shown.push({ key: keyOf(event, task), at: this.kernel.now });
        resolve(null);
      });
    });
  }

  /** Checks at the end that each notice came, and came once. @throws Violation */
  check(audit: Audit): void {
    const late = readOutbox(audit.state.queue).find(({ sent }) => !sent.includes('worker'));
    if (late !== undefined)
      throw new Violation(
        'notified at least once',
        `${late.notice.kind} was raised and is not recorded as shown`,
      );
    for (const end of audit.finished) this.checkShown(end, audit);
    this.checkOnce(audit);
  }

  /** A task that still needs the user was shown after its end. */
  private checkShown({ attempt, change, seenAt }: Audit['finished'][number], audit: Audit): void {
    const notice = noticeOfEnd(attempt, change);
    const { queue } = audit.state;
    const { id, number, power } = attempt;
    const task = queue.tasks.get(`${String(id)}:${power}`);
    const isCurrent = queue.attemptCounts.get(id) === number && queue.powers.get(id) === power;
    if (notice === null || !isCurrent || (task?.status !== 'review' && task?.status !== 'failed')) return;
    // The user decided about it: there was nothing to notify of any more.
    if (task.status !== change.status) return;
    // The user wrote another state, and then this one.
    if (STATUSES.some((one) => one !== change.status && audit.owner.hasWritten(id, 'status', one))) return;
    const key = keyOf(notice.kind, id);
    if (!this.shown.some((one) => one.key === key && one.at >= seenAt))
      throw new Violation('notified at least once', `task ${String(id)} needs you, and no notice was sent`);
  }

  private checkOnce({ raised }: Audit): void {
    for (const key of new Set(this.shown.map((one) => one.key))) {
      const times = this.shown.filter((one) => one.key === key).map(({ at }) => at);
      const isExcused = times.some((at) => this.isNearFault(at));
      const count = raised.get(key) ?? 0;
      if (times.length > count && !isExcused)
        throw new Violation(
          'notified once',
          `${key} was shown ${String(times.length)} times and raised ${String(count)} times`,
        );
    }
  }
}

/** Returns a key of the same facts. */
function keyOf(kind: string, id: number | null): string {
  return `${kind}/${String(id)}`;
}

/** Returns the key of a notice. */
export function noticeKind(notice: Notice): string {
  return keyOf(notice.kind, 'id' in notice ? notice.id : null);
}
