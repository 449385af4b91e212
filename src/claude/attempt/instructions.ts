import { MADE_WAY, type Attempt, type CheckRun, type Job, type ResumeCause } from '../../domain/task/attempt';
import { promptOf } from '../../domain/task/task';
import { DENIED } from '../../domain/task/reviewReasons';
import { firstLine } from '../../platform/text/plainText';
import { fence } from '../../platform/text/fence';
import type { SessionMode } from './session';

const RESUMED: Readonly<Record<ResumeCause, string>> = {
  limit: 'A usage limit interrupted this task, and the limit has been reset.',
  blocked:
    'Something about the account, such as its sign-in or its billing, interrupted this task, and has been fixed.',
  lost: 'The machine or the program that ran this task ended in the middle of it.',
  stopped: 'The user stopped this task for a while and resumes it now.',
  interrupted: 'The API could not be reached, or accepted no more requests, in the middle of this task.',
  elsewhere: 'The user had this session open, and may have continued in it.',
  answer: 'You asked the user a question about this task, and the user has answered it.',
  comment: 'The user has looked at your work on this task and comments on it.',
  retry: 'The last attempt at this task failed, so this is another one.',
};

const MADE_ROOM = 'This task was stopped so that a more urgent one could run, and continues now.';

/** Parts of a job that its instructions depend on. */
export type Instructed = Pick<Job, 'definition' | 'resume' | 'answered' | 'last' | 'grants'>;

/**
 * Returns the input of an attempt. A new session gets the prompt byte for byte and nothing else. A resumed one
 * gets whole sentences and the task again, since Claude Code may have put a remark of its own in between.
 * `ask`: paragraphs that ask for a report of the end.
 */
export function buildInput(job: Instructed, mode: SessionMode, ask: readonly string[] = []): string {
  const prompt = promptOf(job.definition);
  if (mode === 'start') return prompt;
  const newest = job.answered?.at(-1);
  const undone = describeUndo(job);
  if (job.resume === 'answer' && newest !== undefined)
    return [asMessage(newest.answer), ...undone, ...ask].join('\n\n');
  if (job.resume === 'comment' && newest !== undefined)
    return [...withState(RESUMED.comment, undone, TAKE_UP), fence(newest.answer), ...ask].join('\n\n');
  return [
    ...withState(describeCause(job), undone, CONTINUE),
    ...describeAnswers(job),
    ...describeLastCheck(job),
    ...ask,
    `This is the task, in full:\n\n${prompt}`,
  ].join('\n\n');
}

const CONTINUE =
  'Look at what exists already, continue where you stopped, and do not repeat what is complete.';

/** Returns what Claude must know if the user has undone what its last attempt changed. */
export function describeUndo({ last }: Pick<Job, 'last'>): string[] {
  if (last?.undoneAt === undefined) return [];
  return [
    'The user has undone your changes: the files are as they were before. Look at what exists now, and do again what is missing.',
  ];
}

/** Returns a cause and what to do, which is something else if changes were undone. */
function withState(cause: string, undone: readonly string[], act: string): string[] {
  return [[cause, ...(undone.length === 0 ? [act] : undone)].join(' ')];
}

const TAKE_UP = 'Change your work accordingly; all else stays as it is.';

/** Keeps an answer that starts with a slash, such as a path, from being read as a command of Claude Code. */
function asMessage(answer: string): string {
  return answer.startsWith('/') ? `My answer: ${answer}` : answer;
}

/** Returns why this attempt continues what another one started, in whole sentences. */
export function describeCause({ resume, last, grants = [] }: Omit<Instructed, 'definition'>): string {
  // Without a cause, an attempt that died before it was recorded left the transcript.
  const cause = resume ?? 'lost';
  if (cause === 'stopped' && last?.reason === MADE_WAY) return MADE_ROOM;
  if (cause !== 'retry' || last === undefined) return RESUMED[cause];
  if (last.reason === DENIED) return describeRefused(last, grants);
  const isRefused = last.denials !== undefined && last.denials.length > 0;
  return [describeFailure(last), ...(isRefused ? [describeRefused(last, grants)] : [])].join(' ');
}

function describeFailure(last: Attempt): string {
  if (findFailedCheck(last) !== null) return 'The last attempt at this task did not pass its check.';
  return `${RESUMED.retry} It ended with: ${firstLine(last.message === '' ? last.reason : last.message)}`;
}

const MOST_REFUSALS = 10;

function describeRefused({ denials = [] }: Attempt, grants: readonly string[]): string {
  const shown = denials.slice(0, MOST_REFUSALS);
  const refused = shown.map(({ tool, detail }) => `${tool} ${firstLine(detail)}`.trim()).join('; ');
  const since =
    grants.length === 0
      ? 'Do without that, or in a way that is allowed.'
      : `Allowed since then: ${grants.join(', ')}.`;
  return `In the last attempt at this task you were refused: ${refused}. ${since}`;
}

/** Returns Claude's questions about the task with the user's answers, and the user's comments on its work. */
export function describeAnswers({ answered = [] }: Pick<Job, 'answered'>): string[] {
  return answered.flatMap(({ question, answer }) =>
    question === undefined
      ? ['The user commented on your work:', fence(answer)]
      : ['You asked the user:', fence(question), 'The user answered:', fence(answer)],
  );
}

/** Returns the result of the row's own check if the last attempt did not pass it. It shows what to fix. */
export function describeLastCheck({ definition, last }: Pick<Job, 'definition' | 'last'>): string[] {
  const check = last === undefined ? null : findFailedCheck(last);
  if (check === null || definition.verify === undefined) return [];
  const how = `After the last attempt the work was checked by this command, which ${describeEnd(check)}:`;
  const outputLines =
    check.output === '' ? ['It printed nothing.'] : ['The end of its output:', fence(check.output)];
  return [how, fence(definition.verify.join(' ')), ...outputLines, 'Find out why, and fix it.'];
}

function findFailedCheck({ check }: Attempt): CheckRun | null {
  return check?.result === 'failed' || check?.result === 'timeout' ? check : null;
}

function describeEnd({ result, exitCode, signal = 'a signal' }: CheckRun): string {
  if (result === 'timeout') return 'did not finish in time';
  return exitCode === null ? `was ended by ${signal}` : `ended with exit code ${String(exitCode)}`;
}
