import type { CallbackFailure } from '../../../src/domain/queue/callbacks';
import type { Post } from '../../../src/platform/net/post';
import type { Audit } from '../audit/audit';
import type { NoticeAudit } from '../audit/noticeAudit';
import type { Kernel } from '../machine/kernel';
import type { SimProcess } from '../machine/process';
import type { Random } from '../machine/random';
import { Violation } from './violation';

/** Address of the machine's owner, and one that a row may have. */
export const QUEUE_URL = 'https://receiver.example/hook';
export const ROW_URL = 'https://other.example/row';

const MOST_TRIES = 3;
/** Shortest time in ms before the second and the third try. A process knows its time in whole milliseconds. */
const WAITS_MS = [9_999, 59_999] as const;

/** Time in ms that a process takes to record an answer. */
const RECORDED_MS = 1_000;

/** A request as it left a process. */
interface Try {
  readonly by: SimProcess;
  readonly at: number;
  readonly body: string;
  /** Running time at which the process had its answer; null: it ended before. */
  endedAt: number | null;
  isDelivered: boolean;
}

type Called = Pick<Audit['finished'][number]['attempt'], 'id' | 'number' | 'outcome'>;

/** Facts that the body of a callback has. */
interface Body {
  readonly taskId: number;
  readonly attemptId: string;
  readonly attempt: number;
  readonly outcome: string;
  readonly status: string;
}

/** Receiver of callbacks on the network. It answers as its seed says: with success, an error, or not at all. */
export class CallbackReceiver {
  /** Whether all requests succeed. */
  isKind = false;
  /** Requests by address and attempt. */
  private readonly tries = new Map<string, Try[]>();

  constructor(
    private readonly kernel: Kernel,
    private readonly random: Random,
    private readonly log: (line: string) => void,
  ) {}

  /** Answers a request of a process, as the network would. */
  answer(by: SimProcess, { url, headers, body }: Post, timeoutMs: number): Promise<CallbackFailure | null> {
    const failure = this.isKind ? null : this.drawFailure();
    const one: Try = { by, at: this.kernel.now, body, endedAt: null, isDelivered: false };
    const key = `${url} ${headers['idempotency-key'] ?? ''}`;
    this.tries.set(key, [...(this.tries.get(key) ?? []), one]);
    const tookMs = failure?.kind === 'timeout' ? timeoutMs : by.random.next() * 900;
    return new Promise((resolve) => {
      this.kernel.after(by, tookMs, () => {
        this.log(`callback ${key}: ${failure?.kind ?? 'delivered'}`);
        Object.assign(one, { endedAt: this.kernel.now, isDelivered: failure === null });
        resolve(failure);
      });
    });
  }

  private drawFailure(): CallbackFailure | null {
    return this.random.weighted<CallbackFailure | null>([
      [4, null],
      [1, { kind: 'status', status: 500 }],
      [1, { kind: 'timeout' }],
      [1, { kind: 'connection', code: 'ECONNREFUSED' }],
    ]);
  }

  /** Checks at the end that each end was posted, and as often as it should be. @throws Violation */
  check(audit: Audit, notices: NoticeAudit, urlOfQueue: string | undefined): void {
    const [waiting] = audit.state.queue.callbacks.values();
    if (waiting !== undefined) throw broken(waiting.callback.attempt, 'still waits to be posted');
    const ends = new Map(audit.finished.map((end) => [end.mark, end.attempt]));
    for (const { mark, attempt } of audit.finished)
      for (const url of urlsOf(mark, audit, urlOfQueue)) this.checkPosted(attempt, `${url} ${mark}`);
    for (const [key, tries] of this.tries) {
      const attempt = ends.get(key.slice(key.indexOf(' ') + 1));
      if (attempt === undefined) throw new Violation('called back', `${key} is the id of no end`);
      checkBodies(attempt, tries);
      if (!tries.some(({ at, endedAt }) => notices.isNearFault(at, endedAt ?? at)))
        checkTimes(attempt, tries, audit);
    }
  }

  private checkPosted(attempt: Called, key: string): void {
    const tries = this.tries.get(key) ?? [];
    if (tries.length < MOST_TRIES && !tries.some(({ isDelivered }) => isDelivered))
      throw broken(attempt, `was not delivered and tried ${String(tries.length)} times`);
  }
}

/** Returns the addresses that must get the end of a claim: those of the queue, and of every row that it may be of. */
function urlsOf(mark: string, { claims }: Audit, urlOfQueue: string | undefined): Set<string> {
  const rows = claims.get(mark)?.rows ?? [];
  const [url] = rows.map(({ callbackUrl }) => callbackUrl);
  const isSure = rows.every(({ callbackUrl }) => callbackUrl === url);
  return new Set([urlOfQueue, isSure ? url : undefined].filter((one) => one !== undefined));
}

/** Each try has the same body, and it is about the attempt. */
function checkBodies(attempt: Called, tries: readonly Try[]): void {
  const [body = '', ...others] = new Set(tries.map((one) => one.body));
  if (others.length > 0) throw broken(attempt, 'has another body in another try');
  const { taskId, attempt: number, outcome, status } = JSON.parse(body) as Body;
  const isSame = taskId === attempt.id && number === attempt.number && outcome === attempt.outcome;
  if (!isSame || (status === 'completed') !== (outcome === 'success'))
    throw broken(attempt, `(${attempt.outcome}) is posted as ${body}`);
}

/**
 * Nothing is posted again after success, and not before its time. A clock that is set changes the times. A try counts once its
 * answer is recorded: a worker that ends does not wait for the last one.
 */
function checkTimes(attempt: Called, tries: readonly Try[], { owner }: Audit): void {
  const answered = tries.filter(({ by, endedAt }) => endedAt !== null && by.diedAtMs > endedAt + RECORDED_MS);
  if (answered.length > MOST_TRIES || answered.some((one) => one.isDelivered && one !== tries.at(-1)))
    throw broken(attempt, `is posted ${String(tries.length)} times`);
  if (owner.hasSteppedSince(0)) return;
  for (const { at } of tries) {
    const before = answered.filter(({ endedAt }) => endedAt !== null && endedAt <= at);
    const waitedMs = at - (before.at(-1)?.endedAt ?? -Infinity);
    if (waitedMs < (WAITS_MS[before.length - 1] ?? 0))
      throw broken(attempt, `is posted again after ${String(Math.round(waitedMs))} ms`);
  }
}

function broken({ id, number }: Pick<Called, 'id' | 'number'>, what: string): Violation {
  return new Violation('called back', `attempt ${String(number)} of task ${String(id)} ${what}`);
}
