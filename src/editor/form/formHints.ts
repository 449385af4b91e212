import { MODE_WORDS } from '../../app/present/permissionModes';
import { isRepository } from '../../domain/task/repository';
import { formatDuration } from '../../domain/time/duration';
import type { Moment } from '../../domain/time/moment';
import { parseTypedTime } from '../../domain/time/typedTime';
import { t } from '../../platform/text/translate';
import { readInterval, readTimeout, readVerify } from '../../queue/row/meaning';
import { readPromptCell } from '../../queue/row/promptFile';
import { resolveFolder } from '../../queue/row/workingDir';
import { priorityCandidates } from '../queueFile/completion/wordCandidates';
import { formatDistance, formatWithDay, nextTimes } from '../queueFile/hover/nextTimes';
import { cellsOf, type Field, type FormValues } from './formValues';
import type { FormFacts } from './formFacts';
import { keptDueAt } from './keptDueAt';

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
    time: describeTime(values.time, moment, (time) => t('{0}, in the past: the task does not wait', time)),
    repeat: describeRepeat(values, facts),
    mode: describeMode(values.mode, facts),
    check: describeCheck(values, moment),
    deadline: describeTime(values.deadline, moment, (time) => t('{0}, in the past: the task is late', time)),
    timeout: describeTimeout(values.timeout.trim()),
    promptFile: describePromptFile(values.promptFile.trim(), facts),
  };
  return Object.fromEntries(Object.entries(hints).filter(([, hint]) => hint !== null));
}

function describeFolderHint(folder: string, { rows, folderExists }: FormFacts): Hint | null {
  if (folder === '' || isRepository(folder)) return null;
  if (!folderExists(resolveFolder(folder, rows))) {
    return { text: t('This folder does not exist. Create it before the task runs.'), tone: 'warning' };
  }
  return folder === '.' ? { text: t("the queue's workspace"), tone: 'plain' } : null;
}

function describePriority(priority: string, { viewModel }: FormFacts): Hint | null {
  if (priority === '') return { text: t('medium, or by the setting priorityRules'), tone: 'plain' };
  const found = priorityCandidates(viewModel.world.settings).find(({ text }) => text === priority);
  return found?.detail === undefined ? null : { text: found.detail, tone: 'plain' };
}

function describeTime(text: string, moment: Moment, describePast: (time: string) => string): Hint | null {
  const at = text.trim() === '' ? null : parseTypedTime(text, moment);
  if (at === null) return null;
  const time = formatWithDay(at, moment.timeZone);
  return at > moment.now
    ? { text: `${time}, ${formatDistance(at, moment)}`, tone: 'good' }
    : { text: describePast(time), tone: 'warning' };
}

function describeRepeat(values: FormValues, facts: FormFacts): Hint | null {
  const { moment } = facts;
  if (values.repeat === 'no') return null;
  const interval = readInterval(cellsOf(values, moment).repeat_interval ?? '');
  if ('wrong' in interval) return null;
  const kept = keptDueAt(values, interval.value, facts);
  const typed = values.time.trim() === '' ? null : parseTypedTime(values.time, moment);
  const first = kept ?? typed;
  const hasFirst = first !== null && first > moment.now;
  const next = nextTimes(interval.value, first, moment).slice(hasFirst ? 1 : 0);
  const times = next.map((at) => formatWithDay(at, moment.timeZone)).join(', ');
  if (!hasFirst) return { text: t('First as soon as possible, then {0}', times), tone: 'plain' };
  const text =
    first === kept
      ? t('Next at {0}, then {1}', formatWithDay(first, moment.timeZone), times)
      : t('First at the time above, then {0}', times);
  return { text, tone: 'plain' };
}

function describeMode(mode: string, { viewModel, isModeChosen }: FormFacts): Hint | null {
  if (mode === '' && !isModeChosen)
    return { text: t('Not chosen yet. Start asks what Claude may do without asking.'), tone: 'plain' };
  if (mode === '') {
    const may = MODE_WORDS[viewModel.world.settings.permissionMode];
    const text = t(
      'Without asking, Claude may do this (default): {0}. What is refused sends the task to review.',
      may,
    );
    return { text, tone: 'plain' };
  }
  const words = Object.entries(MODE_WORDS).find(([name]) => name === mode)?.[1];
  if (words === undefined) return null;
  return mode === 'bypassPermissions'
    ? { text: t('Without asking, Claude may do this: {0}. Nothing is refused.', words), tone: 'warning' }
    : {
        text: t('Without asking, Claude may do this: {0}. What is refused sends the task to review.', words),
        tone: 'plain',
      };
}

function describeCheck(values: FormValues, moment: Moment): Hint {
  const parts = readVerify(cellsOf(values, moment).verify ?? '');
  const runs = t('Runs after each attempt. The task is completed only if it succeeds.');
  if ('wrong' in parts) return { text: runs, tone: 'plain' };
  const [program, ...rest] = parts.value;
  return { text: `${runs} ${describeProgram(JSON.stringify(program), rest)}`, tone: 'plain' };
}

function describeProgram(program: string, rest: readonly string[]): string {
  return rest.length === 0
    ? t('Program {0}, no arguments; no shell.', program)
    : t('Program {0}, {1}; no shell.', program, rest.map((word) => JSON.stringify(word)).join(' '));
}

function describePromptFile(file: string, { rows }: FormFacts): Hint | null {
  const reading = file === '' ? null : readPromptCell(file, rows);
  if (reading === null || 'wrong' in reading) return null;
  const { length } = reading.value.text.trimEnd().split('\n');
  const text =
    length === 1
      ? t('Claude gets this file (1 line). The prompt above is the title.')
      : t('Claude gets this file ({0} lines). The prompt above is the title.', length);
  return { text, tone: 'plain' };
}

function describeTimeout(text: string): Hint | null {
  const timeout = readTimeout(text);
  if ('wrong' in timeout) return null;
  return { text: t('An attempt is stopped after {0}.', formatDuration(timeout.value)), tone: 'plain' };
}
