import type { ApprovedRow } from '../../account/approvals';
import {
  permissionFieldsOf,
  type PermissionColumn,
  type PermissionFields,
} from '../../domain/task/permissionFingerprint';
import { folderBehind, placeOf } from '../../domain/task/place';
import type { Definition } from '../../domain/task/task';
import { approvable } from '../../domain/task/approval';
import type { TaskView } from '../../domain/queue/view';
import type { TaskQueue } from '../../queue/taskQueue';
import type { TaskViewModel } from '../viewModel/queueViewModel';
import type { QueueContext } from '../context/queueContext';
import { revealInLine, revealInvisible } from '../../platform/text/invisible';
import { redactCounting } from '../../platform/text/redact';
import { t } from '../../platform/text/translate';
import { refuseScripts } from '../context/scripts';
import { count } from '../present/text';

/**
 * Approves these tasks to run unattended on this machine, exactly as they were shown. A row that was edited since has
 * another permission fingerprint and still waits.
 */
export async function approveTasks(
  queueContext: QueueContext,
  queue: TaskQueue,
  chosen: readonly TaskViewModel[],
): Promise<void> {
  refuseScripts(queueContext);
  await queueContext.openApprovals().approve(chosen.map(({ task }) => describeRow(task)));
  const reopened = chosen.filter(({ task }) => task.state.reopened).map(({ task }) => task.state);
  if (reopened.length > 0) await queue.approve(reopened, queueContext.host.createId());
  await noteSeen(queue);
}

/** Returns a row as its approval stores it. */
export function describeRow({ definition, state }: TaskView): ApprovedRow {
  const realDir = folderBehind(placeOf(definition));
  return {
    ...approvable(definition, state.power),
    permissionFields: redactPermissions(permissionFieldsOf(definition)).permissionFields,
    ...(realDir === undefined ? {} : { realDir }),
  };
}

/**
 * Returns the permissions of a row without secrets, and the number of characters removed. Only the row's own file keeps
 * the secrets.
 */
export function redactPermissions(permissionFields: PermissionFields): {
  readonly permissionFields: PermissionFields;
  readonly takenOut: number;
} {
  let takenOut = 0;
  const hide = (_: string, value: unknown): unknown => {
    if (typeof value !== 'string') return value;
    const redacted = redactCounting(value);
    takenOut += redacted.takenOut;
    return redacted.text;
  };
  // Only texts are replaced, so the shape stays the same.
  return {
    permissionFields: JSON.parse(JSON.stringify(permissionFields), hide) as PermissionFields,
    takenOut,
  };
}

/** Describes how many approved characters are shown only in the row; null if none. */
export function describeUnseen({ task }: TaskViewModel): string | null {
  const { takenOut } = redactPermissions(permissionFieldsOf(task.definition));
  if (takenOut === 0) return null;
  return takenOut === 1
    ? t('1 character is not shown')
    : t('{0} characters are not shown', formatCount(takenOut));
}

/** Trusts every task of the queue file to run unattended on this machine, from now on. */
export async function trustQueue(queueContext: QueueContext, queue: TaskQueue): Promise<void> {
  refuseScripts(queueContext);
  await queueContext.openApprovals().setTrusted(true);
  await noteSeen(queue);
}

/** Imports the rows now, so that their waiting time starts now and not with the next worker. */
function noteSeen(queue: TaskQueue): Promise<void> {
  return queue.sync();
}

/** Start of a prompt for a list. */
export interface Excerpt {
  readonly text: string;
  /** Length of the text that is left out; null if nothing is. */
  readonly leftOut: string | null;
}

/** Cuts a prompt to one line of `width` characters. */
export function excerptPrompt(prompt: string, width: number): Excerpt {
  const characters = Array.from(revealInvisible(redactCounting(prompt).text).trim());
  const isWhole = characters.length <= width;
  const shown = characters.slice(0, isWhole ? width : Math.max(width - 1, 0));
  const text = shown.join('').replaceAll(/\s+/g, ' ');
  if (isWhole) return { text, leftOut: null };
  const rest = characters.slice(shown.length);
  const lines = rest.filter((character) => character === '\n').length;
  const more = describeMoreCharacters(rest.length);
  return { text: `${text}…`, leftOut: lines === 0 ? more : `${more}, ${describeMoreLines(lines)}` };
}

function describeMoreCharacters(number: number): string {
  return number === 1 ? t('1 more character') : t('{0} more characters', formatCount(number));
}

function describeMoreLines(number: number): string {
  return number === 1 ? t('1 more line') : t('{0} more lines', number);
}

