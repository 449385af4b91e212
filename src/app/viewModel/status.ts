import { rateOfUnknown, ratesOf, type Rate } from '../../domain/order/rates';
import type { Priority } from '../../domain/task/priority';
import type { TaskQueue } from '../../queue/taskQueue';
import type { Checked } from '../checks/checked';
import { checkStorage } from '../checks/storageCheck';
import type { QueueContext } from '../context/queueContext';
import { placeSettings, type PlacedSetting } from '../context/settingPlaces';
import { forecastStarts } from '../simulate/forecastStarts';
import { countWaiting, isWorthForecasting, type Starts } from '../simulate/worthForecasting';
import { describeClaude, describeRememberedClaude, type ClaudeInfo } from '../present/installation';
import { buildViewModel, peekViewModel, type QueueViewModel } from './queueViewModel';
import { findUserService, type UserService } from './queuedByUser';
import { findSkippedTimes, type TaskSkips } from './taskSkips';

const DAY_MS = 24 * 3_600_000;

/** Facts of the status of a queue. */
export interface Status {
  readonly viewModel: QueueViewModel;
  readonly rates: Readonly<Record<Priority, Rate>>;
  /** Service figures of attempts of unknown priority. */
  readonly rateOfUnknown: Rate;
  /** Queue length and service figures of each user. */
  readonly users: readonly UserService[];
  /** Due times that were skipped in the last day. */
  readonly skipped: readonly TaskSkips[];
  /** Invalid settings. */
  readonly settings: readonly PlacedSetting[];
  /** Files and folders of the queue that cannot be written: what is shown may be older than what happened. */
  readonly unwritable: readonly Checked[];
  readonly claude: ClaudeInfo;
  /** Starts that a forecast expects; empty where no worker runs, or the history is short. */
  readonly starts: Starts;
}

/** Takes the status of a queue. Asks Claude Code who pays if `isLive`; else its last answer counts. */
export async function takeStatus(
  queueContext: QueueContext,
  queue: TaskQueue,
  isLive: boolean,
): Promise<Status> {
  const viewModel = await (isLive ? buildViewModel : peekViewModel)(queueContext, queue);
  const { now } = viewModel.world;
  // Twice the day that is reported, because an attempt that ended within it may have started before it.
  const attempts = await queue.attempts({ since: now - 2 * DAY_MS });
  const { problems } = await queueContext.configure();
  return {
    viewModel,
    rates: ratesOf(attempts, now),
    rateOfUnknown: rateOfUnknown(attempts, now),
    users: findUserService(viewModel, attempts),
    skipped: findSkippedTimes(viewModel.world, attempts),
    settings: await placeSettings(problems),
    unwritable: (await checkStorage(queueContext)).filter(({ state }) => state === 'problem'),
    claude: await (isLive ? describeClaude : describeRememberedClaude)(queueContext),
    starts: isWorthForecasting(viewModel)
      ? await forecastStarts(queueContext, queue, countWaiting(viewModel))
      : new Map(),
  };
}
