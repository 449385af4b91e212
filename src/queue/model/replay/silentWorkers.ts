import type { Owner, ProcessOwner } from '../../../domain/queue/view';
import type { EpochMs } from '../../../domain/time/epoch';
import type { SilentWorker, Span } from '../../pastReader';
import type { QueueEvent } from '../events';
import { nameAsker } from '../state/inputsState';
import type { QueueState } from '../state/queueState';

/** Workers that did not unregister: others found them gone, or nobody has looked yet. */
export class SilentWorkers {
  /** When each registered worker recorded something last, by name. */
  private readonly latest = new Map<string, EpochMs>();
  private readonly found: SilentWorker[] = [];
  /** Workers of the last event, if it unregistered them. */
  private left: { readonly op: string | undefined; readonly workers: readonly SilentWorker[] } | null = null;

  constructor(private readonly span: Span) {}

  /** Looks at an event, before it is applied. */
  look(event: QueueEvent, state: QueueState): void {
    this.judgeLeft(event);
    if (event.kind === 'left') {
      this.left = { op: event.op, workers: event.workers.map((worker) => this.lastOf(worker, state)) };
      for (const worker of event.workers) this.latest.delete(nameAsker(worker) ?? '');
    } else {
      const name = nameRecorder(event, state);
      if (name !== null) this.latest.set(name, event.at);
    }
  }

  /** Returns those of the span, and the dead ones that are still registered at the end. */
  findAll({ workers }: QueueState, isDead: (worker: ProcessOwner) => boolean): readonly SilentWorker[] {
    const dead = workers.map(({ owner }) => owner).filter(isDead);
    const registered = dead.map((worker) => this.lastOf(worker, { workers }));
    return [...this.found, ...registered.filter(({ lastAt }) => lastAt < this.span.to)];
  }

  /** A worker unregisters itself in a call of its own; who finds it gone records more in the same call. */
  private judgeLeft({ kind, op, at }: QueueEvent): void {
    const { left } = this;
    this.left = null;
    if (left === null || left.op !== op || at < this.span.from) return;
    if (kind === 'raised' || kind === 'enlisted')
      this.found.push(...left.workers.filter(({ lastAt }) => lastAt < this.span.to));
  }

  private lastOf(worker: ProcessOwner, { workers }: Pick<QueueState, 'workers'>): SilentWorker {
    const name = nameAsker(worker) ?? '';
    const since = workers.find(({ owner }) => nameAsker(owner) === name)?.since ?? -Infinity;
    return { worker, lastAt: this.latest.get(name) ?? since };
  }
}

/** Returns the name of the worker that recorded an event; null: it was another process, or none is named. */
function nameRecorder(event: QueueEvent, { claims }: QueueState): string | null {
  const nameOwner = (owner: Owner | undefined): string | null =>
    owner === undefined ? null : nameAsker(owner);
  switch (event.kind) {
    case 'enlisted':
      return nameAsker(event.worker.owner);
    case 'inputs':
      return event.asker?.worker ?? null;
    case 'claimed':
      return nameAsker(event.claim.owner);
    case 'finished': {
      // Another worker records the end of a lost attempt.
      const kind = event.attempt.note?.kind;
      return kind === 'owner-died' || kind === 'history-lost' ? null : nameOwner(claims.get(event.id)?.owner);
    }
    case 'started':
    case 'released':
      return nameOwner(claims.get(event.id)?.owner);
    default:
      return null;
  }
}
