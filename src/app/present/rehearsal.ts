import { placeOf } from '../../domain/task/place';
import { revealInvisible } from '../../platform/text/invisible';
import { t } from '../../platform/text/translate';
import { MODE_WORDS } from './permissionModes';
import type { Rehearsed } from '../checks/rehearsal';
import { describeFolder, shorten } from './text';

const PROMPT_WIDTH = 60;

/** Tasks of a dry run with the same result, under a title. */
export interface RehearsedGroup {
  readonly title: string;
  readonly tasks: readonly Rehearsed[];
  /** Nothing is to be said about these tasks: they are only named. */
  readonly isFine?: true;
}

/** Sorts the tasks of a dry run by their result, the worst first. Leaves out empty groups. */
export function groupRehearsed(rehearsed: readonly Rehearsed[]): RehearsedGroup[] {
  const complete = rehearsed.filter(({ lacks }) => lacks.length === 0);
  const groups: readonly RehearsedGroup[] = [
    {
      title: t('Need something that is missing on this machine'),
      tasks: rehearsed.filter(({ lacks }) => lacks.length > 0),
    },
    {
      title: t('Never finished in their present form with their present permissions'),
      tasks: complete.filter(({ hasRun }) => !hasRun),
    },
    {
      title: t('Ran with their present permissions and were refused something the last time'),
      tasks: complete.filter(({ hasRun, refused }) => hasRun && refused.length > 0),
    },
    {
      title: t('Ran with their present permissions, nothing refused'),
      tasks: complete.filter(({ hasRun, refused }) => hasRun && refused.length === 0),
      isFine: true,
    },
  ];
  return groups.filter(({ tasks }) => tasks.length > 0);
}

/** Returns a sentence about the size of a dry run. */
export function summarizeRehearsal(rehearsed: readonly Rehearsed[]): string {
  return rehearsed.length === 1
    ? t('1 task may run in the next 24 hours. Nothing was run.')
    : t('{0} tasks may run in the next 24 hours. Nothing was run.', rehearsed.length);
}

/** Describes the result of a dry run; `howToAllow` names the command that allows a task its refused tools. */
export function describeRehearsal(
  rehearsed: readonly Rehearsed[],
  howToAllow: (one: Rehearsed) => string,
): string {
  const groups = groupRehearsed(rehearsed).flatMap(({ title, tasks, isFine }) =>
    isFine === true
      ? ['', `${title}: ${tasks.map(nameTask).join(', ')}.`]
      : ['', `${title}:`, ...tasks.flatMap((one) => describeTask(one, howToAllow(one)))],
  );
  return [summarizeRehearsal(rehearsed), ...groups].join('\n');
}

/** Returns the id of a task as text. */
export function nameTask({ shown }: Rehearsed): string {
  return String(shown.task.definition.id);
}

/** Returns reasons against running a task unattended, in a few words; empty if there are none. */
export function describeDoubts({ hasRun, refused, lacks }: Rehearsed): string[] {
  return [
    ...lacks,
    ...(hasRun ? [] : [t('never finished with its present permissions')]),
    ...(refused.length === 0 ? [] : [describeRefused(refused)]),
  ];
}

/** Facts of one task of a dry run, in words. */
export interface RehearsedWords {
  /** Id and prompt. */
  readonly name: string;
  readonly permissions: string;
  readonly lacks: readonly string[];
  readonly approval: string | null;
  readonly trust: string | null;
  readonly refused: string | null;
}

/** Describes one task of a dry run. */
export function describeRehearsed(one: Rehearsed): RehearsedWords {
  const { permissions, isApproved, isTrusted, refused, shown, lacks } = one;
  const { definition } = shown.task;
  return {
    name: `${nameTask(one)}  ${shorten(definition.prompt, PROMPT_WIDTH)}`,
    permissions: describePermissions(permissions, describeFolder(placeOf(definition))),
    lacks: lacks.map(revealInvisible),
    approval: isApproved ? null : t('waits for approval'),
    trust: isTrusted
      ? null
      : t(
          'the folder is not trusted in Claude Code: its settings, hooks, MCP servers and CLAUDE.md are ignored',
        ),
    refused: refused.length === 0 ? null : describeRefused(refused),
  };
}

function describePermissions({ mode, tools }: Rehearsed['permissions'], folder: string): string {
  const place = revealInvisible(folder);
  return tools.length === 0
    ? t('Claude may: {0}; in {1}', MODE_WORDS[mode], place)
    : t('Claude may: {0}, and use {1}; in {2}', MODE_WORDS[mode], revealInvisible(tools.join(', ')), place);
}

function describeTask(one: Rehearsed, howToAllow: string): string[] {
  const { name, permissions, lacks, approval, trust, refused } = describeRehearsed(one);
  const lines = [
    permissions,
    ...lacks,
    approval,
    trust,
    refused === null ? null : `${refused} (${howToAllow})`,
  ];
  return [`  ${name}`, ...lines.flatMap((line) => (line === null ? [] : [`     ${line}`]))];
}

function describeRefused(refused: Rehearsed['refused']): string {
  const calls = refused.map(({ tool, detail }) => `${tool} ${detail}`.trim()).join('; ');
  return t('refused the last time: {0}', revealInvisible(calls));
}
