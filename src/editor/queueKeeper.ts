import * as vscode from 'vscode';
import type { Picture } from '../app/picture';
import type { TaskId } from '../domain/task';
import type { QueueSession } from './session';
import type { Notes, QueueState } from './queueState';

/** How the keeper gets at a queue; null where there is no folder to look in. */
export type OpenSession = () => Promise<QueueSession | null>;

/**
 * Keeps the state that the surfaces show. Reads are coalesced: whoever asks while one goes on gets one that began
 * after the asking.
 */
export class QueueKeeper implements vscode.Disposable {
  private current: QueueState = { kind: 'opening' };
  private session: QueueSession | null = null;
  private reading: Promise<void> | null = null;
  /** How often a reading was asked for. */
  private asked = 0;
  private notes: Notes = new Map();
  private readonly changed = new vscode.EventEmitter<QueueState>();
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly open: OpenSession,
    private readonly explain: (
      error: unknown,
    ) => Promise<{ readonly missing: boolean; readonly message: string }>,
  ) {}

  get state(): QueueState {
    return this.current;
  }

  /** The open queue. @throws what opening it throws; Problem `queue-missing` where there is none */
  async useSession(): Promise<QueueSession> {
    if (this.session === null) await this.refresh();
    if (this.session !== null) return this.session;
    const { Problem } = await import('../domain/problem');
    if (this.current.kind === 'failing') throw new Problem('queue-unreadable', this.current.message);
    throw new Problem('queue-missing', 'This workspace has no queue yet. Create one with "Create Queue".');
  }

  /** Does something to the queue; what is shown afterwards tells of it. */
  async change<T>(work: (session: QueueSession) => Promise<T>): Promise<T> {
    const session = await this.useSession();
    try {
      return await work(session);
    } finally {
      await this.refresh();
    }
  }

  /** Reads the queue anew. Never rejects: what went wrong is the state. */
  async refresh(): Promise<void> {
    this.asked += 1;
    if (this.reading !== null) return this.reading;
    this.reading = this.readUntilDone();
    try {
      await this.reading;
    } finally {
      this.reading = null;
    }
  }

  /** Closes the queue and opens it anew: trust, settings or the folder have changed. */
  async reopen(): Promise<void> {
    const { session } = this;
    this.session = null;
    await session?.close();
    await this.refresh();
  }

  /** Says where the session of a task stands that a person has. */
  note(id: TaskId, sentence: string): void {
    if (this.notes.get(id) === sentence) return;
    this.notes = new Map([...this.notes, [id, sentence]]);
    if (this.current.kind !== 'ready') return;
    this.current = this.show(this.current.picture);
    this.changed.fire(this.current);
  }

  dispose(): void {
    void this.session?.close();
    this.session = null;
    this.changed.dispose();
  }

  /** A note is about a task that a person has: given back, it is forgotten. */
  private show(picture: Picture): QueueState {
    const held = new Set(
      picture.snapshot.claims.filter(({ owner }) => owner.kind === 'person').map(({ id }) => id),
    );
    this.notes = new Map([...this.notes].filter(([id]) => held.has(id)));
    return { kind: 'ready', picture, notes: this.notes };
  }

  private async readUntilDone(): Promise<void> {
    for (let done = 0; done !== this.asked;) {
      done = this.asked;
      this.current = await this.look();
      this.changed.fire(this.current);
    }
  }

  private async look(): Promise<QueueState> {
    try {
      this.session ??= await this.openWatched();
      if (this.session === null) return { kind: 'missing' };
      return this.show(await this.session.look());
    } catch (error) {
      const { missing, message } = await this.explain(error);
      if (!missing) return { kind: 'failing', message };
      const { session } = this;
      this.session = null;
      await session?.close();
      return { kind: 'missing' };
    }
  }

  private async openWatched(): Promise<QueueSession | null> {
    const session = await this.open();
    session?.watch(() => void this.refresh());
    return session;
  }
}
