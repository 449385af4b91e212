import type { HistoryOptions } from '../../../src/queue/file/journal/fileHistory';
import type { KnownHistory } from '../../../src/queue/file/journal/knownHistory';

/** Every history counts as made by this user on this machine. */
export const OWN_HISTORY: KnownHistory = {
  judge: () => Promise.resolve({ kind: 'own', isNamed: true }),
  name: () => Promise.resolve('own'),
};

/** A history of this user's own, on a machine on which nobody runs. */
export function ownHistory(largeBytes: number): HistoryOptions {
  return { known: OWN_HISTORY, machine: { id: 'here', isAlive: () => false }, largeBytes };
}
