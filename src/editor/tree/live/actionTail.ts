import type { QueueContext } from '../../../app/context/queueContext';
import { OutputTail } from '../../../claude/stream/outputTail';
import { renderMessage } from '../../../claude/stream/render';
import type { Claim } from '../../../domain/queue/view';
import { placeOfAttempt } from '../../../domain/task/place';

/** Bytes at the end of an output that are read at first: more than one action. */
const MOST_BYTES = 64 * 1024;

/** Last action of Claude in a growing output. */
export interface ActionTail {
  /** Returns the action as of now; empty if there is none yet. */
  read(): Promise<string>;
}

/** Follows the output of a running attempt. */
export function followAction(
  queueContext: Pick<QueueContext, 'paths' | 'openReportToken'>,
  claim: Pick<Claim, 'id' | 'attempt' | 'session' | 'place' | 'workingDir'>,
): ActionTail {
  const place = placeOfAttempt(claim, undefined);
  const tail = new OutputTail(queueContext.paths.state.outputOf(claim), {
    session: claim.session,
    mostBytes: MOST_BYTES,
  });
  let last = '';
  return {
    async read() {
      const messages = (await tail.read()).filter(({ type }) => type === 'assistant');
      if (messages.length === 0) return last;
      const token = await queueContext.openReportToken().find();
      const line = messages.flatMap((message) => renderMessage(message, token)).at(-1);
      // Paths are shown as from the working directory: the tree is narrow.
      if (line !== undefined) last = place === undefined ? line : line.replaceAll(`${place.folder}/`, '');
      return last;
    },
  };
}
