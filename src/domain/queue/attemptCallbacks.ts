import type { Settings } from '../settings/settings';
import type { Attempt } from '../task/attempt';
import type { Change } from '../task/decide';
import type { Definition, Status } from '../task/task';
import type { CallbackPlan } from './callbackPlan';
import type { Callback } from './callbacks';

/**
 * Returns the callbacks for the end of an attempt at this row; undefined: none. The address of a row that is not
 * approved is not called: somebody else may have written it.
 */
export function planCallbacks(
  { callbackUrl, requestId, metadata }: Definition,
  settings: Pick<Settings, 'callbackUrl'>,
  isRowApproved: boolean,
): CallbackPlan | undefined {
  const isOfQueue = settings.callbackUrl !== '';
  const isOfRow = isRowApproved && callbackUrl !== undefined && callbackUrl !== settings.callbackUrl;
  if (!isOfQueue && !isOfRow) return undefined;
  return {
    ...(isOfRow ? { url: callbackUrl } : {}),
    ...(isOfQueue ? { queue: true } : {}),
    ...(requestId === undefined ? {} : { requestId }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

/** Returns the callbacks of an attempt that has ended, one for each address. `machine` is that of the attempt. */
export function callbacksOf(
  { url, queue, ...cells }: CallbackPlan,
  { attemptId, machine }: Required<Pick<Callback, 'attemptId' | 'machine'>>,
  {
    attempt,
    change,
    result,
  }: { readonly attempt: Attempt; readonly change: Change; readonly result?: string },
): Callback[] {
  const common = { ...cells, attemptId, machine, attempt, status: statusAfter(attempt, change) };
  const kept = result === undefined ? {} : { result };
  return [
    ...(url === undefined ? [] : [{ ...common, ...kept, target: 'row' as const, url }]),
    ...(queue === undefined ? [] : [{ ...common, target: 'queue' as const }]),
  ];
}

function statusAfter({ outcome }: Attempt, { givenUp, status }: Change): Status {
  if (outcome === 'success') return 'completed';
  if (outcome === 'review') return outcome;
  // An attempt that was stopped resumes.
  if (outcome === 'cancelled') return status === 'cancelled' ? 'cancelled' : 'pending';
  return givenUp || outcome === 'permanent' ? 'failed' : 'pending';
}
