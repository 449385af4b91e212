import type { CommandName } from '../../commandIds';
import { findByFile, type QueueFolder } from '../../state/queueTarget';
import { hasQueue, runsUnread, viewModelOf, type QueueState } from '../../state/queueState';

/** Queue on which a command may act. */
interface Candidate extends QueueFolder {
  readonly state: QueueState;
  /** Null for a queue in Redis. */
  readonly queueFile: string | null;
}

/** Commands that the file in the active editor does not decide: they are called where all queues are shown. */
const ALWAYS_ASK: readonly CommandName[] = ['showMenu'];

/** Commands about a file. Its folder is offered without a queue, too: the command creates one. */
const OF_FILE: readonly CommandName[] = ['addFromEditor', 'addFromExplorer', 'addFromProblem'];

/**
 * Returns the queues on which a command without a row may act: that of the file if there is one, else all that suit it;
 * the user chooses one of them.
 */
export function findCandidates<C extends Candidate>(
  queues: readonly C[],
  name: CommandName,
  file: string | null,
): readonly C[] {
  const suitable = [queues.filter(({ state }) => suits(name, state)), queues.filter(hasQueue), queues].find(
    ({ length }) => length > 0,
  );
  const candidates = suitable ?? [];
  const ofFile = ALWAYS_ASK.includes(name) ? undefined : findByFile(queues, file);
  if (ofFile === undefined) return candidates;
  // The buttons of a queue file act on its queue, also where they can do nothing.
  if (ofFile.queueFile === file && name !== 'createQueue') return [ofFile];
  if (candidates.includes(ofFile)) return [ofFile];
  return OF_FILE.includes(name) ? [ofFile, ...candidates] : candidates;
}

/** Whether a command can do something with a queue in this state. */
function suits(name: CommandName, state: QueueState): boolean {
  if (name === 'createQueue') return state.kind === 'missing';
  if (name === 'stop') return runsUnread(state) || (viewModelOf(state)?.snapshot.workers.length ?? 0) > 0;
  if (name === 'resume') return state.kind === 'ready' && state.viewModel.pause !== null;
  return hasQueue({ state });
}
