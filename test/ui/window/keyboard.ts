import type { Locator } from 'playwright-core';
import { until } from '../../support/until';
import type { EditorWindow } from './editorWindow';
import type { Words } from './drawn';

/** Most presses of a key on the way to something: it cannot be reached then. */
const MOST_PRESSES = 60;

/** Run in the page: what a screen reader says of what is focused. */
const SPEAK = `(() => {
  const focused = document.activeElement;
  const inList = focused?.getAttribute('aria-activedescendant');
  const element = inList ? document.getElementById(inList) : focused;
  // A menu whose first entry is not focused yet.
  if (element?.getAttribute('role') === 'menu') return '';
  const inside = element?.querySelector('[aria-label]')?.getAttribute('aria-label');
  return element?.getAttribute('aria-label') || inside || element?.innerText || '';
})()`;

/** Run in the page: the part of the window that has the focus. */
const PART = `(document.activeElement?.closest('.part')?.className ?? '')`;

/** Run in the page: whether a tree of the side bar has the focus. */
const IS_IN_TREE = `(document.activeElement?.closest('.sidebar .monaco-list') !== null)`;

/** Run in the page: whether the content of a view in the side bar has the focus. */
const IS_IN_VIEW = `(document.activeElement?.closest('.sidebar .pane-body') !== null)`;

/** A user who has no mouse: only presses keys, and hears what is focused. */
export class Keyboard {
  constructor(private readonly editor: EditorWindow) {}

  /** Returns the words that a screen reader says of the focused element. */
  async spoken(): Promise<string> {
    return (await this.editor.page.evaluate<string>(SPEAK)).replaceAll('\u00a0', ' ').trim();
  }

  /** Opens a view container from the activity bar. */
  async openView(name: string): Promise<void> {
    await this.editor.page.locator(`.part.activitybar [aria-label^="${name}"]`).first().waitFor();
    await this.focusPart('activitybar');
    await this.pressUntilSpoken('ArrowDown', name);
    await this.editor.press('Enter');
  }

  /** Moves the focus to the tree in the side bar. */
  async focusTree(): Promise<void> {
    await this.focusPart('sidebar');
    await this.pressUntil('Tab', 'the tree', () => this.editor.page.evaluate<boolean>(IS_IN_TREE));
  }

  /** Moves the focus into the view in the side bar: to its tree, or to what it shows instead. */
  async focusView(): Promise<void> {
    await this.focusPart('sidebar');
    await this.pressUntil('Tab', 'the view', () => this.editor.page.evaluate<boolean>(IS_IN_VIEW));
  }

  /** Moves the focus forwards to a button, once it is there. */
  async tabTo(words: Words): Promise<void> {
    await this.editor.page.getByRole('button', { name: words }).first().waitFor();
    await this.pressUntilSpoken('Tab', words);
  }

  /** Moves to a row of the tree in the side bar. */
  async moveTo(words: Words): Promise<void> {
    await this.focusTree();
    await this.editor.press('Home');
    await this.pressUntilSpoken('ArrowDown', words);
  }

  /** Chooses from the menu of the focused row. */
  async chooseFromRowMenu(item: Words): Promise<void> {
    await this.editor.press('Shift+F10');
    await this.chooseFromMenu(item);
  }

  /** Presses a button in the title of the view in the side bar. While its buttons change, they lose the focus. */
  async pressViewButton(button: Words): Promise<void> {
    await until(`${String(button)} has the focus`, async () => {
      await this.focusView();
      await this.editor.press('Shift+Tab');
      return this.finds('ArrowRight', this.speaks(button));
    });
    await this.editor.press('Enter');
  }

  /** Chooses from the menu in the title of the view in the side bar. */
  async chooseFromViewMenu(item: Words): Promise<void> {
    await this.pressViewButton('More Actions');
    await this.chooseFromMenu(item);
  }

  private async chooseFromMenu(item: Words): Promise<void> {
    await this.menu().waitFor();
    await this.pressUntilSpoken('ArrowDown', item);
    await this.editor.press('Enter');
    await this.menu().waitFor({ state: 'detached' });
  }

  private menu(): Locator {
    return this.editor.page.locator('.monaco-menu').last();
  }

  private async focusPart(name: string): Promise<void> {
    await this.pressUntil('F6', `the ${name} has the focus`, async () =>
      (await this.editor.page.evaluate<string>(PART)).includes(name),
    );
  }

  private async pressUntilSpoken(key: string, words: Words): Promise<void> {
    await this.pressUntil(key, String(words), this.speaks(words));
  }

  /** Returns whether a screen reader says these words of the focused element. */
  private speaks(words: Words): () => Promise<boolean> {
    return async () => {
      const spoken = await this.spoken();
      return typeof words === 'string' ? spoken.includes(words) : words.test(spoken);
    };
  }

  /** Presses a key, not at all where it is so already. @throws an error with what was heard */
  private async pressUntil(key: string, what: string, isSo: () => Promise<boolean>): Promise<void> {
    const heard = new Set<string>();
    if (await this.finds(key, isSo, heard)) return;
    throw new Error(`${key} never led to ${what}, but to:\n${[...heard].join('\n')}`);
  }

  /** Presses a key until it is so; false where the most presses did not lead there. Adds what was heard meanwhile. */
  private async finds(
    key: string,
    isSo: () => Promise<boolean>,
    heard = new Set<string>(),
  ): Promise<boolean> {
    for (let presses = 0; presses < MOST_PRESSES; presses += 1) {
      if (await isSo()) return true;
      heard.add(await this.spoken());
      await this.editor.press(key);
    }
    return false;
  }
}
