import type { ShownReason } from '../present/reasons/reason';
import type { QueueViewModel } from './queueViewModel';

/** Returns the reason why no task starts until invalid settings are corrected; undefined: all are valid. */
export function findSettingsStop({ stops }: Pick<QueueViewModel, 'stops'>): ShownReason | undefined {
  return stops.find(({ causes: [cause] }) => cause?.kind === 'settings');
}
