import { groupBy } from '../../domain/lists';
import { isObject, isText } from '../../platform/text/shapes';

/** Target of a command, with the key of the queue to which it belongs: a window may show several. */
export interface QueueTarget {
  readonly queue: string;
  readonly target: unknown;
}

/** Returns the target of a command for one queue. It can be written as JSON if the target can. */
export function bindTarget(queue: string, target?: unknown): QueueTarget {
  return { queue, target: target ?? null };
}

/** Target as a handler gets it; `queue` is null if it does not say to which queue it belongs. */
interface Unbound {
  readonly queue: string | null;
  readonly target: unknown;
}

/** Separates a target from its queue. A row of the tree has its queue and is the target itself. */
export function unbindTarget(value: unknown): Unbound {
  if (!isObject(value) || !isText(value['queue'])) return { queue: null, target: value };
  const { queue } = value;
  return { queue, target: 'target' in value ? (value['target'] ?? undefined) : value };
}

/** Targets of one call that belong to the same queue. */
export interface TargetGroup {
  readonly queue: string | null;
  readonly targets: readonly unknown[];
}

/** Groups targets by their queue. */
export function groupTargets(values: readonly unknown[]): readonly TargetGroup[] {
  const groups = groupBy(values.map(unbindTarget), ({ queue }) => queue);
  return [...groups].map(([queue, own]) => ({ queue, targets: own.map(({ target }) => target) }));
}

/** Folder of a queue that the window shows. */
export interface QueueFolder {
  readonly key: string;
  readonly folder: string;
}

/** Returns the queue in whose folder a file is, in the innermost one if folders contain each other. */
export function findByFile<Queue extends QueueFolder>(
  queues: readonly Queue[],
  file: string | null,
): Queue | undefined {
  if (file === null) return undefined;
  return queues
    .filter(({ folder }) => file === folder || file.startsWith(folder.endsWith('/') ? folder : `${folder}/`))
    .toSorted((a, b) => b.folder.length - a.folder.length)[0];
}
