import type { Host } from '../../app/context/host';
import { isAccountOutdated } from '../../app/viewModel/outdated';
import { peekViewModel, type QueueViewModel } from '../../app/viewModel/queueViewModel';
import { QueueContext } from '../../app/context/queueContext';
import { findInReview, rankReviews } from '../../app/viewModel/report/reviews';
import type { TaskQueue } from '../../queue/taskQueue';
import { createEditorHost } from './editorHost';
import type { ByRisk } from './queueState';

/** Marker of this window beside the queue, by which a worker detects that the window is open. */
export interface WindowMark {
  announce(): Promise<void>;
  appear(): Promise<void>;
}

/** Options for a session. */
export interface OpenedQueueOptions {
  /** The queue file, absolute. */
  readonly file: string;
  /** Address of a queue in Redis, used instead of the file. */
  readonly redis?: string;
  /** Folder of the workspace. */
  readonly folder: string;
  readonly env: Host['env'];
  /**
   * This window's marker. Null in an untrusted workspace: the queue is read, nothing starts, and nothing is written.
   */
  readonly window: WindowMark | null;
  /** Account of the session before this one. */
  readonly lastAccount: string | undefined;
  readonly warn: (message: string) => void;
}

/** Open queue while the window shows it. */
export class OpenedQueue {
  private readonly over = new AbortController();
  /** Number of current uses. */
  private users = 0;
  /** Last reported reason why the window could not be announced. */
  private warned = '';

  private constructor(
    readonly queueContext: QueueContext,
    readonly queue: TaskQueue,
    readonly window: WindowMark | null,
  ) {}

  /** Opens the queue. @throws Problem `queue-missing`, `queue-unreadable`, `settings-invalid`, `state-newer` */
  static async open(options: OpenedQueueOptions): Promise<OpenedQueue> {
    const { file, redis, folder, env, window, lastAccount, warn } = options;
    const account = lastAccount === undefined ? {} : { lastAccount };
    const place = redis === undefined ? {} : { redis };
    const queueContext = new QueueContext(
      { queue: file, readOnly: window === null, ...place, ...account },
      createEditorHost(env, folder, warn),
    );
    return new OpenedQueue(queueContext, await queueContext.openQueue(), window);
  }

  /** Reads the view model. The gate counts as open until Claude Code has named the account: nothing waits for that. */
  async look(): Promise<QueueViewModel> {
    const viewModel = await peekViewModel(this.queueContext, this.queue);
    await this.appear();
    return viewModel;
  }

  /** Returns the places of the tasks in review when they are ordered by risk. Reads the history only for several. */
  async rankReviews(viewModel: QueueViewModel): Promise<ByRisk> {
    if (findInReview(viewModel).length < 2) return new Map();
    return rankReviews(viewModel, await this.queue.attempts({}));
  }

  /** Calls back after any change, until the session is closed. */
  watch(changed: () => void): void {
    this.queue.watch(changed, this.over.signal);
  }

  /** Asks Claude Code who pays. Returns whether the gate is not that of what is shown then. Never rejects. */
  async checkAccount(getShown: () => QueueViewModel | null): Promise<boolean> {
    const { queueContext, over } = this;
    try {
      await queueContext.openGate();
      const shown = getShown();
      return !over.signal.aborted && shown !== null && (await isAccountOutdated(queueContext, shown));
    } catch (error) {
      queueContext.host.warn(`The account could not be identified: ${String(error)}`);
      return false;
    }
  }

  /** Runs work with the queue, which stays open until its end even if the session is closed meanwhile. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    this.users += 1;
    try {
      return await work();
    } finally {
      this.users -= 1;
      await this.endUnlessUsed();
    }
  }

  /** Ends all callbacks. The queue is closed once nothing uses it. */
  async close(): Promise<void> {
    this.over.abort();
    await this.endUnlessUsed();
  }

  private async endUnlessUsed(): Promise<void> {
    if (!this.over.signal.aborted || this.users > 0) return;
    try {
      await this.queue.close();
    } catch (error) {
      // Changes that were not written back are in the journal; the next process that opens the queue writes them.
      this.queueContext.host.warn(`The queue could not be closed: ${String(error)}`);
    }
  }

  /** Announces the window. A folder that is not writable can still be read. */
  private async appear(): Promise<void> {
    // The folder may have left the window, and its marker was removed.
    if (this.over.signal.aborted) return;
    try {
      await this.window?.appear();
    } catch (error) {
      const why = String(error);
      if (why !== this.warned) this.queueContext.host.warn(`Workers cannot detect this window: ${why}`);
      this.warned = why;
    }
  }
}
