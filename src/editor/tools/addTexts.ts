import type { TaskId } from '../../domain/task/task';
import { revealInvisible } from '../../platform/text/invisible';
import type { TaskFields } from '../../queue/taskQueue';
import { fence } from '../../platform/text/fence';
import { t } from '../../platform/text/translate';

/** Returns Markdown that shows the user the whole task that a tool would add. */
export function describeAddition({ prompt = '', ...others }: TaskFields, queueFile: string): string {
  const cells = Object.entries(others).filter(([, text]) => text !== '');
  return [
    t('This task is added to the queue. It runs only after you approve it.'),
    block(prompt),
    block([['queue', queueFile] as const, ...cells].map(([name, text]) => `${name}: ${text}`).join('\n')),
  ].join('\n\n');
}

/** Returns a block of Markdown in which the text is shown as it is, and cannot end the block. */
function block(text: string): string {
  return fence(revealInvisible(text), 'text');
}

/** Describes an added task to the model. */
export function describeAdded(id: TaskId, queueFile: string): string {
  return `Added task ${String(id)} to ${queueFile}. It is not approved: it runs only after the user approves it.`;
}

/** Message of a queue in which a task of a tool would run without approval. */
export const TRUSTED =
  'This queue is trusted as a whole, so a task that a tool adds would run without approval. Nothing was added. The user can add the task, or stop trusting the queue with "claude-queue trust --off".';
