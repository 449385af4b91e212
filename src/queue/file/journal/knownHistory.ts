import { Problem } from '../../../domain/problem';
import type { JournalHeader } from './journalLine';
import { t } from '../../../platform/text/translate';

/** Origin of a journal's history, as recorded for this user. */
export type HistoryOrigin =
  /** Made by this user on this machine. `isNamed`: a journal is known to name its id. */
  | { readonly kind: 'own'; readonly isNamed: boolean }
  /** Made elsewhere; `knownAs` is this user's other state folder that has its id, or null. */
  | { readonly kind: 'foreign'; readonly knownAs: string | null };

/** Record of the history of one queue, in this user's own state folder. */
export interface KnownHistory {
  /** Returns the origin of the history with this header. */
  judge(header: JournalHeader): Promise<HistoryOrigin>;
  /**
   * Returns the id of this queue's history; creates one if there is none. With `inUse` records that a journal names
   * it: from then on a journal of an earlier format is foreign.
   */
  name(inUse: boolean): Promise<string>;
}

/** Returns the problem of a state folder whose history was made elsewhere. */
export function foreignHistory(stateFolder: string, knownAs: string | null): Problem {
  const origin =
    knownAs === null
      ? t('{0} contains a history that was not made by you on this machine.', stateFolder)
      : t('{0} contains the history of {1}: it was moved or copied from there.', stateFolder, knownAs);
  return new Problem(
    'state-foreign',
    t(
      '{0} No task starts and nothing of it is used. ' +
        'Adopt it to continue with it ("claude-queue adopt" lists it first), or reset the queue to archive it ("claude-queue reset").',
      origin,
    ),
  );
}
