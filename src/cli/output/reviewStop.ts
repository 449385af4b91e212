import type { QueueViewModel } from '../../app/viewModel/queueViewModel';
import { quoteCommand } from '../../platform/text/commandName';

/** Says that no task starts before the user reviews one; empty: that is not so. */
export function describeReviewStop({ stops }: Pick<QueueViewModel, 'stops'>): string[] {
  return stops
    .filter(({ causes: [cause] }) => cause?.kind === 'unreviewed')
    .map(({ text }) => `No task starts: ${text}. List them with ${quoteCommand('review')}.`);
}
