import type { ExtensionServices } from '../state/extensionServices';
import { LoggedTurns } from './loggedTurns';
import type { OwnWindow } from './ownWindow';
import type { EditBase } from './unsavedQueue';

/** Key under which the base text of unsaved changes is remembered: VS Code restores such changes after a restart. */
const MEMORY = 'unsavedBase';

/**
 * Maximum length of a remembered text; longer changes that outlive a restart are saved through VS Code's own dialog.
 */
const LONGEST_REMEMBERED = 4 * 1024 * 1024;

/**
 * Announces this window's unsaved changes to other processes. New changes are announced at once, whatever the queue is
 * doing; saved ones, once the queue has imported them.
 */
export class UnsavedMark {
  private editBase: EditBase | null = null;
  /** Edit base that was last announced. */
  private reported: EditBase | null = null;
  /** Pending work that needs the queue, one after another, so that typing and saving do not wait for it. */
  private readonly turns: LoggedTurns;

  constructor(
    private readonly services: Pick<ExtensionServices, 'queueModel' | 'log' | 'memory'>,
    private readonly ownWindow: OwnWindow,
  ) {
    this.turns = new LoggedTurns(services.log);
  }

  /** Text that unsaved changes from before a restart started with; null if unknown. */
  get remembered(): string | null {
    return this.services.memory.get<string>(MEMORY) ?? null;
  }

  /**
   * Announces the current unsaved changes; null if there are none. Once it resolves, no other process writes the file.
   */
  async report(editBase: EditBase | null): Promise<void> {
    this.editBase = editBase;
    await this.mark();
    this.reportPending();
  }

  /** Announces what could not be announced before, if anything. */
  reportPending(): void {
    if (this.reported !== this.editBase) this.turns.add(() => this.settle());
  }

  private async mark(): Promise<void> {
    const window = await this.ownWindow.open();
    const { editBase } = this;
    if (this.reported !== null || editBase === null) return;
    window.markUnsaved(editBase.texts);
    this.reported = editBase;
    this.turns.add(() => this.remember());
  }

  /** Replaces the announced changes by other ones: the first were saved or undone. */
  private async settle(): Promise<void> {
    if (this.reported !== null && this.reported !== this.editBase) {
      const session = await this.services.queueModel.useQueue();
      await session.use(async () => {
        // Import while the base of the changes is still known; then the file may be written again.
        await session.queue.sync();
        const window = await this.ownWindow.open();
        const { editBase } = this;
        await window.markSaved(editBase?.texts);
        this.reported = editBase;
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
}
