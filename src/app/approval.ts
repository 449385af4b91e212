import type { ApprovedRow } from '../account/approvals';
import { powersOf, type Powers } from '../domain/power';
import type { TaskView } from '../domain/view';
import type { TaskQueue } from '../queue/taskQueue';
import type { ShownTask } from './picture';
import type { QueueSite } from './site';
import { clean } from '../platform/plainText';
import { redact } from '../platform/redact';
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
  await site.openApprovals().approve(chosen.map(({ task }) => describeRow(task)));
  const reopened = chosen.filter(({ task }) => task.state.reopened).map(({ task }) => task.definition.id);
  if (reopened.length > 0) await queue.approve(reopened, site.host.createId());
  await noteSeen(queue);
}

/** A row as its approval keeps it. */
export function describeRow({ definition, state }: TaskView): ApprovedRow {
  return { id: definition.id, power: state.power, powers: redactPowers(powersOf(definition)) };
}

/** What a row may do, without secrets: its own file has them, and nothing else needs them. */
export function redactPowers(powers: Powers): Powers {
  // Redacted JSON stays JSON of the same form.
  return JSON.parse(redact(JSON.stringify(powers))) as Powers;
}

/** Lets every task of the queue file run unattended on this machine, from now on. */
export async function trustQueue(site: QueueSite, queue: TaskQueue): Promise<void> {
  await site.openApprovals().trust(true);
  await noteSeen(queue);
}

/** What a person has read and let run waits from now on, and not only from when a worker comes. */
function noteSeen(queue: TaskQueue): Promise<void> {
  return queue.writeBack();
}

/** The beginning of a prompt, for a list, and how much of it that leaves out. */
export interface Excerpt {
  readonly text: string;
  /** Null: nothing is left out. */
  readonly leftOut: string | null;
}

/** As much of a prompt as fits into one line of `width` characters. */
export function excerptPrompt(prompt: string, width: number): Excerpt {
  const characters = Array.from(clean(redact(prompt)).trim());
  const isWhole = characters.length <= width;
  const shown = characters.slice(0, isWhole ? width : Math.max(width - 1, 0));
  const text = shown.join('').replaceAll(/\s+/g, ' ');
  if (isWhole) return { text, leftOut: null };
  const rest = characters.slice(shown.length);
  const lines = rest.filter((character) => character === '\n').length;
  const more = `${rest.length.toLocaleString('en-US')} more ${rest.length === 1 ? 'character' : 'characters'}`;
  return { text: `${text}…`, leftOut: lines === 0 ? more : `${more}, ${count(lines, 'more line')}` };
}

/** As much of a prompt as is shown before it is approved; a longer line ends in "…". */
const PROMPT_WIDTH = 500;
const PROMPT_LINES = 20;

/** What a row may do, in a person's words. */
export function describePowers({ task }: ShownTask): string[] {
  const { workingDir, permissionMode, allowedTools, verify, model } = redactPowers(powersOf(task.definition));
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
  const { definition, state } = shown.task;
  const prompt = redact(definition.prompt);
  const reopened = state.reopened ? [shown.reason.text] : [];
  const lines = prompt.trim().split('\n');
  const more = lines.length - PROMPT_LINES;
  return [
    `Task ${String(definition.id)}, ${[...reopened, ...describePowers(shown)].join('; ')}:`,
    ...lines.slice(0, PROMPT_LINES).map((line) => `    ${shortenTelling(line)}`),
    ...(more > 0 ? [`    (${count(more, 'more line')}: read the row)`] : []),
  ].join('\n');
}

function shortenTelling(line: string): string {
  const { length } = Array.from(line);
  const more = length - (PROMPT_WIDTH - 1);
  return length <= PROMPT_WIDTH
    ? shorten(line, PROMPT_WIDTH)
    : `${shorten(line, PROMPT_WIDTH)} (${count(more, 'more character')})`;
}
