import * as vscode from 'vscode';
import type { ExpectedStarts } from '../tree/live/expectedStarts';
import type { LiveActions } from '../tree/live/liveActions';
import type { ExtensionServices } from './extensionServices';
import type { QueuePlace } from './queuePlace';
import { findByFile } from './queueTarget';

/** Queue of a folder, with all that shows it in this window. */
export interface WindowQueue {
  readonly services: ExtensionServices;
  readonly liveActions: LiveActions;
  readonly expectedStarts: ExpectedStarts;
  readonly dispose: () => void;
}

/** Change of the queues: which there are, the state of one, or what Claude does or is expected to do in one. */
export type QueuesChange = 'list' | 'state' | 'live';

interface Opened {
  readonly queue: WindowQueue;
  readonly subscription: vscode.Disposable;
}

/** Queues of a window: one for each of its folders, whether there is a queue in it or not. Never empty. */
export class Queues implements vscode.Disposable {
  private opened: ReadonlyMap<string, Opened> = new Map();
  private readonly changed = new vscode.EventEmitter<QueuesChange>();
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly findPlaces: () => readonly QueuePlace[],
    private readonly open: (place: QueuePlace) => WindowQueue,
  ) {}

  /** The queues, in the order of their folders. */
  get all(): readonly WindowQueue[] {
    return [...this.opened.values()].map(({ queue }) => queue);
  }

  /** Returns the queue with this key, unless its folder was removed. */
  find(key: string | undefined): WindowQueue | undefined {
    return key === undefined ? undefined : this.opened.get(key)?.queue;
  }

  /** The queue of a window that has only one. */
  get only(): WindowQueue | undefined {
    return this.opened.size === 1 ? this.all[0] : undefined;
  }

  /** Returns the queue in whose folder a file is. */
  findOf(file: string | null): WindowQueue | undefined {
    return this.find(
      findByFile(
        this.all.map(({ services }) => services),
        file,
      )?.key,
    );
  }

  /** Waits until each queue was read once. */
  async awaitFirstReads(): Promise<void> {
    await Promise.all(this.all.map(({ services }) => services.queueModel.firstRead));
  }

  /** Opens the queues of new folders, and closes those whose folders are gone. */
  update(): void {
    const places = this.findPlaces();
    const before = this.opened;
    const kept = new Set(places.map(({ key }) => key));
    // First those that go: a queue must not be open twice.
    for (const [key, { subscription }] of before) if (!kept.has(key)) subscription.dispose();
    this.opened = new Map(places.map((place) => [place.key, before.get(place.key) ?? this.openAt(place)]));
    this.changed.fire('list');
  }

  dispose(): void {
    for (const { subscription } of this.opened.values()) subscription.dispose();
    this.changed.dispose();
  }

  private openAt(place: QueuePlace): Opened {
    const queue = this.open(place);
    const subscription = vscode.Disposable.from(
      queue.services.queueModel.onDidChange(() => {
        this.changed.fire('state');
      }),
      queue.liveActions.onDidChange(() => {
        this.changed.fire('live');
      }),
      queue.expectedStarts.onDidChange(() => {
        this.changed.fire('live');
      }),
      queue,
    );
    return { queue, subscription };
  }
}
