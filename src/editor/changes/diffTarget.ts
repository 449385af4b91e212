import { Problem } from '../../domain/problem';
import { t } from '../../platform/text/translate';
import type { WindowServices } from '../state/services';
import { bindTarget, type QueueTarget } from '../state/queueTarget';
import type { DraftComments } from '../drafts/draftComments';
import type { ShownDiffs, ShownAttempt } from './shownDiffs';

/** Services of the queue of some changes. */
type DiffServices = Pick<WindowServices, 'key' | 'queueModel'>;

/** Review of what attempts changed in this window. */
export interface Review {
  readonly drafts: DraftComments;
  readonly diffs: ShownDiffs;
  /** Returns the services of the open queue with this key (`queueKey`). */
  readonly findQueue: (key: string) => Promise<DiffServices | undefined>;
}

/** Returns the services of a queue whose changes are shown. @throws Problem `queue-missing` */
export async function requireQueue(
  { findQueue }: Pick<Review, 'findQueue'>,
  { queue }: Pick<ShownAttempt, 'queue'>,
): Promise<DiffServices> {
  const services = await findQueue(queue);
  if (services !== undefined) return services;
  throw new Problem('queue-missing', t('The queue of these changes is not open in this window.'));
}

/** Returns the target of a command that was called on an editor of changes; null: it was called elsewhere. */
export async function findDiffTarget(review: Review, target: unknown): Promise<QueueTarget | null> {
  const shown = review.diffs.findPressed(target);
  if (shown === null) return null;
  const { key } = await requireQueue(review, shown);
  return bindTarget(key, { taskId: shown.task, attempt: shown.attempt });
}
