import type { Verdict } from '../../domain/task/attempt';
import type { EpochMs } from '../../domain/time/epoch';
import type { OwnEnd } from '../attempt/childRun';
import type { ReportRequest } from '../verdict/selfReport';
import type { StreamFacts } from './stream';

/** Everything that is known of an attempt that has ended. */
export interface EndFacts {
  readonly exitCode: number | null;
  /** Signal that ended the process, or null. */
  readonly signal: string | null;
  /** Reason why this program ended it; absent if it did not. */
  readonly endedBy?: OwnEnd;
  /** Timeout in milliseconds; absent: none. */
  readonly timeoutMs?: number;
  readonly stream: StreamFacts;
  readonly stderr: string;
  /** Claude Code used an API key that was not to pay, whether or not it was ended in time. */
  readonly hasOtherPayer?: true;
  /** Whether it continued an existing session. */
  readonly isResumed?: boolean;
  /** The row names no model: a fault in the model affects every such row. */
  readonly usesDefaultModel?: true;
  /** Completion report that the end needs; absent: none. */
  readonly selfReport?: ReportRequest;
  readonly now: EpochMs;
  /** IANA name of the machine's zone, for resets that are printed without a zone. */
  readonly timeZone: string;
}

/** Whether Claude Code reported its version or model. If it refuses to start, it does not. */
export function hasStarted({ stream: { version, model } }: Pick<EndFacts, 'stream'>): boolean {
  return version !== undefined || model !== undefined;
}

/** Part of a verdict that the rules decide; the rest is the same for every outcome. */
export type Finding = Pick<Verdict, 'outcome' | 'reason' | 'message' | 'note' | 'signal'>;
