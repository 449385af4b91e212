import type { QueueViewModel } from '../../../src/app/viewModel/queueViewModel';
import { HOUR, NOW, paint, runByUser, runByWorker } from './viewModels';

/** A row of every kind. */
export const PICTURES: Readonly<Record<string, QueueViewModel>> = {
  ready: paint([{}]),
  scheduled: paint([{ state: { ownerScheduledAt: NOW + HOUR } }]),
  blocked: paint([{ fields: { dependencies: [2] } }, {}]),
  retrying: paint([{ state: { retryCount: 1, dueAt: NOW + HOUR, dueCause: 'retry', lastOutcome: 'error' } }]),
  unapproved: paint([{ state: { lastOutcome: 'error' } }], {
    approvedRows: { trusted: false, approvals: new Set() },
  }),
  waiting: paint([{ state: { lastOutcome: 'limit' } }], { held: 'by hand' }),
  review: paint([{ state: { status: 'review', lastOutcome: 'review', refused: true } }]),
  question: paint([
    {
      state: {
        status: 'review',
        lastOutcome: 'review',
        refused: true,
        question: { text: 'Keep it?', session: 's' },
      },
    },
  ]),
  changed: paint(
    (['review', 'failed', 'completed'] as const).map((status) => ({
      state: { status, lastOutcome: 'review', refused: true, changed: true },
    })),
  ),
  dead: paint([{ state: { status: 'failed', lastOutcome: 'error' } }]),
  completed: paint([{ state: { status: 'completed', lastOutcome: 'success' } }]),
  cancelled: paint([{ state: { status: 'cancelled' } }]),
  running: paint([runByWorker]),
  signedOut: paint([{}], { block: { kind: 'sign-in', until: null } }),
  atLimit: paint([{}], { block: { until: NOW + HOUR } }),
  inHand: paint([{ ...runByUser, state: { lastOutcome: 'error' } }]),
};
