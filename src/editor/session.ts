import { existsSync } from 'node:fs';
import * as path from 'node:path';
import type { Host } from '../app/host';
import { takePicture, type Picture } from '../app/picture';
import { QueueSite } from '../app/site';
import { OpenEditor } from '../queue/file/openEditors';
import type { TaskQueue } from '../queue/taskQueue';
import { createEditorHost } from './editorHost';

/** What a session is opened with. */
export interface SessionOptions {
  /** The queue file, absolute. */
  readonly file: string;
  /** The folder of the workspace. */
  readonly folder: string;
  readonly env: Host['env'];
  /** In an untrusted workspace the queue is read; nothing is started, and nothing written. */
  readonly isTrusted: boolean;
  readonly warn: (message: string) => void;
}

/** An open queue, as long as the window shows it. */
export class QueueSession {
  private readonly over = new AbortController();

  private constructor(
    readonly site: QueueSite,
    readonly queue: TaskQueue,
    /** This window's marker; null in an untrusted workspace, which is not written to. */
    readonly window: OpenEditor | null,
  ) {}

  /** @throws Problem `queue-missing`, `queue-unreadable`, `settings-invalid`, `state-newer` */
  static async open({ file, folder, env, isTrusted, warn }: SessionOptions): Promise<QueueSession> {
    const host = createEditorHost(env, folder, warn);
    const site = new QueueSite({ queue: file, readOnly: !isTrusted }, host);
    const queue = await site.openQueue();
    if (!isTrusted) return new QueueSession(site, queue, null);
    const state = path.join(site.queueFolder, 'state');
    const { processes } = host;
    const window = new OpenEditor(state, processes.self(), (process) => processes.isAlive(process));
    // Where nothing has ever run there is nobody to tell, and nothing to be put into the owner's folder.
    if (existsSync(state)) await window.announce();
    return new QueueSession(site, queue, window);
  }

  look(): Promise<Picture> {
    return takePicture(this.site, this.queue);
  }

  /** Calls back after any change by anyone, until the session is closed. */
  watch(changed: () => void): void {
    this.queue.watch(changed, this.over.signal);
  }

  async close(): Promise<void> {
    this.over.abort();
    this.window?.leave();
    await this.queue.close();
  }
}
