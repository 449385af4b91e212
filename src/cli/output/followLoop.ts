import { buildViewModel, type QueueViewModel } from '../../app/viewModel/queueViewModel';
import { describeIdleReason } from '../../app/viewModel/idleReason';
import { Problem } from '../../domain/problem';
import { nameReason } from '../../domain/reasons/reason';
import type { TaskId } from '../../domain/task/task';
import type { TaskQueue } from '../../queue/taskQueue';
import { describeError } from '../../app/present/problems/problem';
import type { Context } from '../context';
import { FollowedAttempts } from './followedAttempts';
import type { System } from '../system';

/** Milliseconds between two looks for new output. */
const LOOK_MS = 200;

/** Milliseconds between two looks at an idle queue: each reads the whole queue. */
const IDLE_LOOK_MS = 500;

/**
 * Shows the running attempt of a task live, in whatever process it runs, to its end or until `end`. Returns whether there
 * is one.
 */
export async function followTask(
  context: Context,
  queue: TaskQueue,
  id: TaskId,
  end: AbortSignal,
): Promise<boolean> {
  const runs = new FollowedAttempts(context, queue, id);
  await runs.look(await queue.read());
  if (runs.count === 0) return false;
  const look = calmly(context, async () => runs.look(await queue.read()));
  while (!end.aborted && runs.count > 0) {
    await context.system.clock.sleep(LOOK_MS, end);
    await look();
  }
  return true;
}

/**
 * Shows all attempts of the queue live until `end`, or why nothing runs. Without a keyboard to leave it, it ends once no
 * worker is running.
 */
export async function followAll(context: Context, queue: TaskQueue, end: AbortSignal): Promise<void> {
  const runs = new FollowedAttempts(context, queue, null);
  const rest = new Rest(context.system);
  const seen = { isOver: false };
  const look = calmly(context, async () => {
    if (runs.count > 0) {
      await runs.look(await queue.read());
      return;
    }
    const viewModel = await buildViewModel(context, queue);
    await runs.look(viewModel.snapshot);
    rest.report(viewModel);
    seen.isOver =
      context.system.keyboard === null && runs.count === 0 && viewModel.idleReason?.kind === 'no-worker';
  });
  while (!end.aborted) {
    await look();
    if (seen.isOver) break;
    await context.system.clock.sleep(runs.count > 0 ? LOOK_MS : IDLE_LOOK_MS, end);
  }
  rest.end();
}

/** Reports a failed look once; the next one may succeed. */
function calmly({ system }: Context, look: () => Promise<void>): () => Promise<void> {
  let isTroubled = false;
  return async () => {
    try {
      await look();
      if (isTroubled) system.out('The queue is readable again.');
      isTroubled = false;
    } catch (error) {
      if (!(error instanceof Problem) && !isSystemError(error)) throw error;
      if (!isTroubled) system.err(`${describeError(error)}\nRetrying until it is readable.`);
      isTroubled = true;
    }
  };
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

/** Shows why nothing runs: in a terminal in one line that is updated, elsewhere a line for each new reason. */
class Rest {
  private lastName: string | null = null;

  constructor(private readonly system: System) {}

  report({ idleReason, world }: QueueViewModel): void {
    const text = idleReason === null ? '' : describeIdleReason(idleReason, world);
    const name = idleReason?.kind === 'waiting' ? nameReason(idleReason.why) : (idleReason?.kind ?? null);
    if (this.system.pass !== null) this.system.pass(text);
    else if (name !== null && name !== this.lastName) this.system.out(text);
    this.lastName = name;
  }

  end(): void {
    this.system.pass?.('');
  }
}
