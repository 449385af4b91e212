import type { QueueViewModel } from '../../app/viewModel/queueViewModel';
import type { TaskId } from '../../domain/task/task';

/** What every surface of the editor shows: a value, replaced as a whole. */
export type QueueState =
  /** Nothing has been read yet. */
  | { readonly kind: 'opening' }
  | UnreadState
  | { readonly kind: 'ready'; readonly viewModel: QueueViewModel; readonly notes: Notes };

/** There is nothing to show. */
export type UnreadState =
  /** No folder is open, or it has no queue file. */
  | { readonly kind: 'missing' }
  /** There is a queue that cannot be read; the message is fit for the user, who can fix it in one of these files. */
  | {
      readonly kind: 'failing';
      readonly message: string;
      readonly files: readonly string[];
      /** Whether its history was made elsewhere. */
      readonly isForeign?: boolean;
    };

/** What is known of tasks that the user has: where their session is. */
export type Notes = ReadonlyMap<TaskId, string>;

/** Whether the queue is refused since its history was made elsewhere. */
export function isForeign(state: QueueState): boolean {
  return state.kind === 'failing' && state.isForeign === true;
}

/** The picture, where there is one. */
export function viewModelOf(state: QueueState): QueueViewModel | null {
  return state.kind === 'ready' ? state.viewModel : null;
}
