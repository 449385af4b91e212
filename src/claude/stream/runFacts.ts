import type { Verdict } from '../../domain/task/attempt';
import type { EpochMs } from '../../domain/time/epoch';
import type { OwnEnd } from '../attempt/childRun';
import type { ReportRequest } from '../verdict/selfReport';
import type { StreamFacts } from './stream';

/** Everything that is known of a run when it has ended. */
export interface RunFacts {
  readonly exitCode: number | null;
  /** The signal that ended the process, where one did. */
  readonly signal: string | null;
  /** Why we ended it, where we did. */
  readonly endedBy?: OwnEnd;
  /** How long it was allowed to take; absent: it has no bound. */
  readonly timeoutMs?: number;
  readonly stream: StreamFacts;
  readonly stderr: string;
  /** What pays for it is not what was chosen; whether it could be ended for that, or was over before. */
  readonly hasOtherPayer?: true;
  /** It continued in a session that was there before. */
  readonly isResumed?: boolean;
  /** Its row names no model: what is wrong with the model is wrong for every such row. */
  readonly usesDefaultModel?: true;
  /** Which report its end needs; absent: none. */
  readonly selfReport?: ReportRequest;
  readonly now: EpochMs;
  /** IANA name of the machine's zone, for resets that are printed without one. */
  readonly timeZone: string;
}

/** Whether Claude Code got as far as to say what it is: what refuses to start does not. */
export function hasStarted({ stream: { version, model } }: Pick<RunFacts, 'stream'>): boolean {
  return version !== undefined || model !== undefined;
}

/** The part of a verdict that the rules decide; the rest is the same for every outcome. */
export type Finding = Pick<Verdict, 'outcome' | 'reason' | 'message' | 'note' | 'signal'>;
