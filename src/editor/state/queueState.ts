import type { QueueViewModel } from '../../app/viewModel/queueViewModel';
import type { TaskId } from '../../domain/task/task';

/** State that every view of the editor shows: a value, replaced as a whole. */
export type QueueState =
  /** Nothing has been read yet. */
  | { readonly kind: 'opening' }
  | UnreadState
  | { readonly kind: 'ready'; readonly viewModel: QueueViewModel; readonly notes: Notes };

/** State without a queue to show. */
export type UnreadState =
  /** No folder is open, or it has no queue file. */
  | { readonly kind: 'missing' }
  /** The queue cannot be read; the message is for the user, who can fix it in one of these files. */
  | {
      readonly kind: 'failing';
      readonly message: string;
      readonly files: readonly string[];
      /** Whether its history was made elsewhere. */
      readonly isForeign?: boolean;
      /** Set for a queue in Redis: whether the server does not answer, or the user has to act. */
      readonly redis?: 'away' | 'refused';
    };

/** State of a queue that cannot be read. */
export type Failing = Extract<QueueState, { kind: 'failing' }>;

/** Notes about the sessions of tasks that the user has. */
export type Notes = ReadonlyMap<TaskId, string>;

/** Whether the queue is refused because its history was made elsewhere. */
export function isForeign(state: QueueState): boolean {
  return state.kind === 'failing' && state.isForeign === true;
}

/** Returns the view model, if there is one. */
export function viewModelOf(state: QueueState): QueueViewModel | null {
  return state.kind === 'ready' ? state.viewModel : null;
}
