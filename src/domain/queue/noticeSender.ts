import type { ProcessIdentity } from '../task/processIdentity';

/** A process that sends notices, or callbacks. */
export interface NoticeSender {
  readonly machine: string;
  readonly process: ProcessIdentity;
}
