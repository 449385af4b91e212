import type { EpochMs } from '../../domain/time/epoch';
import { pick } from '../../domain/pick';
import { createWorld, type World } from '../../domain/reasons/world';
import type { NoticeSender } from '../../domain/queue/noticeSender';
import { noticeKey, type Notice, type NoticeChannel } from '../../domain/queue/notices';
import { observeNotices, observeTimer } from '../../domain/queue/observeNotices';
import { isProblem } from '../../domain/problem';
import { livenessOn } from '../../queue/model/liveness';
import { maySend } from '../../queue/model/outbox';
import type { Machine, Snapshot, TaskQueue } from '../../queue/taskQueue';
import { timerZone } from '../schedule/timerZone';

/** Dependencies of `DueNotices`. */
export interface DueNoticesDeps {
  readonly queue: TaskQueue;
  readonly channel: NoticeChannel;
  readonly sender: NoticeSender;
  readonly machine: Machine;
  readonly createId: () => string;
  /** Shows notices to the user and returns those shown. The others are sent again; if it rejects, all of them. */
  readonly send: (notices: readonly Notice[], look: Look) => Promise<readonly Notice[]>;
  /** Returns the time until which to collect more notices before any is sent; null: send now. Absent: never wait. */
  readonly collectUntil?: (due: readonly DueNotice[], look: Look) => EpochMs | null;
}

/** Notice that is to be sent. */
export interface DueNotice {
  readonly notice: Notice;
  /** Time at which it was raised; null: it is not recorded yet. */
  readonly at: EpochMs | null;
}

/** State of a queue at one moment. */
export interface Look {
  readonly snapshot: Snapshot;
  readonly world: World;
}

/** Facts besides the queue. */
export type Around = Omit<World, 'queue' | 'byId'>;

/**
 * Sends due notices by one channel, each at least once. A notice is claimed in the queue's outbox, sent, and recorded
 * as sent. If the disk is full, it is sent without a claim and recorded once there is room.
 */
export class DueNotices {
  /** Keys of notices that were sent here and are not recorded as sent. */
  private readonly unrecorded = new Set<string>();
  private sending: Promise<EpochMs | null> | null = null;

  constructor(private readonly deps: DueNoticesDeps) {}

  /**
   * Sends what is due. A call while another one is sending joins it; the next look finds what remains. Returns the time
   * at which to look again because notices are being collected; null: no look is needed.
   */
  async sendDue(look: Look): Promise<EpochMs | null> {
    this.sending ??= this.sendOnce(look).finally(() => {
      this.sending = null;
    });
    return this.sending;
  }

  private async sendOnce(look: Look): Promise<EpochMs | null> {
    const { snapshot, world } = look;
    const observed = [
      ...observeNotices(world, snapshot.died),
      ...observeTimer({
        ...pick(snapshot, ['timer', 'workers']),
        now: world.now,
        timeZone: timerZone(snapshot.timer),
      }),
    ];
    const due = this.findDue(look.snapshot, observed);
    const until = this.deps.collectUntil?.(due, look) ?? null;
    if (this.unrecorded.size > 0 || (due.length > 0 && until === null)) {
      await this.claimAndSend(observed, due, look);
      return null;
    }
    return until;
  }

  private async claimAndSend(
    observed: readonly Notice[],
    due: readonly DueNotice[],
    look: Look,
  ): Promise<void> {
    const { channel } = this.deps;
    const claimed = await this.claim(observed);
    const found = claimed ?? due.map(({ notice }) => notice);
    const fresh = found.filter((notice) => !this.unrecorded.has(noticeKey(notice)));
    const shown = fresh.length > 0 ? await this.deps.send(fresh, look) : [];
    for (const notice of shown) this.unrecorded.add(noticeKey(notice));
    if (claimed === null) return;
    const keys = claimed.map(noticeKey).filter((key) => this.unrecorded.has(key));
    if (keys.length > 0) {
      const isRecorded = await this.untilFull(() =>
        this.deps.queue.confirmNotices(channel, keys, this.deps.createId()).then(() => true),
      );
      if (isRecorded === null) return;
    }
    this.unrecorded.clear();
  }

  private findDue({ outbox }: Snapshot, observed: readonly Notice[]): DueNotice[] {
    const liveness = livenessOn(this.deps.machine);
    const known = new Set(outbox.map(({ notice }) => noticeKey(notice)));
    return [
      ...outbox.filter((entry) => maySend(entry, this.deps, liveness)),
      ...observed.filter((notice) => !known.has(noticeKey(notice))).map((notice) => ({ notice, at: null })),
    ];
  }

  private claim(observed: readonly Notice[]): Promise<readonly Notice[] | null> {
    const { queue, channel, sender, createId } = this.deps;
    return this.untilFull(() => queue.claimNotices({ channel, sender, observed }, createId()));
  }

  /** Returns null if the queue cannot be written to now. */
  private async untilFull<T>(write: () => Promise<T>): Promise<T | null> {
    try {
      return await write();
    } catch (error) {
      if (isProblem(error, 'queue-unwritable')) return null;
      throw error;
    }
  }
}

/** Reads the queue. */
export async function lookAt(queue: TaskQueue, around: Around): Promise<Look> {
  const snapshot = await queue.read();
  return { snapshot, world: createWorld({ queue: snapshot, ...around }) };
}
