import type { Job } from '../../domain/task/attempt';
import { Problem } from '../../domain/problem';
import { folderOf } from '../../domain/task/task';
import { RUN_MARK_VARIABLE } from '../../platform/processes/processes';
import { buildSessionArguments, keepFromPaying, listUnwanted } from '../attempt/command';
import { composeInput } from '../attempt/sessionSummary';
import { EVENTS_VARIABLE, HOOK_SETTINGS } from './hooks';
import { refuseEdits } from '../folder/protectedPaths';
import type { RunnerOptions } from '../attempt/run';
import { findLiveSession } from '../attempt/liveSession';
import { findTranscript } from '../attempt/session';

/** A task that the user does with Claude Code in a terminal. */
export type InteractiveJob = Pick<
  Job,
  'definition' | 'session' | 'resume' | 'handOver' | 'answered' | 'last' | 'runMark'
>;

export interface InteractiveOptions extends Pick<
  RunnerOptions,
  'environment' | 'billing' | 'permissionMode' | 'protectedPaths' | 'processes'
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

/**
 * The start of an interactive session: a new one, or the task's own where it has a transcript already.
 * @throws Problem `already-running` where that is open in another terminal
 */
export async function prepareInteractive(
  job: InteractiveJob,
  options: InteractiveOptions,
): Promise<InteractiveStart> {
  const { environment, billing, permissionMode, eventsFile, taskFile } = options;
  await refuseOpenSession(job, options);
  const mode = (await findTranscript(job.session, environment)) === null ? 'start' : 'resume';
  const input = await composeInput(job, mode, environment);
  const needsTaskFile = !fitsArgument(input);
  const given = needsTaskFile
    ? { ...job, definition: { ...job.definition, prompt: pointTo(taskFile) } }
    : job;
  const refused = refuseEdits(folderOf(job.definition), options.protectedPaths);
  return {
    args: [
      ...buildSessionArguments(job, mode, { permissionMode, refused }),
      // Whether the folder is trusted is asked in the terminal, after the start.
      ...['--settings', JSON.stringify({ ...HOOK_SETTINGS, ...keepFromPaying(billing) })],
      // Whatever it starts with, what is behind this is the prompt.
      ...['--', needsTaskFile ? await composeInput(given, mode, environment) : input],
    ],
    env: {
      ...Object.fromEntries(listUnwanted(environment, billing).map((name) => [name, null])),
      [EVENTS_VARIABLE]: eventsFile,
      [RUN_MARK_VARIABLE]: job.runMark,
    },
    needsTaskFile,
  };
}

async function refuseOpenSession(
  { definition, session }: InteractiveJob,
  { environment, processes }: InteractiveOptions,
): Promise<void> {
  const pid = await findLiveSession(session, environment, processes);
  if (pid === null) return;
  throw new Problem(
    'already-running',
    `The session of task ${String(definition.id)} is open in another Claude Code (process ${String(pid)}). Continue there, or end it first.`,
  );
}

/** Linux takes 128 KiB for one argument, its end included. */
const LONGEST_ARGUMENT = 128 * 1024 - 1;

function fitsArgument(text: string): boolean {
  return !text.includes('\0') && Buffer.byteLength(text) <= LONGEST_ARGUMENT;
}

function pointTo(taskFile: string): string {
  return `Read the whole file ${taskFile} and do the task in it.`;
}
