import type { Job, ResumeCause } from '../domain/attempt';
import type { PermissionMode } from '../domain/task';
import { listForeign, without } from '../platform/environment';
import { RUN_MARK_VARIABLE } from '../platform/processes';
import type { SessionMode } from './session';

/** What pays for a run: the subscription of the signed-in account, or an API key. */
export type Billing = 'subscription' | 'api-key' | 'none';

/** What Claude may do by itself where a row does not say it. */
export interface PermissionDefaults {
  readonly mode: PermissionMode;
  /** Rules as `--allowedTools` takes them. */
  readonly allowedTools: readonly string[];
}

/** The arguments of an unattended run; the prompt comes through standard input. */
export function buildArguments(
  job: Job,
  mode: SessionMode,
  defaults: PermissionDefaults,
  protectedPaths: readonly string[],
): string[] {
  const { maxTurns, maxBudgetUsd } = job.definition;
  return [
    ...['-p', '--output-format', 'stream-json', '--verbose'],
    ...buildSessionArguments(job, mode, defaults, protectedPaths),
    ...(maxTurns === undefined ? [] : ['--max-turns', String(maxTurns)]),
    ...(maxBudgetUsd === undefined ? [] : ['--max-budget-usd', String(maxBudgetUsd)]),
  ];
}

/**
 * What every run is told, watched or not: its session and what it may do. `protectedPaths` are absolute: the run may
 * edit neither such a file nor anything in such a folder.
 */
export function buildSessionArguments(
  { definition, session }: Pick<Job, 'definition' | 'session'>,
  mode: SessionMode,
  defaults: PermissionDefaults,
  protectedPaths: readonly string[],
): string[] {
  const allowed = definition.allowedTools ?? defaults.allowedTools;
  return [
    ...[mode === 'resume' ? '--resume' : '--session-id', session],
    ...['--permission-mode', definition.permissionMode ?? defaults.mode],
    // One argument behind each of these: several would let a rule that begins with a dash be taken for a flag.
    ...(allowed.length === 0 ? [] : ['--allowedTools', allowed.join(',')]),
    ...['--disallowedTools', protectedPaths.flatMap(denyEdits).join(',')],
    ...(definition.model === undefined ? [] : ['--model', definition.model]),
  ];
}

/**
 * The rules that refuse edits of a file, or below a folder. Measured with 2.1.329: `Edit(//…)` refuses Write, Edit and the shell's
 * usual ways to write (redirections, touch, cp, sed -i), under bypassPermissions too. `Write(//…)` refuses nothing.
 * Characters with a meaning in a pattern are not always taken with a backslash before them, but `?` stands for any of
 * them. It cannot see what a program such as python writes, nor, in the shell, a path that itself looks like a pattern
 * (`[`, `{`, `*`, `?`): approval is what keeps such a run from starting.
 */
function denyEdits(path: string): string[] {
  const pattern = `/${path.replace(/[\\*?[\]{}!(),]/g, '?')}`;
  return [`Edit(${pattern})`, `Edit(${pattern}/**)`];
}

/** It would wait for a limit's end inside the run, where nobody sees it, and hold the worker. */
const WATCHDOG = 'CLAUDE_CODE_RETRY_WATCHDOG';
/** Either of these is billed by use, and wins over a subscription inside Claude Code. */
export const KEY_VARIABLES: readonly string[] = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'];

/** The variables that would change the meaning of a run, whether or not they are set. */
export function listUnwanted(own: NodeJS.ProcessEnv, billing: Billing): string[] {
  return [...listForeign(own), WATCHDOG, ...(billing === 'subscription' ? KEY_VARIABLES : [])];
}

/** The environment of a run: the person's own, without what would change its meaning. */
export function buildEnvironment(
  own: NodeJS.ProcessEnv,
  options: { readonly billing: Billing; readonly runMark: string; readonly apiRetries: number },
): NodeJS.ProcessEnv {
  return {
    ...without(own, listUnwanted(own, options.billing)),
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_MAX_RETRIES: String(options.apiRetries),
    // Makes a refusal to start name its reason in the stream instead of in prose alone.
    CLAUDE_CODE_STARTUP_FAILURE_RESULTS: '1',
    [RUN_MARK_VARIABLE]: options.runMark,
  };
}

const RESUMED: Readonly<Record<ResumeCause, string>> = {
  limit: 'A usage limit interrupted this task, and the limit has been reset.',
  lost: 'The machine or the program that ran this task ended in the middle of it.',
  stopped: 'The person who runs this task stopped it for a while and lets it go on now.',
  retry: 'The last attempt at this task failed, so this is another one.',
};

/**
 * What a run is told. A new session gets the prompt byte for byte and nothing else; one that goes on gets whole sentences
 * and the task again, since Claude Code may have put a remark of its own in between.
 */
export function buildInput(job: Pick<Job, 'definition' | 'resume'>, mode: SessionMode): string {
  const { prompt } = job.definition;
  if (mode === 'start') return prompt;
  // A transcript that nobody recorded was left by an attempt that died before it could be.
  return `${RESUMED[job.resume ?? 'lost']} Look at what is there already, go on where you stopped, and do not repeat what is complete. This is the task, in full:\n\n${prompt}`;
}
