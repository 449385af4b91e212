import type { DiffSize, Job } from '../../domain/task/attempt';
import { clean } from '../../platform/text/plainText';
import { redact } from '../../platform/text/redact';
import { fence } from '../folder/fence';
import {
  buildInput,
  describeAnswers,
  describeCause,
  describeLastCheck,
  type Instructed,
} from './instructions';
import { contains } from './filePieces';
import { composeReminder, composeRequest, markerOf, splitAnswer } from '../verdict/selfReport';
import { findTranscript, type SessionMode } from './session';
import { readTranscript } from './traces';
import { readSessionEnd } from './transcript';

/** As much of Claude's last words is handed over: their end says what was done and what remains. */
const LONGEST_WORDS = 4000;

/** A job as far as what its run is told depends on it. */
export type ContinuedInput = Instructed & Pick<Job, 'session' | 'handOver'>;

/**
 * What a run is told: the note where its session takes the place of another one, and has not started yet. `token`: Claude
 * is asked to report its end with it.
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
 * The words that ask for a report in a session that is resumed: all of them where it does not know them yet, since
 * Claude Code 2.1.329 takes no other system prompt than that of the session's first attempt.
 */
async function composeAsk(session: string, environment: NodeJS.ProcessEnv, token: string): Promise<string> {
  const marker = markerOf(token).trimEnd();
  const knows = await readTranscript(session, environment, (file) => contains(file, marker));
  return knows === true ? composeReminder(token) : composeRequest(token);
}

/** A new session knows nothing of the one before but this note; the working directory tells it the rest. */
async function composeNote(
  job: ContinuedInput,
  environment: NodeJS.ProcessEnv,
  token: string | undefined,
): Promise<string> {
  const words = await readLastText(job.handOver, environment, token);
  return [
    `An earlier session of Claude Code worked on this task and ${job.handOver === undefined ? 'is no longer available' : 'has grown too large to continue'}. You take it over, and know only what is written here.`,
    describeCause(job),
    'First look at what exists already, with git status and git diff where there is a repository. Continue from there, and do not repeat what is complete.',
    ...describeDiff(job.last?.diff),
    ...describeAnswers(job),
    ...describeLastCheck(job),
    ...(words === '' ? [] : ['The last message of the earlier session:', fence(words)]),
    `This is the task, in full:\n\n${job.definition.prompt}`,
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
  return words.length > LONGEST_WORDS ? `… ${words.slice(-LONGEST_WORDS)}` : words;
}

function describeDiff(diff: DiffSize | undefined): string[] {
  if (diff === undefined || diff.files === 0) return [];
  const { files, insertions, deletions } = diff;
  return [
    `The last attempt changed ${files} ${files === 1 ? 'file' : 'files'}, by git's count: ${insertions} lines in, ${deletions} out.`,
  ];
}
