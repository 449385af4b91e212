import { composeParts, restoreField, type FieldPart } from '../../model/state/stateParts';

/** State of a queue file: the fields of its queue, and its own. */
interface Whole {
  readonly queue: object;
}

/** Part of one field of a state. A journal's generation opens with all parts. */
export interface SnapshotPart extends FieldPart {
  readonly of: 'queue' | 'file';
}

/** Yields all parts of a state. */
export function* composeSnapshot(state: Whole): Generator<{ readonly snapshot: SnapshotPart }> {
  const { queue, ...file } = state;
  for (const [of, fields] of [['queue', queue] as const, ['file', file] as const]) {
    for (const part of composeParts(fields)) yield { snapshot: { of, ...part } };
  }
}

/** Restores a part into a state that started empty. */
export function restorePart(state: Whole, { of, ...part }: SnapshotPart): void {
  restoreField(of === 'queue' ? state.queue : state, part);
}
