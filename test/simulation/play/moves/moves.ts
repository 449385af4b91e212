import type { Random } from '../../machine/random';
import type { Size } from '../size';

/** Kinds of moves, with how often each comes. */
const WEIGHTS = {
  worker: 11,
  kill: 3,
  'kill at a write': 5,
  'kill and set clock': 1,
  freeze: 2,
  'freeze at a write': 3,
  'power cut': 1,
  'disk full': 2,
  'set clock': 2,
  sleep: 1,
  'edit by hand': 9,
  'edit at a write': 4,
  'edit in a window': 4,
  command: 10,
  account: 1,
  settings: 1,
  'stop worker': 1,
} as const;

/** Kinds of moves that only some histories have, besides the others. */
const RARE_WEIGHTS = {
  review: 5,
  questions: 4,
  trust: 2,
  'break a row': 3,
  'reopen a row': 3,
  'use up retries': 2,
  'repeating row': 3,
  'upset a dependency': 2,
  'stop after a claim': 1,
} as const;

/** Kinds of moves that only some histories have, besides all others. */
const EXTRA_WEIGHTS = {
  comment: 4,
  'undo changes': 3,
  'undo a removal': 3,
  timer: 3,
  'stop workers': 1,
  'limit elsewhere': 2,
} as const;

/** Kinds of moves of several parts. A history has one of them or none. */
const AIMED = [
  ...(['cancel a run', 'miss runs', 'reset out of reach', 'distrust meanwhile'] as const),
  ...(['bound and another', 'crash at a log'] as const),
];

export type MoveKind =
  keyof typeof WEIGHTS | keyof typeof RARE_WEIGHTS | keyof typeof EXTRA_WEIGHTS | (typeof AIMED)[number];

/** Kinds that befall the machine. After them many things are excused, so some histories have none. */
const FAULTS: readonly MoveKind[] = [
  ...(['kill', 'kill at a write', 'kill and set clock', 'freeze', 'freeze at a write'] as const),
  ...(['power cut', 'disk full', 'set clock', 'sleep'] as const),
];

/** One thing that somebody does or that befalls the machine. */
export interface Move {
  /** Number by which a shrunk history names it. */
  readonly index: number;
  /** Running time in ms. */
  readonly at: number;
  readonly kind: MoveKind;
}

type Drawn = Omit<Move, 'index'>;

/** Chances of the moves that only some histories have. */
export interface SomeMoves {
  readonly rare: Random;
  readonly extra: Random;
  readonly aimed: Random;
}

/** Draws the moves of a history, in order. The first one starts a worker. */
export function drawMoves(random: Random, { rare, extra, aimed }: SomeMoves, size: Size): Move[] {
  const lastsMs = random.between(...size.minutes) * 60_000;
  const count = random.between(...size.moves);
  const isCalm = random.oneIn(4);
  const kinds = weightedKinds(WEIGHTS).filter(([, kind]) => !isCalm || !FAULTS.includes(kind));
  const drawn = drawMany(random, { count, lastsMs, kinds }).sort((a, b) => a.at - b.at);
  const usual = [{ at: 10, kind: 'worker' as MoveKind }, ...drawn];
  const rareCount = rare.oneIn(2) ? rare.between(...size.someMoves) : 0;
  const added = drawMany(rare, { count: rareCount, lastsMs, kinds: weightedKinds(RARE_WEIGHTS) });
  const extraCount = extra.oneIn(3) ? extra.between(...size.someMoves) : 0;
  const more = drawMany(extra, { count: extraCount, lastsMs, kinds: weightedKinds(EXTRA_WEIGHTS) });
  const one = aimed.oneIn(6) ? [{ at: aimed.next() * 90_000, kind: aimed.pick(AIMED) }] : [];
  // The others keep their numbers, and with them what they draw.
  return [...usual, ...added, ...more, ...one]
    .map((move, index) => ({ ...move, index }))
    .sort((a, b) => a.at - b.at);
}

type Kinds = readonly (readonly [number, MoveKind])[];

function weightedKinds(weights: Partial<Readonly<Record<MoveKind, number>>>): Kinds {
  return Object.entries(weights).map(([kind, weight]) => [weight, kind as MoveKind] as const);
}

function drawMany(
  random: Random,
  { count, lastsMs, kinds }: { readonly count: number; readonly lastsMs: number; readonly kinds: Kinds },
): Drawn[] {
  return Array.from({ length: count }, () => ({
    // Many things happen soon after another.
    at: random.oneIn(2) ? random.next() * lastsMs : random.next() * 60_000,
    kind: random.weighted(kinds),
  }));
}
