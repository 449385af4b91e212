import * as fs from 'node:fs/promises';
import { UnsavedMark } from '../../../src/editor/unsaved/unsavedMark';
import { UnsavedQueue } from '../../../src/editor/unsaved/unsavedQueue';
import { OpenEditor } from '../../../src/queue/file/editors/openEditors';
import { QueuePaths } from '../../../src/queue/queuePaths';
import type { TextEdit } from '../../../src/queue/csv/textEdits';
import { openContext } from './context';
import { QUEUE_FILE, type Host, type SimWindow } from './host';

/** Most merges before a save, as in `src/editor/unsaved/saveListener`. */
const MAX_MERGE_TRIES = 5;

/** Opens the queue file in an editor window of its own process. */
export function openWindow(host: Host): SimWindow {
  return new Window(host);
}

/** The editor's half of a save, with what VS Code does around it. */
class Window implements SimWindow {
  private document = '';
  private unsaved = new UnsavedQueue('');
  private disk = '';
  private readonly marker: OpenEditor;
  private readonly mark: UnsavedMark;

  constructor(private readonly host: Host) {
    const { state } = new QueuePaths(QUEUE_FILE);
    this.marker = new OpenEditor(state, host.self, (identity) => host.processes.isAlive(identity));
    this.mark = this.createMark();
  }

  private createMark(): UnsavedMark {
    const { host, marker } = this;
    const services = {
      log: { error: (text: string, why: string) => host.say({ kind: 'trouble', text: `${text}: ${why}` }) },
      memory: { get: () => undefined, update: () => Promise.resolve() },
      queueModel: {
        useQueue: async () => {
          const { queue } = await openContext(host);
          return {
            queue,
            use: async (work: () => Promise<void>) => {
              try {
                await work();
              } finally {
                await queue.close();
              }
            },
          };
        },
      },
    };
    type Needed = ConstructorParameters<typeof UnsavedMark>;
    const own = { open: () => Promise.resolve(marker) };
    return new UnsavedMark(services as unknown as Needed[0], own as unknown as Needed[1]);
  }

  async open(): Promise<void> {
    await this.marker.announce();
    this.document = (await fs.readFile(QUEUE_FILE)).toString();
    this.unsaved = new UnsavedQueue(this.document);
  }

  text(): string {
    return this.document;
  }

  async type(text: string): Promise<void> {
    const wasDirty = this.unsaved.editBase !== null;
    this.document = text;
    this.unsaved.change(text, { wasDirty, byUndo: false });
    this.unsaved.turnDirty(null);
    await this.mark.report(this.unsaved.editBase);
  }

  async save(): Promise<boolean | null> {
    this.unsaved.startSave();
    let merged: boolean | null = false;
    for (let tries = 0; tries < MAX_MERGE_TRIES; tries += 1) {
      const end = await this.mergeDisk();
      if (end === 'conflict') merged = null;
      if (end === 'merged') merged = true;
      if (end !== 'again') break;
    }
    await fs.writeFile(QUEUE_FILE, this.document);
    this.unsaved.endSave(await fs.readFile(QUEUE_FILE));
    await this.mark.report(this.unsaved.editBase);
    return merged;
  }

  private async mergeDisk(): Promise<'same' | 'merged' | 'conflict' | 'again'> {
    const disk = await fs.readFile(QUEUE_FILE);
    this.disk = disk.toString();
    const merge = this.unsaved.mergeWith(disk);
    if (merge.kind === 'conflict') return 'conflict';
    if (merge.kind === 'merged') {
      this.document = applyEdits(this.document, merge.edits);
      this.unsaved.change(this.document, { wasDirty: true, byUndo: false });
    }
    if (!disk.equals(await fs.readFile(QUEUE_FILE))) return 'again';
    return merge.kind === 'merged' ? 'merged' : 'same';
  }

  mergedWith(): string {
    return this.disk;
  }

  close(): Promise<void> {
    this.marker.leave();
    return Promise.resolve();
  }
}

function applyEdits(text: string, edits: readonly TextEdit[]): string {
  return [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce((whole, { start, end, text: part }) => whole.slice(0, start) + part + whole.slice(end), text);
}
