import { Problem } from '../../../domain/problem';
import type { JournalHeader } from './journalLine';

/** Whose history a journal is, as far as this user's state folder knows. */
export type HistoryOrigin =
  /** Made by this user on this machine. `isNamed`: its id is already on record as the one in use. */
  | { readonly kind: 'own'; readonly isNamed: boolean }
  /** Made elsewhere; `knownAs` is this user's other state folder that has its id, or null. */
  | { readonly kind: 'foreign'; readonly knownAs: string | null };

/** What this user's state folder knows of the history of one queue. */
export interface KnownHistory {
  /** Whose history a journal is that starts like this. */
  judge(header: JournalHeader): Promise<HistoryOrigin>;
  /**
   * The id of this queue's history, created where there is none. With `inUse` it is on record that a journal names it:
   * from then on a journal of an earlier format is foreign.
   */
  name(inUse: boolean): Promise<string>;
}

/** The problem of a state folder whose history was made elsewhere. */
export function foreignHistory(stateFolder: string, knownAs: string | null): Problem {
  const origin =
    knownAs === null
      ? 'a history that was not made by you on this machine'
      : `the history of ${knownAs}: it was moved or copied from there`;
  return new Problem(
    'state-foreign',
    `${stateFolder} contains ${origin}. No task starts and nothing of it is used. ` +
      'Adopt it to continue with it ("claude-queue adopt" lists it first), or reset the queue to archive it ("claude-queue reset").',
  );
}
