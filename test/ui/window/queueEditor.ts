import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemProcesses } from '../../../src/platform/processes/processes';
import { cellOf, readCsv } from '../../../src/queue/csv/csvFile';
import { isAnyUnsaved } from '../../../src/queue/file/editors/openEditors';
import type { Turn } from '../../support/claude/turn';
import { isAbout } from '../../support/queue/queuePlace';
import { text } from '../../support/claude/replies';
import type { Reply } from '../../support/claude/replies';
import { until } from '../../support/until';
import type { EditorWindow } from './editorWindow';
import { StatePaths } from '../../../src/queue/queuePaths';

/** A queue file in an editor, and the user who types into it. */
export class QueueEditor {
  constructor(
    readonly window: EditorWindow,
    /** Where the file lies. */
    private readonly file: string,
  ) {}

  /** Opens the file, and waits until this is to be seen in it. */
  async open(shown: string): Promise<void> {
    await this.window.openFile('prompts.csv');
    await this.shows(shown);
    await this.focus();
  }

  /** Puts the cursor into the text. Without the mouse, which might press a lens. */
  async focus(): Promise<void> {
    // VS Code 1.100 has the second.
    const input = '.native-edit-context, .inputarea';
    await this.window.page.locator('.editor-group-container.active').locator(input).focus();
  }

  /** Waits until the editor draws this. */
  async shows(words: string): Promise<void> {
    await until(`the editor shows ${words}`, async () =>
      (await this.window.editorLines()).some((line) => line.includes(words)),
    );
  }

  /** Enters a row behind all others, at once; its end of line too. */
  async typeRow(row: string): Promise<void> {
    await this.window.press('Control+End');
    // A busy editor may lose a key of many.
    await this.window.page.keyboard.insertText(row);
    await this.shows(row);
    await this.window.press('Enter');
    await this.hasUnsaved();
  }

  /** Types over these words, the first of their kind in the file. */
  async replace(words: string, by: string): Promise<void> {
    await this.window.goToWords(words);
    for (const _ of words) await this.window.press('Shift+ArrowRight');
    await this.window.page.keyboard.type(by);
  }

  async undo(times = 1): Promise<void> {
    for (let time = 0; time < times; time += 1) await this.window.press('Control+Z');
  }

  async hasUnsaved(): Promise<void> {
    await this.tab.and(this.window.page.locator('.dirty')).waitFor();
  }

  async hasNothingUnsaved(): Promise<void> {
    await this.tab.and(this.window.page.locator(':not(.dirty)')).waitFor();
  }

  /**
   * Waits until the queue knows of unsaved changes, which is after they are visible: from then on nobody writes the
   * file.
   */
  async isMarked(): Promise<void> {
    const state = join(dirname(this.file), 'state');
    await until('the queue knows of unsaved changes', () =>
      isAnyUnsaved(new StatePaths(state), (process) => systemProcesses.isAlive(process)),
    );
  }

  /** Saves, and no question is asked. */
  async save(): Promise<void> {
    await this.window.press('Control+S');
    await this.isQuiet(() => this.hasNothingUnsaved());
  }

  /** Nothing is asked, neither in a dialog nor in the corner, until that has happened. */
  async isQuiet(happens: () => Promise<unknown>): Promise<void> {
    const { page } = this.window;
    const question = page.locator('.monaco-dialog-box, .notification-toast').first();
    const asked = question.waitFor().then(async () => {
      const lines = await this.window.editorLines();
      throw new Error(`The editor asks: ${await question.innerText()}\nIt shows:\n${lines.join('\n')}`);
    });
    // Whether it is asked later is no concern of this step.
    asked.catch(() => undefined);
    await Promise.race([happens(), asked]);
  }

  /** Returns a cell of the file on the disk: `column` of the row with this id. */
  cell(id: number, column: string): string | undefined {
    const file = readCsv(readFileSync(this.file));
    const row = file.records.find((record) => cellOf(file, record, 'id') === String(id));
    return row && cellOf(file, row, column);
  }

  /** Waits until the file on the disk holds these statuses. */
  async holds(statuses: Readonly<Record<number, string>>): Promise<void> {
    const wanted = Object.entries(statuses);
    const found = (): string[] => wanted.map(([id]) => this.cell(Number(id), 'status') ?? 'no row');
    await until(`the file holds ${JSON.stringify(statuses)}`, () =>
      found().every((status, index) => status === wanted[index]?.[1]),
    );
  }

  /** Waits until the file has not changed for N milliseconds: a save may not notice a replacement just before it. */
  async isOlderThan(ms: number): Promise<void> {
    await until('the file is old', () => Date.now() - statSync(this.file).mtimeMs > ms);
  }

  /** Changes the file as a script does that knows nothing of editors. */
  changeOnDisk(change: (text: string) => string): void {
    writeFileSync(this.file, change(readFileSync(this.file, 'utf8')));
  }

  private get tab() {
    return this.window.page.locator('.tab.active').filter({ hasText: 'prompts.csv' });
  }
}

/** Claude, who answers when the test says so. */
export class SlowClaude {
  private readonly opened: string[] = [];
  private readonly turns: Turn[] = [];

  readonly respond = async (turn: Turn): Promise<Reply> => {
    this.turns.push(turn);
    await until('the test lets Claude answer', () => this.opened.some((prompt) => isAbout(turn, prompt)));
    return text('Done.');
  };

  /** Waits until Claude got this prompt. */
  async isAt(prompt: string): Promise<void> {
    await until(`Claude got ${prompt}`, () => this.turns.some((turn) => isAbout(turn, prompt)));
  }

  /** Number of times that Claude got this prompt. */
  timesAt(prompt: string): number {
    return this.turns.filter((turn) => isAbout(turn, prompt)).length;
  }

  answer(prompt: string): void {
    this.opened.push(prompt);
  }
}
