import type { DiffSize, Job } from '../domain/attempt';
import { clean } from '../platform/plainText';
import { redact } from '../platform/redact';
import { fence } from './fence';
import { buildInput, describeCause, describeLastCheck, type Instructed } from './instructions';
import { findTranscript, type SessionMode } from './session';
import { readSessionEnd } from './transcript';

/** As much of Claude's last words is handed over: their end says what was done and what is left. */
const LONGEST_WORDS = 4000;

/** A job as far as what its run is told depends on it. */
export type TakenOver = Instructed & Pick<Job, 'handOver'>;

/** What a run is told: the note where its session takes the place of another one, and has not begun yet. */
export async function composeInput(
  job: TakenOver,
  mode: SessionMode,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  return mode === 'start' && job.handOver !== undefined
    ? composeNote(job, environment)
    : buildInput(job, mode);
}

/** A new session knows nothing of the one before but this note; the working directory tells it the rest. */
async function composeNote(job: TakenOver, environment: NodeJS.ProcessEnv): Promise<string> {
  const words = await readLastWords(job.handOver, environment);
  return [
    'An earlier session of Claude Code worked on this task and has grown too large to go on in. You take it over, and know of it only what stands here.',
    describeCause(job),
    'Look first at what is there already, with git status and git diff where there is a repository. Go on from there, and do not repeat what is complete.',
    ...describeDiff(job.last?.diff),
    ...describeLastCheck(job),
    ...(words === '' ? [] : ['The last that was said in the earlier session:', fence(words)]),
    `This is the task, in full:\n\n${job.definition.prompt}`,
  ].join('\n\n');
}

async function readLastWords(session: string | undefined, environment: NodeJS.ProcessEnv): Promise<string> {
  const transcript = session === undefined ? null : await findTranscript(session, environment);
  if (transcript === null) return '';
  const words = clean(redact((await readSessionEnd(transcript)).lastWords)).trim();
  return words.length > LONGEST_WORDS ? `… ${words.slice(-LONGEST_WORDS)}` : words;
}

function describeDiff(diff: DiffSize | undefined): string[] {
  if (diff === undefined || diff.files === 0) return [];
  const { files, insertions, deletions } = diff;
  return [
    `The last attempt changed ${files} ${files === 1 ? 'file' : 'files'}, by git's count: ${insertions} lines in, ${deletions} out.`,
  ];
}
