import * as vscode from 'vscode';
import type { TaskId } from '../../domain/task/task';
import type { OpenedQueue } from './openedQueue';
import { systemClock } from '../../platform/clock';
import {
  followOutage,
  viewModelOf,
  type Notes,
  type QueueState,
  type Ready,
  type UnreadState,
} from './queueState';
import { explainMissing, FOLDER_GONE } from '../status/unreadTexts';

/** Opens a queue; `lastAccount` is its account before. Null if there is no folder. */
export type OpenSession = (lastAccount: string | undefined) => Promise<OpenedQueue | null>;

/**
 * Model of the state that the views show. Reads are coalesced: a request during a read gets one that started after it.
 */
export class QueueModel implements vscode.Disposable {
  private current: QueueState = { kind: 'opening' };
  private session: OpenedQueue | null = null;
  /** Session of which the account was checked. */
  private checked: OpenedQueue | null = null;
  /** Number of dropped sessions; a session that was being opened at that time is discarded. */
  private generation = 0;
  private isDisposed = false;
  private lastAccount: string | undefined;
  private reading: Promise<void> | null = null;
  /** Number of requested reads. */
  private asked = 0;
  private notes: Notes = new Map();
  private readonly changed = new vscode.EventEmitter<QueueState>();
  readonly onDidChange = this.changed.event;
  private endFirstRead: () => void = () => undefined;
  /** Resolves once the queue was read or could not be, or the model is disposed. */
  readonly firstRead = new Promise<void>((resolve) => {
    this.endFirstRead = resolve;
  });

  constructor(
    private readonly open: OpenSession,
    private readonly explain: (error: unknown) => Promise<UnreadState>,
  ) {}

  get state(): QueueState {
    return this.current;
  }

  /** Returns the open queue. @throws what opening it throws; Problem `queue-missing` if there is none, or none any more */
  async useQueue(): Promise<OpenedQueue> {
    do {
      if (this.session === null) await this.refresh();
      if (this.session !== null) return this.session;
      // Ready all the same: the session was dropped meanwhile, to be opened again.
    } while (!this.isDisposed && (this.current.kind === 'ready' || this.current.kind === 'opening'));
    const { Problem } = await import('../../domain/problem');
    if (this.isDisposed) throw new Problem('queue-missing', FOLDER_GONE);
    if (this.current.kind === 'failing') throw new Problem('queue-unreadable', this.current.message);
    throw new Problem('queue-missing', explainMissing(this.current));
  }

  /** Changes the queue, which stays open for it, and refreshes the views afterwards. */
  async change<T>(work: (session: OpenedQueue) => Promise<T>): Promise<T> {
    const session = await this.useQueue();
    try {
      return await session.use(() => work(session));
    } finally {
      await this.refresh();
    }
  }

  /** Reads the queue again. Never rejects: an error becomes the state. */
  async refresh(): Promise<void> {
    this.asked += 1;
    this.reading ??= this.readUntilDone();
    return this.reading;
  }

  /**
   * Opens the queue again, and asks again for Claude Code and the settings, which may have changed. Current uses of the
   * old session finish in it.
   */
  async reopen(): Promise<void> {
    await this.closeSession();
    await this.refresh();
  }

  /** Sets a note about the session of a task that the user has. */
  note(id: TaskId, sentence: string): void {
    if (this.notes.get(id) === sentence) return;
    this.notes = new Map([...this.notes, [id, sentence]]);
    if (this.current.kind !== 'ready') return;
    this.current = this.show(this.current);
    this.changed.fire(this.current);
  }

  dispose(): void {
    this.isDisposed = true;
    void this.closeSession();
    this.endFirstRead();
    this.changed.dispose();
  }

  private async closeSession(): Promise<void> {
    const { session } = this;
    this.generation += 1;
    this.lastAccount = session?.queueContext.knownAccount ?? this.lastAccount;
    this.session = null;
    await session?.close();
  }

  /** Removes notes about tasks that the user no longer has. */
  private show({ viewModel, byRisk }: Pick<Ready, 'viewModel' | 'byRisk'>): QueueState {
    const held = new Set(
      viewModel.snapshot.claims.filter(({ owner }) => owner.kind === 'person').map(({ id }) => id),
    );
    this.notes = new Map([...this.notes].filter(([id]) => held.has(id)));
    return { kind: 'ready', viewModel, notes: this.notes, byRisk };
  }

  private async readUntilDone(): Promise<void> {
    try {
      for (let done = 0; done !== this.asked;) {
        done = this.asked;
        this.current = await this.look();
        this.changed.fire(this.current);
        if (this.current.kind !== 'opening') this.endFirstRead();
      }
    } finally {
      // Not later: a request that comes now needs a read of its own.
      this.reading = null;
    }
  }

  /** Checks once for each session who pays. */
  async checkAccount(): Promise<void> {
    const { session } = this;
    if (session === null || session === this.checked || this.current.kind !== 'ready') return;
    this.checked = session;
    if (await session.checkAccount(() => viewModelOf(this.current))) await this.refresh();
  }

  private async look(): Promise<QueueState> {
    // Nobody would close the queue any more, and the window would announce itself to its workers again.
    if (this.isDisposed) return this.current;
    const { generation } = this;
    const isOver = (): boolean => generation !== this.generation;
    const now = systemClock.now();
    try {
      const session = this.session ?? (await this.open(this.lastAccount));
      if (session === null) return { kind: 'missing' };
      if (isOver()) {
        await session.close();
        return this.current;
      }
      this.keep(session);
      const found = await session.use(async () => {
        const viewModel = await session.look();
        return { viewModel, byRisk: await session.rankReviews(viewModel) };
      });
      return isOver() ? this.current : this.show(found);
    } catch (error) {
      const unread = await this.explain(error);
      // Another look follows if the session was dropped to be opened again.
      if (isOver()) return this.current;
      if (unread.kind === 'missing') await this.closeSession();
      // Only now: the first use of Intl.DateTimeFormat takes 10 ms.
      const { processZone } = await import('../../platform/timeZones');
      return followOutage(this.current, unread, { now, timeZone: processZone() });
    }
  }

  private keep(session: OpenedQueue): void {
    if (this.session === session) return;
    this.session = session;
    session.watch(() => void this.refresh());
  }
}
