import * as fc from 'fast-check';
import { OUTCOMES, type Outcome } from '../../src/domain/task/attempt';
import { PRIORITIES, type Priority } from '../../src/domain/task/priority';
import { NEEDS_ANSWER } from '../../src/domain/task/reviewReasons';
import type { TaskId } from '../../src/domain/task/task';
import type { Verb } from '../../src/queue/taskQueue';
import type { StopHow } from '../../src/domain/queue/workerStop';
import {
  anyAnswer,
  anyNoticeMove,
  anyPlace,
  type AnswerMove,
  type NoticeMove,
  type PlaceMove,
} from '../conformance/scenarios/moves';
import { anyHandEdit, type HandEdit, type SaveHow } from './handEdits';

/** Request of a worker that claims. */
export interface Asked {
  readonly pid: number;
  /** Only this task. */
  readonly id: TaskId | null;
  /** The user takes it; only with `id`. */
  readonly byHand: boolean;
  readonly priorities: readonly Priority[] | null;
  readonly tags: readonly string[] | null;
  readonly users: readonly string[] | null;
  readonly stealFrom: readonly string[] | null;
  /** Usage windows that are used up. `half`, `most`: the 5-hour window to that degree, shortly before its reset. */
  readonly closed: 'nothing' | 'opus' | 'everything' | 'half' | 'most';
  readonly trusted: boolean;
}

/** One thing that a program, the user or time does to a queue. */
export type Move =
  | { readonly kind: 'hand'; readonly edit: HandEdit; readonly how: SaveHow }
  | { readonly kind: 'add'; readonly rows: readonly NewCells[] }
  | { readonly kind: 'remove'; readonly ids: readonly TaskId[] }
  | { readonly kind: 'edit'; readonly id: TaskId; readonly cells: Cells }
  | { readonly kind: 'claim'; readonly asked: Asked }
  /** A worker claims the next, and its run comes to this. */
  | { readonly kind: 'work'; readonly outcome: Outcome; readonly reason: string }
  | Alike<'start' | 'renew' | 'release', { readonly which: number }>
  | {
      readonly kind: 'finish';
      readonly which: number;
      readonly outcome: Outcome;
      readonly reason: string;
      readonly next: Asked | null;
    }
  | { readonly kind: 'command'; readonly id: TaskId; readonly verb: Verb }
  | { readonly kind: 'approve'; readonly id: TaskId }
  | { readonly kind: 'hold'; readonly by: By; readonly priorities: readonly Priority[] | null }
  | { readonly kind: 'resume'; readonly by: By | null; readonly priorities: readonly Priority[] | null }
  | { readonly kind: 'stop'; readonly how: StopHow }
  | { readonly kind: 'enlist'; readonly pid: number; readonly alone: boolean }
  | Alike<'kill' | 'leave', { readonly pid: number }>
  | NoticeMove
  | AnswerMove
  | PlaceMove
  | { readonly kind: 'time'; readonly minutes: number }
  | Alike<'recover' | 'reset' | 'repeat' | 'crash' | 'open' | 'settle', unknown>;

/** A move, and through which of the openings of the queue it is made. */
export interface Turn {
  readonly move: Move;
  readonly through: number;
}

/** A move of its own for each kind. */
type Alike<Kinds extends string, Rest> = { readonly [K in Kinds]: { readonly kind: K } & Rest }[Kinds];
type By = 'person' | 'bounds';
type Cells = Readonly<Record<string, string>>;
/** Cells of a new task, and the new tasks that it depends on, by their place in the call; one may not exist. */
interface NewCells {
  readonly cells: Cells;
  readonly after: readonly number[];
}

const id = fc.integer({ min: 1, max: 6 });
const pid = fc.integer({ min: 1, max: 3 });
const which = fc.nat(7);

function is<T extends string>(...kinds: T[]): { readonly kind: fc.Arbitrary<T> } {
  return { kind: fc.constantFrom(...kinds) };
}

function sometimes<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.option(arbitrary, { freq: 1 });
}

const priorities = fc.uniqueArray(fc.constantFrom(...PRIORITIES), { minLength: 1, maxLength: 2 });

const asked: fc.Arbitrary<Asked> = fc.record({
  pid,
  id: sometimes(id),
  byHand: fc.boolean(),
  priorities: sometimes(priorities),
  tags: fc.option(fc.constantFrom(['web'], ['spare', 'web']), { freq: 4 }),
  users: sometimes(fc.constantFrom(['ann'], ['bob', 'ann'], ['nobody'])),
  stealFrom: fc.option(fc.constantFrom([], ['bob'], ['ann', '']), { freq: 3 }),
  closed: fc.oneof(
    { weight: 7, arbitrary: fc.constant('nothing' as const) },
    { weight: 2, arbitrary: fc.constantFrom('opus' as const, 'everything' as const) },
    { weight: 3, arbitrary: fc.constantFrom('half' as const, 'most' as const) },
  ),
  trusted: fc.oneof(
    { weight: 7, arbitrary: fc.constant(true) },
    { weight: 1, arbitrary: fc.constant(false) },
  ),
});

