import type { StopCause } from '../../domain/task/attempt';
import { Fenced } from '../../domain/problem';
import type { Claimed } from '../../queue/taskQueue';
import type { WorkerDeps } from '../workerDeps';

/** Default of the interval between looks at the claim, in ms. */
const HEARTBEAT_MS = 2_000;

/** Watches one claim while its attempt runs. */
export interface ClaimGuard {
  /** Its reason is the `StopCause`. */
  readonly signal: AbortSignal;
  end(): void;
}

/**
 * Aborts the signal with the cause: the worker is to stop, the task was cancelled, or another owner has the claim.
 */
export function watchClaim(
  { queue, clock, since, events, describeError, heartbeatMs = HEARTBEAT_MS }: WorkerDeps,
  { claim }: Claimed,
  stop: AbortSignal,
): ClaimGuard {
  const controller = new AbortController();
  const over = new AbortController();
  const pass = (): void => {
    controller.abort('stopped' satisfies StopCause);
  };
  if (stop.aborted) pass();
  // Remove the listener by hand: with several guards on one signal, Node loses the removal that its `signal` option
  // promises.
  stop.addEventListener('abort', pass, { once: true });
  const beat = async (): Promise<void> => {
    let isTroubled = false;
    for (;;) {
      await clock.sleep(heartbeatMs, over.signal);
      if (over.signal.aborted) return;
      try {
        const { stop: cause } = await queue.renew(claim, since);
        isTroubled = false;
        if (cause !== undefined) controller.abort(cause);
      } catch (error) {
        // One failed look does not end an attempt: the next one may succeed.
        if (error instanceof Fenced) controller.abort('fenced' satisfies StopCause);
        else if (!isTroubled) {
          isTroubled = true;
          events.trouble(
            `The claim on task ${String(claim.id)} could not be looked at: ${describeError(error)}`,
          );
        }
      }
    }
  };
  void beat();
  return {
    signal: controller.signal,
    end: () => {
      over.abort();
      stop.removeEventListener('abort', pass);
    },
  };
}
