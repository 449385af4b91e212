import type { Job } from '../domain/attempt';
import { RUN_MARK_VARIABLE } from '../platform/processes';
import { buildInput, buildSessionArguments, listUnwanted } from './command';
import { EVENTS_VARIABLE, HOOK_SETTINGS } from './hooks';
import { findNames } from './protectedPaths';
import type { RunnerOptions } from './run';
import { hasTranscript } from './session';

/** A task that a person does with Claude Code in a terminal. */
export type InteractiveJob = Pick<Job, 'definition' | 'session' | 'resume' | 'runMark'>;

export interface InteractiveOptions extends Pick<
  RunnerOptions,
  'environment' | 'billing' | 'permissions' | 'protectedPaths'
> {
  /** Where the session's hooks append what happens. The caller creates it, for its owner alone. */
  readonly eventsFile: string;
  /** Absolute path of a file through which a prompt goes that no argument can hold. */
  readonly taskFile: string;
}

/** How a terminal starts `claude` as its process, without a shell. */
export interface InteractiveStart {
  readonly args: readonly string[];
  /** Merged into the environment that a terminal inherits; null removes a variable. */
  readonly env: Readonly<Record<string, string | null>>;
  /** Whether the task file has to hold the task before the start. */
  readonly needsTaskFile: boolean;
}

/** The start of an interactive session: a new one, or the task's own where it has a transcript already. */
export async function prepareInteractive(
  job: InteractiveJob,
  options: InteractiveOptions,
): Promise<InteractiveStart> {
  const { environment, billing, permissions, eventsFile, taskFile } = options;
  const mode = (await hasTranscript(job.session, environment)) ? 'resume' : 'start';
  const needsTaskFile = !fitsArgument(buildInput(job, mode));
  const given = needsTaskFile
    ? { ...job, definition: { ...job.definition, prompt: pointTo(taskFile) } }
    : job;
  const protectedNames = await findNames(options.protectedPaths);
  return {
    args: [
      ...buildSessionArguments(job, mode, permissions, protectedNames),
      ...['--settings', HOOK_SETTINGS],
      // Whatever it begins with, what stands behind this is the prompt.
      ...['--', buildInput(given, mode)],
    ],
    env: {
      ...Object.fromEntries(listUnwanted(environment, billing).map((name) => [name, null])),
      [EVENTS_VARIABLE]: eventsFile,
      [RUN_MARK_VARIABLE]: job.runMark,
    },
    needsTaskFile,
  };
}

/** Linux takes 128 KiB for one argument, its end included. */
const LONGEST_ARGUMENT = 128 * 1024 - 1;

function fitsArgument(text: string): boolean {
  return !text.includes('\0') && Buffer.byteLength(text) <= LONGEST_ARGUMENT;
}

function pointTo(taskFile: string): string {
  return `Read the whole file ${taskFile} and do the task in it.`;
}
