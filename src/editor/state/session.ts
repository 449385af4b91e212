import type { Host } from '../../app/context/host';
import { peekViewModel, type QueueViewModel } from '../../app/viewModel/queueViewModel';
import { QueueContext } from '../../app/context/queueContext';
import type { TaskQueue } from '../../queue/taskQueue';
import { createEditorHost } from './editorHost';

/** This window's marker beside the queue: a worker sees by it that the window is open. */
export interface WindowMark {
  announce(): Promise<void>;
  appear(): Promise<void>;
}

/** What a session is opened with. */
export interface SessionOptions {
  /** The queue file, absolute. */
  readonly file: string;
  /** The folder of the workspace. */
  readonly folder: string;
  readonly env: Host['env'];
  /** This window's marker; null in an untrusted workspace: it is read, nothing is started, and nothing written. */
  readonly window: WindowMark | null;
  /** Whose account it was in the session before this one. */
  readonly lastAccount: string | undefined;
  readonly warn: (message: string) => void;
}

/** An open queue, as long as the window shows it. */
export class QueueSession {
  private readonly over = new AbortController();
  /** How many use it. */
  private users = 0;
  /** Why the window could not be announced, as far as it was told. */
  private warned = '';

  private constructor(
    readonly queueContext: QueueContext,
    readonly queue: TaskQueue,
    readonly window: WindowMark | null,
  ) {}

  /** @throws Problem `queue-missing`, `queue-unreadable`, `settings-invalid`, `state-newer` */
  static async open(options: SessionOptions): Promise<QueueSession> {
    const { file, folder, env, window, lastAccount, warn } = options;
    const account = lastAccount === undefined ? {} : { lastAccount };
    const queueContext = new QueueContext(
      { queue: file, readOnly: window === null, ...account },
      createEditorHost(env, folder, warn),
    );
    return new QueueSession(queueContext, await queueContext.openQueue(), window);
  }

  /** What there is to show. The gate counts as open until Claude Code has said whose it is: nothing waits for that. */
  async look(): Promise<QueueViewModel> {
    const viewModel = await peekViewModel(this.queueContext, this.queue);
    await this.appear();
    return viewModel;
  }

  /** Whether something has happened since that no file tells of: a worker died, or a deadline came close or passed. */
  async isOutdated({ snapshot, world, silence }: QueueViewModel): Promise<boolean> {
    const { host } = this.queueContext;
    const now = host.clock.now();
    const { atRiskBefore } = world.settings;
    const hasPassed = (at: number): boolean => at > world.now && at <= now;
    return (
      (await this.queue.hasLost(snapshot)) ||
      (silence.lookAgainAt !== null && hasPassed(silence.lookAgainAt)) ||
      snapshot.tasks.some(
        ({ definition: { deadline } }) =>
          deadline !== undefined && (hasPassed(deadline) || hasPassed(deadline - atRiskBefore)),
      )
    );
  }

  /** Calls back after any change by anyone, and when it is known whose account it is, until the session is closed. */
  watch(changed: () => void): void {
    const { signal } = this.over;
    this.queue.watch(changed, signal);
    const reported = this.queueContext.knownAccount;
    this.queueContext.openGate().then(
      () => {
        if (!signal.aborted && this.queueContext.knownAccount !== reported) changed();
      },
      (error: unknown) => {
        this.queueContext.host.warn(`The account could not be identified: ${String(error)}`);
      },
    );
  }

  /** Works with the queue, which stays open until then, no matter who closes the session meanwhile. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    this.users += 1;
    try {
      return await work();
    } finally {
      this.users -= 1;
      await this.endUnlessUsed();
    }
  }

  /** Nothing is called back any more. The queue is closed when nobody uses it. */
  async close(): Promise<void> {
    this.over.abort();
    await this.endUnlessUsed();
  }

  private async endUnlessUsed(): Promise<void> {
    if (!this.over.signal.aborted || this.users > 0) return;
    try {
      await this.queue.close();
    } catch (error) {
      // What was not written back is in the journal, and the next one who opens the queue does it.
      this.queueContext.host.warn(`The queue could not be closed: ${String(error)}`);
    }
  }

  /** A folder that cannot be written to can still be looked at. */
  private async appear(): Promise<void> {
    try {
      await this.window?.appear();
    } catch (error) {
      const why = String(error);
      if (why !== this.warned) this.queueContext.host.warn(`Workers cannot detect this window: ${why}`);
      this.warned = why;
    }
  }
}
