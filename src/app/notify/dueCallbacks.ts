import {
  callbackKey,
  type CallbackEntry,
  type CallbackFailure,
  type CallbackRequest,
  type CallbackTry,
} from '../../domain/queue/callbacks';
import { hostOf, isCallbackUrl } from '../../domain/queue/callbackUrl';
import type { NoticeSender } from '../../domain/queue/noticeSender';
import { isProblem } from '../../domain/problem';
import type { Attempt } from '../../domain/task/attempt';
import type { EpochMs } from '../../domain/time/epoch';
import type { Clock } from '../../platform/clock';
import { hasCode } from '../../platform/files/files';
import { post, type Post, type PostRules } from '../../platform/net/post';
import { livenessOn } from '../../queue/model/liveness';
import { mayCall } from '../../queue/model/callbackSteps';
import type { Machine, Snapshot, TaskQueue } from '../../queue/taskQueue';
import { composeCallback, type CallbackSettings } from './composeCallback';

/** Dependencies of `DueCallbacks`. */
export interface DueCallbacksDeps {
  readonly queue: TaskQueue;
  readonly sender: NoticeSender;
  readonly machine: Machine;
  readonly createId: () => string;
  readonly clock: Clock;
  /** Returns the settings of this machine now. */
  readonly settings: () => CallbackSettings;
  /** Returns Claude's last answer in an attempt; null: its output is not on this machine. */
  readonly readResult: (attempt: Attempt) => Promise<string | null>;
  /** Tests pass their own; absent: a real request. */
  readonly post?: (request: Post, rules: PostRules) => Promise<CallbackFailure | null>;
}

/** Time that a receiver has to answer, in ms. */
const LONGEST_MS = 10_000;

/** Callbacks that are sent at the same time, so that a slow receiver does not hold up the others. */
const AT_ONCE = 8;

/**
 * Sends the callbacks that are due, each at least once: claimed in the queue, sent, and its result recorded. A process
 * that dies in between leaves them to the next one.
 */
export class DueCallbacks {
  private sending: Promise<void> | null = null;

  constructor(private readonly deps: DueCallbacksDeps) {}

  /** Sends what is due in a snapshot, until `isOver`. A call while another one is sending joins it. */
  async sendDue(snapshot: Snapshot, isOver: () => boolean): Promise<void> {
    this.sending ??= this.sendAll(snapshot, isOver).finally(() => {
      this.sending = null;
    });
    return this.sending;
  }

  private async sendAll(snapshot: Snapshot, isOver: () => boolean): Promise<void> {
    const { queue, sender, createId } = this.deps;
    const request = { sender, targets: this.findTargets(), limit: AT_ONCE };
    let isAny = this.isAnyDue(snapshot, request);
    while (isAny && !isOver()) {
      const claimed = await queue.claimCallbacks(request, createId());
      // Each is recorded at once: another may take long, and the worker may end meanwhile.
      const settled = claimed.map(async (entry) =>
        queue.settleCallbacks(sender, [await this.send(entry)], createId()),
      );
      const ends = await Promise.allSettled(settled);
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
      isAny = claimed.length === AT_ONCE;
    }
  }

  private isAnyDue({ callbacks }: Snapshot, request: CallbackRequest): boolean {
    const { machine, clock } = this.deps;
    const liveness = livenessOn(machine);
    return callbacks.some((entry) => mayCall(entry, request, liveness, clock.now()));
  }

  /** Returns when each of those that are left may be tried again. */
  listNextTries({ callbacks }: Snapshot): readonly EpochMs[] {
    const { sender, machine } = this.deps;
    const request = { sender, targets: this.findTargets() };
    const liveness = livenessOn(machine);
    const own = callbacks.filter((entry) => mayCall(entry, request, liveness, entry.nextAt));
    return own.map(({ nextAt }) => nextAt);
  }

  private findTargets(): CallbackRequest['targets'] {
    return this.deps.settings().callbackUrl === '' ? ['row'] : ['row', 'queue'];
  }

  private async send({ callback }: CallbackEntry): Promise<CallbackTry> {
    const { clock, settings, readResult, post: postOnce = post } = this.deps;
    const now = settings();
    const url = callback.url ?? now.callbackUrl;
    // A journal may have been written elsewhere.
    if (!isCallbackUrl(url)) return { key: callbackKey(callback), host: '', failure: { kind: 'no-address' } };
    const here = await readResult(callback.attempt).catch(ignoreUnreadable);
    const result = here ?? callback.result ?? null;
    const request = composeCallback(callback, now, { url, result, now: clock.now() });
    const failure = await postOnce(request, { allow: now.callbackAllow, timeoutMs: LONGEST_MS, clock });
    return { key: callbackKey(callback), host: hostOf(url), failure };
  }
}

/** A callback without the answer is better than none: the rest of it is in the journal. */
function ignoreUnreadable(error: unknown): null {
  if (isProblem(error) || hasCode(error, 'EACCES', 'EIO', 'ELOOP', 'ENOTDIR')) return null;
  throw error;
}
