import { createWorld, type World } from '../../domain/reasons/world';
import { noticeKey, type Notice, type NoticeChannel, type NoticeSender } from '../../domain/queue/notices';
import { observeNotices, observeTimer } from '../../domain/queue/observeNotices';
import { isProblem } from '../../domain/problem';
import { livenessOn } from '../../queue/model/liveness';
import { maySend } from '../../queue/model/outbox';
import type { Machine, Snapshot, TaskQueue } from '../../queue/taskQueue';
import { MACHINE_ZONE } from '../viewModel/queueViewModel';

/** Dependencies of `DueNotices`. */
export interface DueNoticesDeps {
  readonly queue: TaskQueue;
  readonly channel: NoticeChannel;
  readonly sender: NoticeSender;
  readonly machine: Machine;
  readonly createId: () => string;
  /** Shows notices to the user and returns those shown. The others are sent again; if it rejects, all of them. */
  readonly send: (notices: readonly Notice[], look: Look) => Promise<readonly Notice[]>;
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
  private sending: Promise<void> | null = null;

  constructor(private readonly deps: DueNoticesDeps) {}

  /** Sends what is due. A call while another one is sending joins it; the next look finds what remains. */
  async sendDue(look: Look): Promise<void> {
    this.sending ??= this.sendOnce(look).finally(() => {
      this.sending = null;
    });
    return this.sending;
  }

  private async sendOnce(look: Look): Promise<void> {
    const { channel } = this.deps;
    const { snapshot, world } = look;
    const observed = [
      ...observeNotices(world, snapshot.died),
      ...observeTimer(snapshot.timer, world.now, MACHINE_ZONE),
    ];
    const due = this.findDue(look.snapshot, observed);
    if (due.length === 0 && this.unrecorded.size === 0) return;
    const claimed = await this.claim(observed);
    const fresh = (claimed ?? due).filter((notice) => !this.unrecorded.has(noticeKey(notice)));
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

  private findDue({ outbox }: Snapshot, observed: readonly Notice[]): Notice[] {
    const liveness = livenessOn(this.deps.machine);
    const known = new Set(outbox.map(({ notice }) => noticeKey(notice)));
    return [
      ...outbox.filter((entry) => maySend(entry, this.deps, liveness)).map(({ notice }) => notice),
      ...observed.filter((notice) => !known.has(noticeKey(notice))),
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
