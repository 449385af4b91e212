import type { Attempt } from '../../../src/domain/task/attempt';
import { HOUR, MINUTE, NOW } from './viewModels';

export { HOUR, MINUTE, NOW };

/** An attempt of task 1 that started at `NOW` and succeeded after ten minutes, unless said otherwise. */
export function attempt(more: Partial<Attempt>): Attempt {
  return {
    id: 1,
    number: 1,
    power: 'power-1',
    session: null,
    startedAt: NOW,
    endedAt: NOW + 10 * MINUTE,
    outcome: 'success',
    reason: 'done',
    message: '',
    code: 0,
    ...more,
  };
}

/** End of an attempt whose worker died. */
export const WORKER_DIED = {
  outcome: 'lost',
  reason: 'owner-died',
  note: { kind: 'owner-died', worker: '12' },
} as const satisfies Partial<Attempt>;
