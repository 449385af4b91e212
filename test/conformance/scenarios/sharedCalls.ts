import type { Choice } from '../../../src/domain/order/choice';
import { Fenced, Problem } from '../../../src/domain/problem';
import type { ProcessIdentity } from '../../../src/domain/task/processIdentity';
import { callbackKey } from '../../../src/domain/queue/callbacks';
import { noticeKey, type Notice } from '../../../src/domain/queue/notices';
import type { Claimed, RecoverRules, TaskQueue, ClaimRequest } from '../../../src/queue/taskQueue';
import { PERSON, workerOf } from '../harness';
import type { AnswerMove, Move, NoticeMove, PlaceMove } from './moves';

/** A call that two queues are to answer alike. */
export type Call = (queue: TaskQueue) => Promise<unknown>;

type Of<K extends Move['kind']> = Extract<Move, { readonly kind: K }>;
type OnClaim = Of<'start' | 'renew' | 'release'>;

/** The moves that are one call, and the same one in every sequence. */
export type SharedMove =
  | OnClaim
  | NoticeMove
  | AnswerMove
  | PlaceMove
  | Of<'edit' | 'command' | 'approve' | 'stop' | 'hold' | 'resume' | 'recover' | 'enlist' | 'leave'>;

/** Where a sequence is when it makes a call. */
export interface Moment {
  readonly op: string;
  readonly now: number;
  readonly rules: RecoverRules;
  /** One of the claims that were given. */
  readonly pick: (which: number) => Claimed | undefined;
}

/** The call that a move is. */
export function callOf(move: SharedMove, { op, now, rules, pick }: Moment): Call {
  switch (move.kind) {
    case 'edit':
      return (queue) => queue.edit(move.id, move.cells, op);
    case 'place':
      return (queue) => queue.move(move.id, move.before, op);
    case 'start':
    case 'renew':
    case 'release':
      return callOnClaim(move, pick(move.which), op);
    case 'command':
      return (queue) => queue.command(move.id, move.verb, op);
    case 'answer':
      return (queue) => queue.answer(move.id, { question: move.question, answer: `Answer of ${op}` }, op);
    case 'approve':
      return async (queue) => {
        const { tasks } = await queue.read();
        await queue.approve(
          tasks.map(({ state }) => state).filter(({ id }) => id === move.id),
          op,
        );
      };
    case 'stop':
      return (queue) => queue.stop(move.how, op);
    case 'hold':
      return (queue) => queue.hold({ by: move.by, why: `because of ${op}`, ...given(move) }, op);
    case 'resume':
      return (queue) => queue.resume(op, given(move));
    case 'recover':
      return (queue) => queue.recover(rules, op);
    case 'enlist': {
      const worker = { owner: workerOf(move.pid), since: now };
      return (queue) => queue.register(worker, { alone: move.alone }, op);
    }
    case 'claimNotices':
      return callForNotices(move, op);
    case 'confirmNotices':
      return async (queue) => {
        const { outbox } = await queue.read();
        const keys = outbox.slice(0, move.which).map(({ notice }) => noticeKey(notice));
        await queue.confirmNotices(move.channel, keys, op);
      };
    case 'claimCallbacks': {
      const { machine, process } = workerOf(move.pid);
      const request = { sender: { machine, process }, targets: move.targets, limit: 3 };
      return (queue) => queue.claimCallbacks(request, op);
    }
    case 'settleCallbacks':
      return settleCallbacks(move, op);
    case 'leave':
      return (queue) => queue.leave(workerOf(move.pid), op);
  }
}

function callOnClaim({ kind }: OnClaim, claimed: Claimed | undefined, op: string): Call {
  if (claimed === undefined) return () => Promise.resolve();
  const { claim } = claimed;
  if (kind === 'start') return (queue) => queue.start(claim, runOf(claim.token), op);
  if (kind === 'renew') return (queue) => queue.renew(claim, 0);
  return (queue) => queue.release(claim, 'stopped', op);
}

function callForNotices({ channel, pid, died, late }: Of<'claimNotices'>, op: string): Call {
  const { machine, process } = workerOf(pid);
  return async (queue) => {
    const { tasks } = await queue.read();
    const task = tasks.find(({ definition }) => definition.id === late);
    const observed: Notice[] = [
      { kind: 'worker-died', worker: workerOf(died).worker, process: workerOf(died).process },
      ...(task === undefined
        ? []
        : [{ kind: 'late', id: late, power: task.state.power, by: task.state.firstSeenAt } as const]),
    ];
    return queue.claimNotices({ channel, sender: { machine, process }, observed }, op);
  };
}

function settleCallbacks({ pid, which, fails }: Of<'settleCallbacks'>, op: string): Call {
  const { machine, process } = workerOf(pid);
  return async (queue) => {
    const { callbacks } = await queue.read();
    const tries = callbacks.slice(0, which).map(({ callback }) => ({
      key: callbackKey(callback),
      host: 'https://queue.test',
      failure: fails ? ({ kind: 'timeout' } as const) : null,
    }));
    await queue.settleCallbacks({ machine, process }, tries, op);
  };
}

function given({ by, priorities }: Of<'hold' | 'resume'>): object {
  return { ...(by === null ? {} : { by }), ...(priorities === null ? {} : { priorities }) };
}

/** The process of a run. */
export function runOf(token: number): ProcessIdentity {
  return { pid: 1000 + token, startedAt: 'x' };
}

/** Returns the claim request of a worker or the user; `rest` comes from the sequence. */
export function requestOf(
  { pid, id, byHand, priorities, tags, users, stealFrom }: Omit<Of<'claim'>, 'kind'>,
  rest: Omit<ClaimRequest, 'owner' | keyof Choice>,
): ClaimRequest {
  return {
    owner: byHand && id !== null ? PERSON : workerOf(pid),
    ...rest,
    ...(id === null ? {} : { id, override: { time: true, unattendedRules: byHand } }),
    ...(priorities === null ? {} : { priorities }),
    ...(tags === null ? {} : { tags }),
    ...(users === null ? {} : { users }),
    ...(stealFrom === null ? {} : { stealFrom }),
  };
}

export function isClaimed(value: unknown): value is Claimed {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'claimed';
}

/** Returns the answer to a call, or the reason why it was refused. */
export async function answerOf(call: Promise<unknown>): Promise<{ value?: unknown; refused?: string }> {
  try {
    return { value: await call };
  } catch (error) {
    if (error instanceof Problem) return { refused: error.reason };
    if (error instanceof Fenced) return { refused: 'fenced' };
    throw error;
  }
}
