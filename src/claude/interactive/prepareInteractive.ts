import type { Job } from '../../domain/task/attempt';
import { Problem } from '../../domain/problem';
import { withPrompt } from '../../domain/task/task';
import { nameMachine } from '../../platform/processes/machine';
import { RUN_MARK_VARIABLE } from '../../platform/processes/processes';
import { t } from '../../platform/text/translate';
import { buildSessionArguments, buildSystemPrompt, keepFromPaying, listUnwanted } from '../attempt/command';
import { composeInput } from '../attempt/sessionSummary';
import { EVENTS_VARIABLE, HOOK_SETTINGS } from './hooks';
import { refuseEdits } from '../folder/protectedPaths';
import type { RunnerOptions } from '../attempt/run';
import { findLiveSession } from '../attempt/liveSession';
import { findNewerSession, findTranscript } from '../attempt/session';

/** Task that the user does with Claude Code in a terminal. */
export type InteractiveJob = Pick<
  Job,
  'definition' | 'place' | 'session' | 'resume' | 'handOver' | 'answered' | 'last' | 'attemptMark'
>;

export interface InteractiveOptions extends Pick<
  RunnerOptions,
  'environment' | 'billing' | 'permissionMode' | 'protectedPaths' | 'processes'
> {
  /** File to which the session's hooks append events. The caller creates it, for its owner alone. */
  readonly eventsFile: string;
  /** Absolute path of a file for a prompt that does not fit into an argument. */
  readonly taskFile: string;
}

/** Arguments and environment with which a terminal starts `claude` as its process, without a shell. */
export interface InteractiveStart {
  readonly args: readonly string[];
  /** Merged into the environment that a terminal inherits; null removes a variable. */
  readonly env: Readonly<Record<string, string | null>>;
  /** Whether the task file has to hold the task before the start. */
  readonly needsTaskFile: boolean;
}

/**
 * Prepares the start of an interactive session: a new one, or the task's own if it has a transcript already.
 * @throws Problem `already-running` if that session is open in another Claude Code; `conflict` if it lacks the last
 * attempt, which ran on another machine
 */
export async function prepareInteractive(
  job: InteractiveJob,
  options: InteractiveOptions,
): Promise<InteractiveStart> {
  const { environment, billing, permissionMode, eventsFile, taskFile } = options;
  await refuseOpenSession(job, options);
  const transcript = await findTranscript(job.session, environment);
  if (transcript !== null) await refuseOutdatedSession(transcript, job);
  const mode = transcript === null ? 'start' : 'resume';
  const input = await composeInput(job, mode, environment);
  const needsTaskFile = !fitsArgument(input);
  const given = needsTaskFile ? { ...job, definition: withPrompt(job.definition, pointTo(taskFile)) } : job;
  const refused = refuseEdits(job.place.folder, options.protectedPaths);
  return {
    args: [
      ...buildSessionArguments(job, mode, { permissionMode, refused }),
      ...buildSystemPrompt(job.definition),
      // Claude Code asks in the terminal, after the start, whether the folder is trusted.
      ...['--settings', JSON.stringify({ ...HOOK_SETTINGS, ...keepFromPaying(billing) })],
      // Everything after `--` is the prompt, whatever it starts with.
      ...['--', needsTaskFile ? await composeInput(given, mode, environment) : input],
    ],
    env: {
      ...Object.fromEntries(listUnwanted(environment, billing).map((name) => [name, null])),
      [EVENTS_VARIABLE]: eventsFile,
      [RUN_MARK_VARIABLE]: job.attemptMark,
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
    t(
      'The session of task {0} is open in another Claude Code (process {1}). Continue there, or end it first.',
      definition.id,
      pid,
    ),
  );
}

async function refuseOutdatedSession(transcript: string, job: InteractiveJob): Promise<void> {
  const machine = await findNewerSession(transcript, job);
  if (machine === null) return;
  throw new Problem(
    'conflict',
    t(
      'The session of task {0} here lacks its last attempt, which ran on {1}. Do the task there, or let a worker run it: that starts a new session.',
      job.definition.id,
      nameMachine(machine),
    ),
  );
}

/** Longest argument in bytes: Linux takes 128 KiB, the terminator included. */
const LONGEST_ARGUMENT = 128 * 1024 - 1;

function fitsArgument(text: string): boolean {
  return !text.includes('\0') && Buffer.byteLength(text) <= LONGEST_ARGUMENT;
}

function pointTo(taskFile: string): string {
  return `Read the whole file ${taskFile} and do the task in it.`;
}
