import type { Command } from 'commander';
import { count } from '../../../app/present/text';
import { peekViewModel } from '../../../app/viewModel/queueViewModel';
import { isVerifiedAndSmall, listReviews, SMALL_LINES } from '../../../app/viewModel/report/reviews';
import type { Review } from '../../../app/viewModel/report/risk';
import type { Act } from '../../action';
import { OK } from '../../exitCodes';
import { formatJson } from '../../options/parseArguments';
import { quoteCommand } from '../../../platform/text/commandName';

/** Defines `review`, which lists what the user has not reviewed. */
export function defineReview(program: Command, act: Act): void {
  const command = program
    .command('review')
    .description('list unreviewed tasks, the riskiest first')
    .option('--json', 'print JSON');
  act(command, (context, _args, { json }: { readonly json?: true }) => {
    const { system } = context;
    return context.withQueue(async (queue) => {
      const viewModel = await peekViewModel(context, queue);
      const reviews = listReviews(viewModel, await queue.attempts({}));
      const { maxUnreviewed } = viewModel.world.settings;
      if (json === true) {
        system.out(formatJson(await toJson(reviews, maxUnreviewed)));
        return OK;
      }
      system.out(summarize(reviews, maxUnreviewed));
      if (reviews.length === 0) return OK;
      const { joinLines } = await import('../../output/table');
      const { layNeedsOut } = await import('../../output/report/layNeedsOut');
      system.out(joinLines(layNeedsOut(reviews, () => false)));
      const small = reviews.filter(isSmall).length;
      if (small > 0)
        system.out(`Verified and small: ${String(small)}. Accept with ${quoteCommand('accept --verified')}.`);
      return OK;
    });
  });
}

function isSmall(review: Review): boolean {
  return isVerifiedAndSmall(review, SMALL_LINES);
}

function summarize({ length }: readonly Review[], max: number): string {
  if (length === 0) return 'No task is unreviewed.';
  return max === 0
    ? `${count(length, 'unreviewed task')}.`
    : `${count(length, 'unreviewed task')}. No task starts at ${String(max)} (maxUnreviewed).`;
}

/** JSON of the unreviewed tasks: the contract of `review --json`. */
async function toJson(reviews: readonly Review[], max: number): Promise<object> {
  const { needAsJson } = await import('../../output/report/reportJson');
  return {
    unreviewed: reviews.length,
    max: max === 0 ? null : max,
    tasks: reviews.map((review) => ({
      ...needAsJson(review),
      end: review.task.end,
      diff: review.task.diff,
      isDiffPartial: review.task.isDiffPartial,
      changedTests: review.task.changedTests,
      denials: review.task.denials,
      verifiedAndSmall: isSmall(review),
    })),
  };
}