/** Text of each approved column, in one line; null if the column is empty or shown elsewhere. */
const PERMISSION_TEXTS: Readonly<
  Record<PermissionColumn, (permissionFields: PermissionFields, row: Definition) => string | null>
> = {
  working_dir: ({ workingDir }, { realDir }) => {
    const { folder, through } = placeOf({ workingDir, realDir });
    // One value more than in "in {0}", which is a time elsewhere.
    return t('in {0}{1}', folder, through === undefined ? '' : t(' (through {0})', through));
  },
  // The prompt is shown on lines of its own.
  prompt: () => null,
  prompt_file: ({ promptFile }) => (promptFile === undefined ? null : t('prompt in {0}', promptFile.path)),
  permission_mode: ({ permissionMode }) =>
    permissionMode === undefined ? null : t('permission mode {0}', permissionMode),
  allowed_tools: ({ allowedTools }) =>
    allowedTools === undefined ? null : t('may use {0}', allowedTools.join(', ')),
  model: ({ model }) => (model === undefined ? null : t('model {0}', model)),
  verify: ({ verify, verifyBefore }) =>
    verify === undefined
      ? null
      : [t('checked by {0}', verify.join(' ')), ...describeVerifyBefore(verifyBefore)].join('; '),
  callback_url: ({ callbackUrl }) =>
    callbackUrl === undefined ? null : t('sends its results to {0}', callbackUrl),
  request_id: ({ requestId }) =>
    requestId === undefined ? null : t('names the request {0} to its receiver', requestId),
  metadata: ({ metadata }) =>
    metadata === undefined ? null : t('sends these facts with its results: {0}', metadata),
  append_system_prompt: ({ appendSystemPrompt }) =>
    appendSystemPrompt === undefined ? null : t('adds to the system prompt: {0}', appendSystemPrompt),
};

/** Describes that a check also runs on the files before attempts, and with which set-up. */
export function describeVerifyBefore(setUp: readonly string[] | undefined): string[] {
  if (setUp === undefined) return [];
  return setUp.length === 0
    ? [t('the check also runs on the files before')]
    : [t('the check also runs on the files before, set up by {0}', setUp.join(' '))];
}

/** Describes what a row may do, a line for each of its permissions. */
export function describePermissions({ task }: TaskViewModel): string[] {
  const { permissionFields } = redactPermissions(permissionFieldsOf(task.definition));
  return Object.values(PERMISSION_TEXTS)
    .map((describe) => describe(permissionFields, task.definition))
    .filter((text) => text !== null)
    .map(revealInLine);
}

/** Lines of a prompt to show before approval. */
const PROMPT_LINES = 20;

/** Describes a row for approval: folder, permissions, prompt, and how much is not shown. */
export function describeForApproval(shown: TaskViewModel): string {
  const { definition, state } = shown.task;
  const prompt = revealInvisible(redactCounting(definition.prompt).text);
  const reopened = state.reopened ? [shown.reason.text] : [];
  const lines = prompt.trim().split('\n');
  const more = lines.length - PROMPT_LINES;
  return [
    `Task ${String(definition.id)}, ${[...reopened, ...describePermissions(shown)].join('; ')}:`,
    ...lines.slice(0, PROMPT_LINES).map((line) => `    ${cutLine(line)}`),
    ...(more > 0 ? [`    (${describeMoreLines(more)}: read the row)`] : []),
    ...describePromptFile(shown),
    ...describeUnseenLines(shown),
  ].join('\n');
}

/** Describes the prompt file of a row, in full: nothing else shows the text that was approved. */
function describePromptFile({ task }: TaskViewModel): string[] {
  const { promptFile } = redactPermissions(permissionFieldsOf(task.definition)).permissionFields;
  if (promptFile === undefined) return [];
  const lines = revealInvisible(promptFile.text).trimEnd().split('\n');
  return [`    ${revealInLine(promptFile.path)}:`, ...lines.map((line) => `      ${line}`)];
}

/** Returns the last line of a shown row whose secrets were removed; else none. */
export function describeUnseenLines(shown: TaskViewModel): string[] {
  const unseen = describeUnseen(shown);
  return unseen === null ? [] : [`    (${unseen}: read the row)`];
}

const LINE_WIDTH = 500;

/** Cuts a very long line and adds the number of characters left out. */
export function cutLine(line: string): string {
  const characters = Array.from(line.trimEnd());
  if (characters.length <= LINE_WIDTH) return characters.join('');
  const more = characters.length - (LINE_WIDTH - 1);
  return `${characters.slice(0, LINE_WIDTH - 1).join('')}… (${count(more, 'more character')}: read the row)`;
}

function formatCount(number: number): string {
  return number.toLocaleString('en-US');
}
