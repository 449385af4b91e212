import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { until } from '../../support/until';
import {
  acceptUntilHidden,
  clickOnce,
  clickUntilHeard,
  fillQuickInput,
  moveAway,
  openQuickInput,
} from './clicks';
import { startingWith, drawnAs, isThere, readLineAt, readLines, readRows, readTexts, tidy } from './drawn';
import type { Row, Words } from './drawn';

/** Time after which a menu that did not open is asked for again. One that opens later would be closed by that. */
const MENU_MS = 10_000;

const TREE_ROW = '.part.sidebar .pane-body .monaco-list-row';
const TERMINAL = '.terminal-wrapper.active';
const DRAWN_LINES = '.editor-group-container.active .view-line';

/** The oldest editor runs beside the newest one. */
const SHOTS = resolve(__dirname, '../../../.vscode-test/shots', process.env['TEST_QUEUE_EDITOR'] ?? '');

/**
 * A window of VS Code, in the words of its user. Every step waits until what it needs is visible; a method that
 * only reads, without words to wait for, returns what is visible at that instant.
 */
export class EditorWindow {
  constructor(readonly page: Page) {}

  /** Presses a key, like `Escape` or `Control+S`. */
  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key);
  }

  /** Writes a picture of the window into `.vscode-test/shots/`. */
  async screenshot(name: string): Promise<void> {
    mkdirSync(SHOTS, { recursive: true });
    await this.page.screenshot({ path: join(SHOTS, `${name}.png`) });
  }

  /** Loads the window again, as after a restart of the editor. */
  async reload(): Promise<void> {
    await this.page.reload({ waitUntil: 'domcontentloaded' });
    await this.page.locator('.part.statusbar').waitFor();
  }

  // The palette, quick picks and input boxes

  /** Runs a command by its whole title, `Category: Title`, as soon as it can be run. */
  async runCommand(title: string): Promise<void> {
    const row = this.quickPick(startingWith(title));
    // An open palette does not learn that a command can be run by now.
    await until(`"${title}" is offered`, async () => {
      await openQuickInput(this.page, 'F1');
      await fillQuickInput(this.page, `>${title}`);
      if (await isThere(row)) return true;
      await this.press('Escape');
      return false;
    });
    await row.click();
  }

  /** Opens a file of the folder by its name. VS Code finds its path, `typed`, also without a search. */
  async openFile(name: string, typed = name): Promise<void> {
    await openQuickInput(this.page, 'Control+P');
    await fillQuickInput(this.page, typed);
    await this.pick(name);
    await this.page.locator('.tab.active').filter({ hasText: name }).waitFor();
  }

  /** Returns the entries of the open quick pick, once there are some. */
  async quickPicks(): Promise<Row[]> {
    const rows = this.page.locator('.quick-input-list .monaco-list-row:visible');
    await rows.first().waitFor();
    return readRows(rows);
  }

  /** Waits for the quick pick or input box with this title. */
  async quickInput(title: Words): Promise<void> {
    await this.page.locator('.quick-input-title:visible').filter({ hasText: title }).waitFor();
  }

  /** Chooses in the open quick pick. */
  async pick(words: Words): Promise<void> {
    await this.quickPick(words).click();
  }

  private quickPick(words: Words): Locator {
    return this.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: words }).first();
  }

  /** Answers the question in the open input box. */
  async answer(words: string): Promise<void> {
    await fillQuickInput(this.page, words);
    await this.press('Enter');
  }

  // The side bar

  /** Opens a view container of the activity bar, where a click leaves open what is open (`workbench.ts` sets it so). */
  async openView(name: string): Promise<void> {
    const tab = this.page.locator('.part.activitybar').getByRole('tab', { name });
    const selected = tab.and(this.page.locator('[aria-selected=true]'));
    await tab.waitFor();
    // A window that has just been loaded may lose a click, or open another view by itself behind it.
    await until(`${name} is open`, async () => {
      if (!(await selected.isVisible())) await tab.click();
      return isThere(selected);
    });
    await this.page.locator('.part.sidebar .pane-body').first().waitFor();
  }

  /** Makes the side bar 300 pixels wide. */
  async narrowSideBar(): Promise<void> {
    const box = await this.page.locator('.part.sidebar').boundingBox();
    if (box === null) throw new Error('The side bar is not open.');
    await this.page.mouse.move(box.x + box.width, 400);
    await this.page.mouse.down();
    await this.page.mouse.move(box.x + 300, 400, { steps: 5 });
    await this.page.mouse.up();
  }

  /** The rows of the side bar's trees that are to be seen now. */
  async treeRows(): Promise<Row[]> {
    return readRows(this.page.locator(TREE_ROW));
  }

  /** A row of the side bar's trees, once it is there: its label, description and the like have these words. */
  async treeRow(words: Words): Promise<Locator> {
    const row = this.page.locator(TREE_ROW).filter({ hasText: words }).first();
    await row.waitFor();
    return row;
  }

  /** Unfolds a group where it is folded. Another row may move under the mouse meanwhile. */
  async expand(words: Words): Promise<void> {
    const row = this.page.locator(`${TREE_ROW}[aria-expanded]`).filter({ hasText: words }).first();
    await until(`${String(words)} is unfolded`, async () => {
      if ((await row.getAttribute('aria-expanded')) === 'true') return true;
      await row.locator('.monaco-tl-twistie').click();
      return false;
    });
  }

  /** Presses the button that a row shows under the mouse. */
  async pressTreeButton(row: Words, button: Words): Promise<void> {
    await until(`${String(button)} was pressed`, async () => {
      const found = await this.treeRow(row);
      await this.hover(found);
      return clickOnce(found.getByRole('button', { name: button }));
    });
  }

  /** Chooses from the menu that a right click on a row opens. */
  async chooseFromTreeMenu(row: Words, item: Words): Promise<void> {
    const entry = this.page.getByRole('menuitem', { name: item }).first();
    await until(`the menu of ${String(row)} is open`, async () => {
      if (!(await this.openTreeMenu(row))) return false;
      // An open menu stays as it is. The row, or that the queue is ready, may come to VS Code only after it.
      if ((await entry.isVisible()) && (await entry.getAttribute('aria-disabled')) !== 'true') return true;
      await this.press('Escape');
      return false;
    });
    // By key: a menu takes no click in its first tenth of a second.
    await entry.hover();
    await this.press('Enter');
  }

  /** False where another row has moved under the mouse meanwhile, or was drawn again: its menu is closed again. */
  private async openTreeMenu(row: Words): Promise<boolean> {
    await (await this.treeRow(row)).click({ button: 'right' });
    if (!(await isThere(this.page.locator('.context-view .monaco-menu'), MENU_MS))) return false;
    const pressed = this.page.locator(`${TREE_ROW}.focused`);
    if (await pressed.filter({ hasText: row }).isVisible()) return true;
    await this.press('Escape');
    return false;
  }

  /** Presses a button in the title of the side bar's view. */
  async pressViewButton(button: Words): Promise<void> {
    const title = this.page.locator('.part.sidebar .composite.title, .part.sidebar .pane-header');
    await title.first().hover();
    const found = title.getByRole('button', { name: button }).first();
    await clickUntilHeard(found);
  }

  /** Moves the mouse there. What it was over since the step before may have a hover that covers this. */
  async hover(on: Locator): Promise<void> {
    await moveAway(this.page);
    await on.hover();
  }

  /** Returns the text of a hover, once it has these words: at first it may only say that it is loading. */
  async tooltip(on: Locator, words: Words): Promise<string> {
    await this.hover(on);
    const hover = this.page.locator('.monaco-hover:visible').filter({ hasText: words }).last();
    return tidy(await hover.innerText());
  }

  // The editor

  /** The lenses that are to be seen, once they are as they are to be: they may come one by one. */
  lenses(areThere: (lenses: readonly string[]) => boolean): Promise<string[]> {
    const drawn = this.page.locator('.codelens-decoration > a');
    return until('the lenses are there', async () => {
      const lenses = await readTexts(drawn);
      return areThere(lenses) ? lenses : null;
    });
  }

  async clickLens(words: Words): Promise<void> {
    await this.page.locator('.codelens-decoration > a').filter({ hasText: words }).first().click();
  }

  /** Chooses an action from the list that a lens of the queue file opens. */
  async chooseFromLens(words: Words, action: Words): Promise<void> {
    await this.clickLens(words);
    await this.quickInput(/^Task \d+:/);
    await this.pick(action);
  }

  /** The lines that are to be seen in the active editor, once there is one. */
  async editorLines(): Promise<string[]> {
    return readLines(this.page.locator(DRAWN_LINES));
  }

  /** Puts the cursor before these words, the first of their kind that are to be seen in the active editor. */
  async goToWords(words: string): Promise<void> {
    const cursor = this.page.locator('.editor-group-container.active .cursors-layer > .cursor').first();
    await until(`the cursor is at ${words}`, async () => {
      const lines = await this.editorLines();
      const line = lines.findIndex((each) => each.includes(words));
      const column = lines[line]?.indexOf(words) ?? -1;
      if (column < 0) return false;
      await this.goTo(line + 1, column + 1);
      // A line that is just drawn again may have been counted twice.
      return (await readLineAt(cursor, this.page.locator(DRAWN_LINES)))?.includes(words);
    });
  }

  /** Puts the cursor there, counted from 1, in the active editor. */
  async goTo(line: number, column: number): Promise<void> {
    await this.press('Control+G');
    await fillQuickInput(this.page, `:${line}:${column}`);
    await acceptUntilHidden(this.page.locator('.quick-input-widget'));
  }

  /** Opens the quick fixes at the cursor until this one is among them: the editor may not know the problem yet. */
  async quickFix(words: Words): Promise<Locator> {
    const fix = this.page.locator('.action-widget').getByText(words);
    await until(`the quick fix ${String(words)} is offered`, async () => {
      await this.press('Control+.');
      return isThere(fix, MENU_MS);
    });
    return fix;
  }

  /** Closes what the editor shows above everything else: its settings, the trust of the folder. */
  async closeModalEditor(): Promise<void> {
    const modal = this.page.locator('.monaco-modal-editor-block');
    await modal.getByRole('button', { name: /^Close/ }).click();
    await modal.waitFor({ state: 'detached' });
  }

  // The status bar

  /** The text of an entry of the status bar, once there is such a one. */
  async statusBar(words: Words): Promise<string> {
    return tidy(await this.statusBarEntry(words).innerText());
  }

  statusBarEntry(words: Words): Locator {
    return this.page.locator('.part.statusbar .statusbar-item').filter({ hasText: words }).first();
  }

  // Terminals

  /** Waits until the active terminal shows this; answers all that it shows. */
  async terminalShows(words: Words): Promise<string> {
    const rows = this.page.locator(`${TERMINAL} .xterm-rows`);
    await rows.filter({ hasText: drawnAs(words) }).waitFor();
    return (await readTexts(rows.locator('> div'))).join('\n').trimEnd();
  }

  /** Types a line into the active terminal, again if a key was lost, and enters it once the terminal shows all of it. */
  async enterInTerminal(line: string): Promise<void> {
    const typed = this.page.locator(`${TERMINAL} .xterm-rows > div`).filter({ hasText: drawnAs(line) });
    await until(`the terminal shows ${line}`, async () => {
      await this.page.locator(`${TERMINAL} .xterm-helper-textarea`).focus();
      await this.press('Control+U');
      await this.page.keyboard.type(line);
      return isThere(typed);
    });
    await this.press('Enter');
  }

  /**
   * Closes the terminal with this name, and with it what runs in it. VS Code may have a shell of its own in front: a
   * reloaded window opens one.
   */
  async closeTerminal(name: string): Promise<void> {
    await this.runCommand('Terminal: Switch Active Terminal');
    await this.pick(name);
    await this.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    await this.runCommand('Terminal: Kill the Active Terminal Instance');
  }

  // Messages

  /** The text of a message in the corner, once it is there. */
  async notification(words: Words): Promise<string> {
    const message = this.notificationWith(words).locator('.notification-list-item-message');
    return tidy(await message.innerText());
  }

  /** Presses a button of a message. */
  async answerNotification(words: Words, button: Words): Promise<void> {
    const message = this.notificationWith(words);
    // Under the mouse it stays; else it goes after some seconds.
    await message.hover();
    await message.getByRole('button', { name: button }).click();
  }

  /** The texts of the messages that are to be seen now. */
  async notifications(): Promise<string[]> {
    return readTexts(this.page.locator('.notification-toast .notification-list-item-message'));
  }

  private notificationWith(words: Words): Locator {
    return this.page.locator('.notification-toast').filter({ hasText: words }).first();
  }

  /** The text of the dialog that everything else waits for. */
  async dialog(words: Words): Promise<string> {
    return tidy(await this.dialogWith(words).locator('.dialog-message-container').innerText());
  }

  async answerDialog(words: Words, button: Words): Promise<void> {
    const found = this.dialogWith(words);
    await found.getByRole('button', { name: button }).click();
    await found.waitFor({ state: 'detached' });
  }

  private dialogWith(words: Words): Locator {
    return this.page.locator('.monaco-dialog-box').filter({ hasText: words });
  }
}