const cells: fc.Arbitrary<Cells> = fc.constantFrom<Cells>(
  { priority: 'critical' },
  { priority: 'low' },
  { prompt: 'Something else' },
  { working_dir: '/place/c', prompt: 'Two\nlines, "quoted"' },
  { dependencies: '2' },
  { dependencies: '1|3' },
  { dependencies: '9' },
  { dependencies: '' },
  { user: 'bob' },
  { tags: 'spare' },
  { tags: 'docs|web' },
  { priority: 'soon' },
  { colour: 'red' },
);

const newCells: fc.Arbitrary<NewCells> = fc.record({
  cells,
  after: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: fc.uniqueArray(fc.nat(2), { minLength: 1, maxLength: 2 }) },
  ),
});

const outcome = fc.oneof(
  { weight: 2, arbitrary: fc.constant('success' as const) },
  { weight: 1, arbitrary: fc.constantFrom(...OUTCOMES) },
);

const reason = fc.constantFrom('this', 'this', 'that', NEEDS_ANSWER);

const WEIGHTED: readonly (readonly [number, fc.Arbitrary<Move>])[] = [
  [18, fc.record({ ...is('hand'), edit: anyHandEdit, how: fc.constantFrom('in place', 'by rename') })],
  [12, fc.record({ ...is('claim'), asked })],
  [12, fc.record({ ...is('work'), outcome, reason })],
  [
    12,
    fc.record({
      ...is('finish'),
      which,
      outcome,
      reason,
      next: sometimes(asked),
    }),
  ],
  [
    6,
    fc.record({
      ...is('time'),
      minutes: fc.oneof(fc.nat(90), fc.nat(2000), fc.integer({ min: -30, max: 0 })),
    }),
  ],
  [4, fc.record({ ...is('command'), id, verb: fc.constantFrom('retry', 'accept', 'cancel') })],
  [3, fc.record({ ...is('add'), rows: fc.array(newCells, { minLength: 1, maxLength: 3 }) })],
  [2, fc.record({ ...is('remove'), ids: fc.uniqueArray(id, { minLength: 1, maxLength: 2 }) })],
  [4, fc.record({ ...is('edit'), id, cells })],
  [3, anyPlace(6)],
  [3, fc.record({ ...is('start', 'renew', 'release'), which })],
  [3, fc.record({ ...is('kill'), pid })],
  [
    2,
    fc.record({ ...is('hold'), by: fc.constantFrom('person', 'bounds'), priorities: sometimes(priorities) }),
  ],
  [
    3,
    fc.record({
      ...is('resume'),
      by: sometimes(fc.constantFrom('person' as const, 'bounds' as const)),
      priorities: sometimes(priorities),
    }),
  ],
  [1, fc.record({ ...is('approve'), id })],
  [1, fc.record({ ...is('stop'), how: fc.constantFrom('after-task', 'now') })],
  [1, fc.record({ ...is('enlist'), pid, alone: fc.boolean() })],
  [1, fc.record({ ...is('leave'), pid })],
  [3, anyAnswer(6)],
  [4, anyNoticeMove],
  [4, fc.record(is('recover', 'repeat'))],
  [3, fc.record(is('crash', 'open', 'settle'))],
  [1, fc.record(is('reset', 'repeat'))],
];

const anyTurn: fc.Arbitrary<Turn> = fc.record({
  move: fc.oneof(...WEIGHTED.map(([weight, arbitrary]) => ({ weight, arbitrary }))),
  through: fc.nat(2),
});

/** Settings of an owner: small numbers, so that everything with a bound can be used up. */
export const anyRules = fc.record({
  maxRunning: fc.constantFrom(1, 2),
  maxPerHour: fc.constantFrom(3, 8, 20),
  breakerFailures: fc.constantFrom(0, 2),
  strict: fc.boolean(),
  reserve: fc.constantFrom(0, 0.2),
  reserveFor: fc.constantFrom(['critical'], []),
  missedRuns: fc.constantFrom('once', 'skip', 'all'),
  missedAfter: fc.constantFrom('0s', '1h'),
  quietHours: fc.constantFrom(
    [],
    [{ from: '12:00', to: '13:00', priorities: ['low'] }],
    [{ from: '22:00', to: '06:00' }],
  ),
});

/** A stretch of a queue's life. */
export function anySequence(minLength: number, maxLength: number): fc.Arbitrary<readonly Turn[]> {
  return fc.array(anyTurn, { minLength, maxLength, size: 'max' });
}
