import { OutputTail } from '../../claude/stream/outputTail';
import { splitAnswer } from '../../claude/verdict/selfReport';
import type { Attempt } from '../../domain/task/attempt';
import { cutText } from '../../platform/text/plainText';
import type { StatePaths } from '../../queue/queuePaths';

/** Bytes at the end of an output that are searched. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Characters of an answer that are returned. */
const MOST_LENGTH = 64 * 1024;

/**
 * Returns Claude's last answer in an attempt, without secrets and without its report line, which has this token. Null:
 * there is none, or its output is not on this machine.
 */
export async function readResult(
  { output, session }: Attempt,
  state: Pick<StatePaths, 'output'>,
  token: string,
): Promise<string | null> {
  if (output === undefined) return null;
  const messages = await new OutputTail(state.output(output), { session, mostBytes: MOST_BYTES }).read();
  const last = messages.findLast((message) => message.type === 'result');
  if (last === undefined || last.text === '') return null;
  return cutText(splitAnswer(last.text, token).answer, MOST_LENGTH);
}

/** Characters of an answer that are kept with its callback. */
const MOST_KEPT = 8 * 1024;

/** Returns the start of that answer, to be kept for other machines; undefined: there is none. */
export async function readKeptResult(...asked: Parameters<typeof readResult>): Promise<string | undefined> {
  const result = await readResult(...asked);
  return result === null ? undefined : cutText(result, MOST_KEPT);
}
