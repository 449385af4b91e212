import { MODE_WORDS } from '../../app/present/permissionModes';
import { count } from '../../app/present/text';
import { isRepository } from '../../domain/task/repository';
import { formatDuration } from '../../domain/time/duration';
import type { Moment } from '../../domain/time/moment';
import { parseTypedTime } from '../../domain/time/typedTime';
import { readInterval, readTimeout, readVerify } from '../../queue/row/meaning';
import { readPromptCell } from '../../queue/row/promptFile';
import { resolveFolder } from '../../queue/row/workingDir';
import { priorityCandidates } from '../queueFile/completion/wordCandidates';
import { formatDistance, formatWithDay, nextTimes } from '../queueFile/hover/nextTimes';
import { cellsOf, type Field, type FormValues } from './formValues';
import type { FormFacts } from './formFacts';

/** Note beside a field: `good` if something was understood, `warning` if it may not be what is meant. */
export interface Hint {
  readonly text: string;
  readonly tone: 'plain' | 'good' | 'warning';
}
export type Hints = Readonly<Partial<Record<Field, Hint>>>;

/** Describes what the values mean, field by field. A field that is wrong has no hint. */
export function describeHints(values: FormValues, facts: FormFacts): Hints {
  const { moment } = facts;
  const hints: Readonly<Partial<Record<Field, Hint | null>>> = {
    folder: describeFolderHint(values.folder.trim(), facts),
    priority: describePriority(values.priority, facts),
    time: describeTime(values.time, moment, 'in the past: the task does not wait'),
    repeat: describeRepeat(values, moment),
    mode: describeMode(values.mode, facts),
    check: describeCheck(values, moment),
    deadline: describeTime(values.deadline, moment, 'in the past: the task is late'),
    timeout: describeTimeout(values.timeout.trim()),
    promptFile: describePromptFile(values.promptFile.trim(), facts),
  };
  return Object.fromEntries(Object.entries(hints).filter(([, hint]) => hint !== null));
}

function describeFolderHint(folder: string, { rows, folderExists }: FormFacts): Hint | null {
  if (folder === '' || isRepository(folder)) return null;
  if (!folderExists(resolveFolder(folder, rows))) {
    return { text: 'This folder does not exist. Create it before the task runs.', tone: 'warning' };
  }
  return folder === '.' ? { text: "the queue's workspace", tone: 'plain' } : null;
}

function describePriority(priority: string, { viewModel }: FormFacts): Hint | null {
  if (priority === '') return { text: 'medium, or by the setting priorityRules', tone: 'plain' };
  const found = priorityCandidates(viewModel.world.settings).find(({ text }) => text === priority);
  return found?.detail === undefined ? null : { text: found.detail, tone: 'plain' };
}

function describeTime(text: string, moment: Moment, past: string): Hint | null {
  const at = text.trim() === '' ? null : parseTypedTime(text, moment);
  if (at === null) return null;
  const time = formatWithDay(at, moment.timeZone);
  return at > moment.now
    ? { text: `${time}, ${formatDistance(at, moment)}`, tone: 'good' }
    : { text: `${time}, ${past}`, tone: 'warning' };
}

function describeRepeat(values: FormValues, moment: Moment): Hint | null {
  if (values.repeat === 'no') return null;
  const interval = readInterval(cellsOf(values, moment).repeat_interval ?? '');
  if ('wrong' in interval) return null;
  const first = values.time.trim() === '' ? null : parseTypedTime(values.time, moment);
  const hasFirst = first !== null && first > moment.now;
  const start = hasFirst ? 'First at the time above, then' : 'First as soon as possible, then';
  const times = nextTimes(interval.value, first, moment).slice(hasFirst ? 1 : 0);
  return {
    text: `${start} ${times.map((at) => formatWithDay(at, moment.timeZone)).join(', ')}`,
    tone: 'plain',
  };
}

const ALONE = 'Without asking, Claude may do this';

function describeMode(mode: string, { viewModel }: FormFacts): Hint | null {
  const refused = 'What is refused sends the task to review.';
  if (mode === '') {
    const { permissionMode } = viewModel.world.settings;
    return { text: `${ALONE} (default): ${MODE_WORDS[permissionMode]}. ${refused}`, tone: 'plain' };
  }
  const words = Object.entries(MODE_WORDS).find(([name]) => name === mode)?.[1];
  if (words === undefined) return null;
  return mode === 'bypassPermissions'
    ? { text: `${ALONE}: ${words}. Nothing is refused.`, tone: 'warning' }
    : { text: `${ALONE}: ${words}. ${refused}`, tone: 'plain' };
}

function describeCheck(values: FormValues, moment: Moment): Hint {
  const parts = readVerify(cellsOf(values, moment).verify ?? '');
  const runs = 'Runs after each attempt. The task is completed only if it succeeds.';
  if ('wrong' in parts) return { text: runs, tone: 'plain' };
  const [program, ...rest] = parts.value;
  const words = rest.length === 0 ? 'no arguments' : rest.map((word) => JSON.stringify(word)).join(' ');
  return { text: `${runs} Program ${JSON.stringify(program)}, ${words}; no shell.`, tone: 'plain' };
}

function describePromptFile(file: string, { rows }: FormFacts): Hint | null {
  const reading = file === '' ? null : readPromptCell(file, rows);
  if (reading === null || 'wrong' in reading) return null;
  const lines = count(reading.value.text.trimEnd().split('\n').length, 'line');
  return { text: `Claude gets this file (${lines}). The prompt above is the title.`, tone: 'plain' };
}

function describeTimeout(text: string): Hint | null {
  const timeout = readTimeout(text);
  if ('wrong' in timeout) return null;
  return { text: `An attempt is stopped after ${formatDuration(timeout.value)}.`, tone: 'plain' };
}
