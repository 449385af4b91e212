import * as fc from 'fast-check';
import { OUTCOMES, type Outcome } from '../../../src/domain/task/attempt';
import type { CallbackTarget } from '../../../src/domain/queue/callbacks';
import { NOTICE_CHANNELS, type NoticeChannel } from '../../../src/domain/queue/notices';
import { PRIORITIES, type Priority } from '../../../src/domain/task/priority';
import { NEEDS_ANSWER } from '../../../src/domain/task/reviewReasons';
import { STATUSES, type Status, type TaskId } from '../../../src/domain/task/task';
import type { Hold } from '../../../src/domain/queue/view';
import type { Verb } from '../../../src/queue/taskQueue';
import type { StopHow } from '../../../src/domain/queue/workerStop';
import { messageOf } from '../harness';

/** One thing that the user or a program does to a queue. */
export type Move =
  | {
      readonly kind: 'put';
      readonly id: TaskId;
      readonly priority: Priority;
      readonly prompt: number;
      readonly user: string;
      readonly dependsOn: readonly TaskId[];
      readonly repeats: boolean;
      readonly status: Status | null;
      readonly retryCount: number | null;
      readonly scheduledInMinutes: number | null;
    }
  | { readonly kind: 'remove'; readonly id: TaskId }
  | { readonly kind: 'add'; readonly prompt: number }
  | { readonly kind: 'edit'; readonly id: TaskId; readonly cells: Readonly<Record<string, string>> }
  | PlaceMove
  | {
      readonly kind: 'claim';
      readonly pid: number;
      readonly id: TaskId | null;
      readonly byHand: boolean;
      readonly priorities: readonly Priority[] | null;
      readonly tags: readonly string[] | null;
      readonly users: readonly string[] | null;
      readonly stealFrom: readonly string[] | null;
    }
  | { readonly kind: 'hold'; readonly by: Hold['by']; readonly priorities: readonly Priority[] | null }
  | {
      readonly kind: 'resume';
      readonly by: Hold['by'] | null;
      readonly priorities: readonly Priority[] | null;
    }
  | Alike<'start' | 'renew' | 'release', { readonly which: number }>
  | {
      readonly kind: 'finish';
      readonly which: number;
      readonly outcome: Outcome;
      readonly asks: boolean;
      readonly continues: boolean;
    }
  | { readonly kind: 'command'; readonly id: TaskId; readonly verb: Verb }
  | AnswerMove
  | { readonly kind: 'approve'; readonly id: TaskId }
  | { readonly kind: 'stop'; readonly how: StopHow }
  | { readonly kind: 'advance'; readonly minutes: number }
  | { readonly kind: 'enlist'; readonly pid: number; readonly alone: boolean }
  | Alike<'kill' | 'leave', { readonly pid: number }>
  | NoticeMove
  | Alike<'recover' | 'reset' | 'repeat' | 'reopen', unknown>;

/** The user moves a row before another one, or to the end. */
export interface PlaceMove {
  readonly kind: 'place';
  readonly id: TaskId;
  readonly before: TaskId | null;
}

/** The user answers this question of a task, which may ask another one, or none. */
export interface AnswerMove {
  readonly kind: 'answer';
  readonly id: TaskId;
  readonly question: string;
}

/**
 * A process asks for notices to send, having seen that this worker died and this deadline passed; or has sent them. Or it
 * asks for callbacks, or has tried to send them.
 */
export type NoticeMove =
  | {
      readonly kind: 'claimNotices';
      readonly channel: NoticeChannel;
      readonly pid: number;
      readonly died: number;
      readonly late: TaskId;
    }
  | { readonly kind: 'confirmNotices'; readonly channel: NoticeChannel; readonly which: number }
  | { readonly kind: 'claimCallbacks'; readonly pid: number; readonly targets: readonly CallbackTarget[] }
  | {
      readonly kind: 'settleCallbacks';
      readonly pid: number;
      readonly which: number;
      readonly fails: boolean;
    };

/** A move of its own for each kind. */
type Alike<Kinds extends string, Rest> = { readonly [K in Kinds]: { readonly kind: K } & Rest }[Kinds];

const id = fc.integer({ min: 1, max: 4 });
const pid = fc.integer({ min: 1, max: 3 });
const which = fc.nat(5);
const prompt = fc.nat(2);

function rarely<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.option(arbitrary, { freq: 1 });
}

