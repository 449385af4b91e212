import { Fenced, Problem, type Fault } from '../../../domain/problem';
import { describeRowProblem, formatPath, describeWhere } from './rowProblem';

/** Describes any error to the user. */
export function describeError(error: unknown): string {
  if (error instanceof Problem) return error.fault === undefined ? error.message : describeFault(error.fault);
  if (error instanceof Fenced) {
    return `Task ${String(error.id)} was given to another owner or ended meanwhile. This attempt no longer counts.`;
  }
  return error instanceof Error ? error.message : String(error);
}

function describeFault(fault: Fault): string {
  switch (fault.kind) {
    case 'unknown-task':
      return `There is no task ${String(fault.id)} that could be understood.`;
    case 'removed-after-claim':
      return `Task ${String(fault.id)} was removed after it was claimed.`;
    case 'running':
      return `Task ${String(fault.id)} is running. Wait for its end, or cancel it first.`;
    case 'removes-running':
      return `Task ${String(fault.id)} is running or in your hands. Cancel or release it first.`;
    case 'resets-running':
      return `Task ${fault.ids.join(', ')} is running. Stop it before a reset.`;
    case 'resets-worker':
      return `Worker ${fault.worker} is running on this queue. Stop it before a reset.`;
    case 'other-question':
      return `Task ${String(fault.id)} is not asking this question. Nothing was answered.`;
    case 'not-in-review':
      return `Task ${String(fault.id)} is ${fault.status}: only one in review can be accepted.`;
    case 'already-completed':
      return `Task ${String(fault.id)} is completed: there is nothing to cancel.`;
    case 'claim-without-task':
      return `The history of the queue has a claim of task ${String(fault.id)}, but no such task.`;
    case 'has-history':
      return 'This queue already has a history of its own. Nothing can be adopted.';
    case 'still-needed': {
      const dependent = String(fault.dependent);
      return `Task ${dependent} depends on task ${String(fault.id)}. Remove both, or change it with "claude-queue edit ${dependent} --after …".`;
    }
    case 'unknown-dependency':
      return `Task ${String(fault.id)} would depend on ${String(fault.missing)}, which does not exist. Name a task that does.`;
    case 'own-dependency':
      return `Task ${String(fault.id)} would depend on itself: ${formatPath(fault.path)}. Remove one of these dependencies.`;
    case 'unread-rows':
      return `The queue is invalid, ${describeWhere(fault.first.where)}: ${describeRowProblem(fault.first)}`;
    case 'other-machine':
      return `Task ${String(fault.id)} is running on another machine (${fault.machine}). A queue file can be worked by one machine at a time. If that machine is gone permanently, "claude-queue release ${String(fault.id)}" gives the task back.`;
  }
}
