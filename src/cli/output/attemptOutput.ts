import type { ReportToken } from '../../account/reportToken';
import { describeOutcome } from '../../app/present/attempt';
import { describeMessage } from '../../app/present/reasons/endNote';
import type { OutputTail } from '../../claude/stream/outputTail';
import { renderMessage } from '../../claude/stream/render';
import type { Attempt, Outcome } from '../../domain/task/attempt';
import type { TaskId } from '../../domain/task/task';
import type { QueuePaths } from '../../queue/queuePaths';
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
