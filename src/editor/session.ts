import type { Host } from '../app/host';
import { takePicture, type Picture } from '../app/picture';
import { QueueSite } from '../app/site';
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
  ) {}

  /** @throws Problem `queue-missing`, `queue-unreadable`, `settings-invalid`, `state-newer` */
  static async open({ file, folder, env, isTrusted, warn }: SessionOptions): Promise<QueueSession> {
    const site = new QueueSite({ queue: file, readOnly: !isTrusted }, createEditorHost(env, folder, warn));
    return new QueueSession(site, await site.openQueue());
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
    await this.queue.close();
  }
}
