import type { Replacement } from '../machine/program';
import type { Move } from '../play/moves/moves';
import { CALLBACK_BUGS } from './callbacks';
import { NOTICE_BUGS } from './notices';
import { RULE_BUGS } from './rules';
import { STORE_BUGS } from './stores';
import { WORKER_BUGS } from './workers';

/** A mistake that the simulation must find. It is in the simulated program only. */
export interface PlantedBug extends Replacement {
  /** Kind of mistake, and what is wrong. */
  readonly name: string;
  /** Second place that belongs to it: alone, the first is made good by another part. */
  readonly also?: Replacement;
  /** A seed that showed it when it was last looked for, mostly the first one from 1 on; absent: none is known. */
  readonly seed?: number;
  /** Moves of histories that show it; absent: the seed draws them. */
  readonly moves?: readonly Move[];
  /** Reason why no history can show it; absent: some can. */
  readonly unreachable?: string;
}

/** All planted bugs. */
export const PLANTED_BUGS: readonly PlantedBug[] = [
  ...RULE_BUGS,
  ...STORE_BUGS,
  ...WORKER_BUGS,
  ...NOTICE_BUGS,
  ...CALLBACK_BUGS,
];
