import { noticeKey, type Notice, type OutboxEntry } from '../../domain/queue/notices';
import type { EpochMs } from '../../domain/time/epoch';
import { describeNotice } from '../present/notices/noticeTexts';
import type { Look } from './dueNotices';
import { runNotify, type NotifyPlace } from './notifyCommand';

/** Milliseconds until the command runs again after it failed for a notice. Each next wait is three times as long. */
const FIRST_WAIT_MS = 10_000;
const LONGEST_WAIT_MS = 3_600_000;

/** Notice for which a command failed. */
interface Failed {
  /** The command as JSON. Another command is tried at once: the user may have corrected it. */
  readonly command: string;
  readonly waitMs: number;
  readonly nextAt: EpochMs;
}

/** Runs of the `notify` command by one process: one for each notice, and more where it fails, until it succeeds. */
export class NotifyRuns {
  private readonly failed = new Map<string, Failed>();

  constructor(private readonly place: NotifyPlace) {}

  hasFailed(notice: Notice): boolean {
    return this.failed.has(noticeKey(notice));
  }

  /**
   * Runs the command for each notice whose time has come, until `isOver`. Returns those for which it succeeded. Warns at
   * the first failure for a notice.
   */
  async send(
    command: readonly string[],
    notices: readonly Notice[],
    look: Look,
    isOver: () => boolean = () => false,
  ): Promise<readonly Notice[]> {
    const sent: Notice[] = [];
    for (const notice of notices) {
      if (isOver()) break;
      const failed = this.failedBefore(command, notice);
      if (failed !== null && failed.nextAt > this.place.clock.now()) continue;
      if (await this.run(command, notice, look)) sent.push(notice);
    }
    return sent;
  }

  /**
   * Whether a window is to run the command: no worker does, or it failed here for a notice, which workers leave to this
   * process while it lives.
   */
  isForWindow({ snapshot, world }: Look): boolean {
    if (world.settings.notify.length === 0) return false;
    return snapshot.workers.length === 0 || this.nextRunAt(snapshot.outbox) < Infinity;
  }

  /** Returns the earliest time at which the command runs again for one of these notices; Infinity: it failed for none. */
  nextRunAt(outbox: readonly OutboxEntry[]): EpochMs {
    // One that failed while the queue could not be written may have been sent by another process since.
    const unsent = outbox.filter(({ sent }) => !sent.includes('worker'));
    return Math.min(...unsent.map(({ notice }) => this.failed.get(noticeKey(notice))?.nextAt ?? Infinity));
  }

  /** Returns the failure of this very command for a notice; null: there is none. */
  private failedBefore(command: readonly string[], notice: Notice): Failed | null {
    const failed = this.failed.get(noticeKey(notice));
    return failed?.command === JSON.stringify(command) ? failed : null;
  }

  private async run(command: readonly string[], notice: Notice, look: Look): Promise<boolean> {
    const key = noticeKey(notice);
    const before = this.failedBefore(command, notice);
    const failure = await runNotify(command, notice, look, this.place);
    if (failure === null) {
      this.failed.delete(key);
      return true;
    }
    const waitMs = before === null ? FIRST_WAIT_MS : Math.min(before.waitMs * 3, LONGEST_WAIT_MS);
    const nextAt = this.place.clock.now() + waitMs;
    this.failed.set(key, { command: JSON.stringify(command), waitMs, nextAt });
    if (before === null) {
      const { title } = describeNotice(notice, look);
      this.place.warn(
        `The notify command "${String(command[0])}" failed for "${title}": ${failure}. Check the setting notify. The command is tried again later.`,
      );
    }
    return false;
  }
}
