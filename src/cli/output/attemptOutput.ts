import { existsSync } from 'node:fs';
import type { ReportToken } from '../../account/reportToken';
import { describeMessage, describeOutcome, NO_OUTPUT_HERE } from '../../app/present/attempt';
import { OutputTail } from '../../claude/stream/outputTail';
import { renderMessage } from '../../claude/stream/render';
import { Problem } from '../../domain/problem';
import type { Attempt, Outcome } from '../../domain/task/attempt';
import type { TaskId } from '../../domain/task/task';
import type { QueuePaths } from '../../queue/queuePaths';
import type { TaskQueue } from '../../queue/taskQueue';
import type { System } from '../system';
import type { Line, Tone } from './line';

/** Paths of the outputs, and the terminal that shows them. */
export interface OutputPlace {
  readonly paths: QueuePaths;
  readonly system: Pick<System, 'out'>;
  openReportToken(): Pick<ReportToken, 'find'>;
}

/** Returns new output as lines for a terminal, without Claude's report lines. */
export async function readLines(place: OutputPlace, tail: OutputTail): Promise<string[]> {
  const messages = await tail.read();
  if (messages.length === 0) return [];
  const token = await place.openReportToken().find();
  return messages.flatMap((message) => renderMessage(message, token));
}

/**
 * Prints the output of a task's attempt: without a number, that of the running one, or else of the latest.
 * @throws Problem `no-output`, `no-such-task`
 */
export async function showOutput(
  place: OutputPlace,
  queue: TaskQueue,
  id: TaskId,
  number?: number,
): Promise<void> {
  const { claims, tasks, problems } = await queue.read();
  const running = claims.find(
    (claim) => claim.id === id && claim.owner.kind === 'process' && claim.ownerDied !== true,
  );
  const show = async (attempt: number): Promise<void> => {
    const file = place.paths.state.outputOf({ id, attempt });
    if (!existsSync(file)) place.system.out([{ text: NO_OUTPUT_HERE, tone: 'dim' }]);
    for (const line of await readLines(place, new OutputTail(file))) place.system.out(line);
  };
  if (running !== undefined && [undefined, running.attempt].includes(number)) {
    await show(running.attempt);
    place.system.out(`Task ${String(id)} is running: "claude-queue log ${String(id)} --follow" follows it.`);
    return;
  }
  const attempts = await queue.attempts({ id });
  const attempt = number === undefined ? attempts[0] : attempts.find((one) => one.number === number);
  if (attempt?.output === undefined) {
    const task = tasks.find(({ definition }) => definition.id === id);
    const isKnown = task !== undefined || attempts.length > 0 || problems.some((one) => one.id === id);
    if (!isKnown) throw new Problem('no-such-task', `There is no task ${String(id)}.`);
    throw new Problem('no-output', `Task ${String(id)} ${whyNoOutput(task?.state.untold === true, number)}`);
  }
  await show(attempt.number);
  place.system.out(describeEnd(attempt));
}

function whyNoOutput(isArchived: boolean, number: number | undefined): string {
  if (isArchived) return 'has no output here: it was moved to state/archive.';
  if (number !== undefined) return `has no output of attempt ${String(number)}.`;
  return 'has no output yet: it has not run here.';
}

const TONES: Record<Outcome, Tone> = {
  success: 'green',
  review: 'yellow',
  error: 'red',
  transient: 'yellow',
  limit: 'yellow',
  blocked: 'yellow',
  permanent: 'red',
  cancelled: 'dim',
  lost: 'yellow',
};

/** Returns the line that says how an attempt ended. */
export function describeEnd(attempt: Attempt): Line {
  const words = { text: describeOutcome(attempt), tone: TONES[attempt.outcome] };
  return [nameTask(attempt.id), ' ', words, `. ${describeMessage(attempt)}`];
}

/** Returns the name of a task as a part of a line. */
export function nameTask(id: TaskId): { readonly text: string; readonly tone: Tone } {
  return { text: `Task ${String(id)}`, tone: 'bold' };
}
