import type { TaskQueue } from '../queue/taskQueue';
import type { ShownTask } from './picture';
import type { QueueSite } from './site';
import { count, shorten } from './words';

/**
 * Lets these tasks run unattended on this machine, exactly as they were shown: a row that was edited since has another
 * power and still waits.
 */
export async function approveTasks(
  site: QueueSite,
  queue: TaskQueue,
  chosen: readonly ShownTask[],
): Promise<void> {
  await site.openApprovals().approve(chosen.map(({ task }) => task.state.power));
  const reopened = chosen.filter(({ task }) => task.state.reopened).map(({ task }) => task.definition.id);
  if (reopened.length > 0) await queue.approve(reopened, site.host.createId());
}

/** As much of a prompt as is shown before it is approved; a longer line ends in "…". */
const PROMPT_WIDTH = 500;
const PROMPT_LINES = 20;

/** What a row may do, in a person's words. */
export function describePowers({ task }: ShownTask): string[] {
  const { workingDir, permissionMode, allowedTools, verify, model } = task.definition;
  return [
    `in ${workingDir}`,
    ...(permissionMode === undefined ? [] : [`permission mode ${permissionMode}`]),
    ...(allowedTools === undefined ? [] : [`may use ${allowedTools.join(', ')}`]),
    ...(model === undefined ? [] : [`model ${model}`]),
    ...(verify === undefined ? [] : [`checked by ${verify.join(' ')}`]),
  ];
}

/** What is approved: where it works, what it may do, what it is told, and how much of that is not shown. */
export function describeForApproval(shown: ShownTask): string {
  const { id, prompt } = shown.task.definition;
  const lines = prompt.trim().split('\n');
  const more = lines.length - PROMPT_LINES;
  return [
    `Task ${String(id)}, ${describePowers(shown).join('; ')}:`,
    ...lines.slice(0, PROMPT_LINES).map((line) => `    ${shorten(line, PROMPT_WIDTH)}`),
    ...(more > 0 ? [`    (${count(more, 'more line')}: read the row)`] : []),
  ].join('\n');
}
