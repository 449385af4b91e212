import { VERIFIED, type CheckRun, type Job, type Verdict } from '../../domain/task/attempt';
import { describeCheck } from '../../platform/text/sentences';
import { awaitsDecision, isSettledByCheck } from '../../domain/task/reviewReasons';
import { firstLine } from '../../platform/text/plainText';
import { nameCheck, runCheck, type CheckDeps } from './runCheck';

/**
 * Returns the verdict after the row's own check. A check that passes outweighs refused actions. One that fails turns
 * a success into an error. One that cannot run leaves the task for review. No check answers a question or carries out
 * a plan.
 */
export async function verify(
  { definition, place }: Pick<Job, 'definition' | 'place'>,
  verdict: Verdict,
  deps: CheckDeps,
  stop: AbortSignal,
): Promise<Verdict> {
  const command = definition.verify;
  if (command === undefined || (verdict.outcome !== 'success' && verdict.outcome !== 'review'))
    return verdict;
  const check = await runCheck(command, { id: definition.id, place }, deps, stop);
  if (check === null) {
    const message = 'Stopped during its check.';
    return { ...verdict, outcome: 'cancelled', reason: String(stop.reason), message };
  }
  const checked = { ...verdict, check };
  if (verdict.outcome === 'review' && awaitsDecision(verdict.reason)) return checked;
  const message = describeFailedCheck(command, check);
  switch (check.result) {
    case 'passed':
      return verdict.outcome === 'review' && !isSettledByCheck(verdict.reason)
        ? checked
        : { ...checked, outcome: 'success', reason: VERIFIED, message: 'Done, and its check passed.' };
    case 'failed':
    case 'timeout':
      return { ...checked, outcome: 'error', reason: 'verify-failed', message };
    case 'could-not-run':
      return { ...checked, outcome: 'review', reason: 'verify-not-run', message };
  }
}

function describeFailedCheck(command: readonly string[], check: CheckRun): string {
  const said = firstLine(check.output);
  return `${describeCheck(nameCheck(command), check)}${said === '' ? '' : `: ${said}`}`;
}
