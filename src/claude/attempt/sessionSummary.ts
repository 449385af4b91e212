import type { DiffSize, Job } from '../../domain/task/attempt';
import { promptOf } from '../../domain/task/task';
import { clean, cutToEnd } from '../../platform/text/plainText';
import { redact } from '../../platform/text/redact';
import { fence } from '../../platform/text/fence';
import {
  buildInput,
  describeAnswers,
  describeCause,
  describeLastCheck,
  describeUndo,
  type Instructed,
} from './instructions';
import { contains } from './filePieces';
import { composeReminder, composeRequest, markerOf, splitAnswer } from '../verdict/selfReport';
import { findTranscript, type SessionMode } from './session';
import { readTranscript } from './traces';
import { readSessionEnd } from './transcript';

/** Characters of Claude's last message to quote. The end is kept: it says what was done and what remains. */
const LONGEST_WORDS = 4000;

/** Parts of a job that its input depends on. */
export type ContinuedInput = Instructed & Pick<Job, 'session' | 'handOver'>;

/**
 * Returns the input of an attempt. If its session replaces another one and has not started yet, the input is a
 * summary for the new session. `token`: Claude is asked to report its end with it.
 */
export async function composeInput(
  job: ContinuedInput,
  mode: SessionMode,
  environment: NodeJS.ProcessEnv,
  token?: string,
): Promise<string> {
  const isNoted = job.handOver !== undefined || job.answered !== undefined;
  if (mode === 'start' && isNoted) return composeNote(job, environment, token);
  return buildInput(
    job,
    mode,
    token === undefined ? [] : [await composeAsk(job.session, environment, token)],
  );
}

/**
 * Returns the text that asks for a report in a resumed session. That is the full request if the session does
 * not know it yet: Claude Code 2.1.329 takes no other system prompt than that of the session's first attempt.
 */
async function composeAsk(session: string, environment: NodeJS.ProcessEnv, token: string): Promise<string> {
  const marker = markerOf(token).trimEnd();
  const knows = await readTranscript(session, environment, (file) => contains(file, marker));
  return knows === true ? composeReminder(token) : composeRequest(token);
}

/**
 * Returns the summary for a new session. The session knows nothing else of the earlier one; the working
 * directory shows the rest.
 */
async function composeNote(
  job: ContinuedInput,
  environment: NodeJS.ProcessEnv,
  token: string | undefined,
): Promise<string> {
  const words = await readLastText(job.handOver, environment, token);
  return [
    `An earlier session of Claude Code worked on this task and ${job.handOver === undefined ? 'is no longer available' : 'has grown too large to continue'}. You take it over, and know only what is written here.`,
    describeCause(job),
    ...describeWork(job),
    ...describeAnswers(job),
    ...describeLastCheck(job),
    ...(words === '' ? [] : ['The last message of the earlier session:', fence(words)]),
    `This is the task, in full:\n\n${promptOf(job.definition)}`,
  ].join('\n\n');
}

async function readLastText(
  session: string | undefined,
  environment: NodeJS.ProcessEnv,
  token: string | undefined,
): Promise<string> {
  const transcript = session === undefined ? null : await findTranscript(session, environment);
  if (transcript === null) return '';
  const { lastText } = await readSessionEnd(transcript);
  const answer = token === undefined ? lastText : splitAnswer(lastText, token).answer;
  const words = clean(redact(answer)).trim();
  return words.length > LONGEST_WORDS ? `… ${cutToEnd(words, LONGEST_WORDS)}` : words;
}

/** Returns what the last attempt left in the working directory, and how to continue from there. */
function describeWork(job: ContinuedInput): string[] {
  const undone = describeUndo(job);
  if (undone.length > 0) return undone;
  return [
    'First look at what exists already, with git status and git diff where there is a repository. Continue from there, and do not repeat what is complete.',
    ...describeDiff(job.last?.diff),
  ];
}

function describeDiff(diff: DiffSize | undefined): string[] {
  if (diff === undefined || diff.files === 0) return [];
  const { files, insertions, deletions } = diff;
  return [
    `The last attempt changed ${files} ${files === 1 ? 'file' : 'files'}, by git's count: ${insertions} lines in, ${deletions} out.`,
  ];
}
