import { revealInvisible } from '../../platform/text/invisible';
import { MODE_WORDS } from './permissionModes';
import type { Rehearsed } from '../checks/rehearsal';
import { count, describeFolder, shorten } from './text';

const PROMPT_WIDTH = 60;

/** Describes the result of a dry run; `howToAllow` names the command that allows a task its refused tools. */
export function describeRehearsal(
  rehearsed: readonly Rehearsed[],
  howToAllow: (one: Rehearsed) => string,
): string {
  const lacking = rehearsed.filter(({ lacks }) => lacks.length > 0);
  const complete = rehearsed.filter(({ lacks }) => lacks.length === 0);
  const fresh = complete.filter(({ hasRun }) => !hasRun);
  const refusing = complete.filter(({ hasRun, refused }) => hasRun && refused.length > 0);
  const fine = complete.filter(({ hasRun, refused }) => hasRun && refused.length === 0);
  const describeGroup = (title: string, group: readonly Rehearsed[]): string[] =>
    group.length === 0 ? [] : ['', title, ...group.flatMap((one) => describeTask(one, howToAllow(one)))];
  return [
    `${count(rehearsed.length, 'task')} may run in the next 24 hours. Nothing was run.`,
    ...describeGroup('Need something that is missing on this machine:', lacking),
    ...describeGroup('Never ran in their present form with their present permissions:', fresh),
    ...describeGroup(
      'Ran with their present permissions and were refused something the last time:',
      refusing,
    ),
    ...(fine.length === 0
      ? []
      : ['', `Ran with their present permissions, nothing refused: ${fine.map(nameTask).join(', ')}.`]),
  ].join('\n');
}

/** Returns the id of a task as text. */
export function nameTask({ shown }: Rehearsed): string {
  return String(shown.task.definition.id);
}

/** Returns reasons against running a task unattended, in a few words; empty if there are none. */
export function describeDoubts({ hasRun, refused, lacks }: Rehearsed): string[] {
  return [
    ...lacks,
    ...(hasRun ? [] : ['never ran with its present permissions']),
    ...(refused.length === 0 ? [] : [`refused the last time: ${describeRefused(refused)}`]),
  ];
}

function describeTask(one: Rehearsed, howToAllow: string): string[] {
  const { permissions, isApproved, isTrusted, refused, shown, lacks } = one;
  const { prompt } = shown.task.definition;
  return [
    `  ${nameTask(one)}  ${shorten(prompt, PROMPT_WIDTH)}`,
    `     Claude may: ${MODE_WORDS[permissions.mode]}${permissions.tools.length === 0 ? '' : `, and use ${revealInvisible(permissions.tools.join(', '))}`}; in ${revealInvisible(describeFolder(shown.task.definition))}`,
    ...lacks.map((lack) => `     ${revealInvisible(lack)}`),
    ...(isApproved ? [] : ['     waits for approval']),
    ...(isTrusted
      ? []
      : [
          '     the folder is not trusted in Claude Code: its settings, hooks, MCP servers and CLAUDE.md are ignored',
        ]),
    ...(refused.length === 0
      ? []
      : [`     refused the last time: ${describeRefused(refused)} (${howToAllow})`]),
  ];
}

function describeRefused(refused: Rehearsed['refused']): string {
  return revealInvisible(refused.map(({ tool, detail }) => `${tool} ${detail}`.trim()).join('; '));
}
