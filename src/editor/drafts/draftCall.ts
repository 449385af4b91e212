import { createHash } from 'node:crypto';
import type { OpId } from '../../queue/taskQueue';

/**
 * Returns the id of the call that adds a draft with this content: the same for the same content. The answer of Redis may be
 * lost after the task was added; the user who sends the same again means that task, not a second one.
 */
export function nameCall(draftId: string, content: unknown): OpId {
  return createHash('sha256')
    .update(JSON.stringify([draftId, content]))
    .digest('hex')
    .slice(0, 32);
}