const put = fc.record({
  kind: fc.constant('put' as const),
  id,
  priority: fc.constantFrom(...PRIORITIES),
  prompt,
  user: fc.constantFrom('', 'ann', 'bob'),
  dependsOn: fc.uniqueArray(id, { maxLength: 2 }),
  repeats: fc.boolean(),
  status: rarely(fc.constantFrom(...STATUSES)),
  retryCount: rarely(fc.nat(3)),
  scheduledInMinutes: rarely(fc.nat(90)),
});

const priorities = rarely(fc.uniqueArray(fc.constantFrom(...PRIORITIES), { minLength: 1, maxLength: 2 }));

const by = fc.constantFrom('person' as const, 'bounds' as const);

const claim = fc.record({
  kind: fc.constant('claim' as const),
  pid,
  id: rarely(id),
  byHand: fc.boolean(),
  priorities,
  tags: rarely(fc.constantFrom(['web'], ['docs', 'web'])),
  users: rarely(fc.constantFrom(['ann'], ['bob', 'ann'])),
  stealFrom: rarely(fc.constantFrom([], ['bob'], ['ann', ''])),
});

const edit = fc.record({
  kind: fc.constant('edit' as const),
  id,
  cells: fc.constantFrom<Readonly<Record<string, string>>>(
    { priority: 'critical' },
    { tags: 'web' },
    { prompt: 'Do something else' },
    { dependencies: '1|2' },
    { dependencies: '3', priority: 'low' },
    { dependencies: '9' },
    { priority: 'soon' },
  ),
});

const finish = fc.record({
  kind: fc.constant('finish' as const),
  which,
  outcome: fc.constantFrom(...OUTCOMES),
  asks: fc.boolean(),
  continues: fc.boolean(),
});

const command = fc.record({
  kind: fc.constant('command' as const),
  id,
  verb: fc.constantFrom('retry' as const, 'accept' as const, 'cancel' as const),
});

/** Moves of the rows of tasks up to this id. */
export function anyPlace(max: number): fc.Arbitrary<PlaceMove> {
  const one = fc.integer({ min: 1, max });
  return fc.record({ kind: fc.constant('place' as const), id: one, before: rarely(one) });
}

/** Answers to questions of the tasks up to this id. */
export function anyAnswer(max: number): fc.Arbitrary<AnswerMove> {
  const asked = messageOf(NEEDS_ANSWER);
  return fc.record({
    kind: fc.constant('answer' as const),
    id: fc.integer({ min: 1, max }),
    question: fc.constantFrom(asked, asked, asked, 'Another one?'),
  });
}

/** Moves that concern notices. */
export const anyNoticeMove: fc.Arbitrary<NoticeMove> = fc.oneof(
  fc.record({
    kind: fc.constant('claimNotices' as const),
    channel: fc.constantFrom(...NOTICE_CHANNELS),
    pid,
    died: pid,
    late: id,
  }),
  fc.record({
    kind: fc.constant('confirmNotices' as const),
    channel: fc.constantFrom(...NOTICE_CHANNELS),
    which,
  }),
  fc.record({
    kind: fc.constant('claimCallbacks' as const),
    pid,
    targets: fc.constantFrom<readonly CallbackTarget[]>(['row', 'queue'], ['row']),
  }),
  fc.record({ kind: fc.constant('settleCallbacks' as const), pid, which, fails: fc.boolean() }),
);

/** Any move; those that make a queue live more often than those that end something. */
export const anyMove: fc.Arbitrary<Move> = fc.oneof(
  { weight: 16, arbitrary: put },
  { weight: 8, arbitrary: claim },
  { weight: 8, arbitrary: finish },
  { weight: 3, arbitrary: command },
  { weight: 3, arbitrary: anyAnswer(4) },
  { weight: 2, arbitrary: edit },
  { weight: 2, arbitrary: anyPlace(4) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('hold' as const), by, priorities }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('resume' as const), by: rarely(by), priorities }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('advance' as const), minutes: fc.nat(300) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), id }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('start' as const, 'renew' as const, 'release' as const),
      which,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('kill' as const), pid }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('enlist' as const), pid, alone: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const), pid }) },
  { weight: 3, arbitrary: anyNoticeMove },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('add' as const), prompt }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('approve' as const), id }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('stop' as const),
      how: fc.constantFrom('after-task' as const, 'now' as const),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('recover', 'recover', 'reset', 'repeat', 'repeat', 'reopen', 'reopen'),
    }),
  },
);
