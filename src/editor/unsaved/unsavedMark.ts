import type { ExtensionServices } from '../state/extensionServices';
import type { OwnWindow } from './ownWindow';
import type { EditBase } from './unsavedQueue';

/** Where the text that unsaved changes started with is remembered: the editor brings such changes back after a restart. */
const MEMORY = 'unsavedBase';

/** A longer text is not remembered: changes of it that outlive a restart are saved through the editor's own dialog. */
const LONGEST_REMEMBERED = 4 * 1024 * 1024;

/**
 * What others know of this window's unsaved changes. That there are some is said at once, whatever the queue is busy with;
 * that they are saved, once the queue has taken them up.
 */
export class UnsavedMark {
  private editBase: EditBase | null = null;
  /** What was said. */
  private reported: EditBase | null = null;
  /** What needs the queue continues one after another, behind the typing and the saving. */
  private pending: Promise<void> = Promise.resolve();

  constructor(
    private readonly services: Pick<ExtensionServices, 'queueModel' | 'log' | 'memory'>,
    private readonly ownWindow: OwnWindow,
  ) {}

  /** The text that unsaved changes started with before the window was opened; null where it is not known. */
  get remembered(): string | null {
    return this.services.memory.get<string>(MEMORY) ?? null;
  }

  /** The changes that are unsaved now; null: there are none. From the end of this call on nobody writes under them. */
  async report(editBase: EditBase | null): Promise<void> {
    this.editBase = editBase;
    await this.mark();
    this.reportPending();
  }

  /** Tells what could not be told before, if there is anything. */
  reportPending(): void {
    if (this.reported !== this.editBase) this.enqueue(() => this.settle());
  }

  private async mark(): Promise<void> {
    const window = await this.ownWindow.open();
    const { editBase } = this;
    if (this.reported !== null || editBase === null) return;
    window.markUnsaved(editBase.texts);
    this.reported = editBase;
    this.enqueue(() => this.remember());
  }

  /** Other changes than those that were told of: the first ones are saved, or taken back. */
  private async settle(): Promise<void> {
    if (this.reported !== null && this.reported !== this.editBase) {
      const session = await this.services.queueModel.useSession();
      await session.use(async () => {
        // Taken up while it is still known what the changes started with; then the file may be written again.
        await session.queue.sync();
        await (await this.ownWindow.open()).markSaved();
        this.reported = null;
        await session.queue.sync();
      });
      await this.remember();
    }
    await this.mark();
  }

  private async remember(): Promise<void> {
    const text = this.reported?.text ?? null;
    const isShort = text !== null && text.length <= LONGEST_REMEMBERED;
    await this.services.memory.update(MEMORY, isShort ? text : undefined);
  }

  private enqueue(act: () => Promise<void>): void {
    this.pending = this.pending.then(act).catch((error: unknown) => {
      this.services.log.error(
        'Unsaved changes of the queue file could not be read or announced',
        String(error),
      );
    });
  }
}
