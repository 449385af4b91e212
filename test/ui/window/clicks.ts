import type { Locator, Page } from 'playwright-core';
import { until } from '../../support/until';
import { isGone, isThere } from './drawn';

/** Run in the page: an object that says whether a click has reached a button since. */
const LISTEN_FOR_CLICK = `(() => {
  const heard = { click: false };
  const listen = ({ target }) => {
    heard.click = target.closest('[role=button]') !== null;
    removeEventListener('click', listen, true);
  };
  addEventListener('click', listen, true);
  return heard;
})()`;

/** Clicks on a button until a click has reached it. */
export async function clickUntilHeard(button: Locator): Promise<void> {
  await until('the button has heard a click', () => clickOnce(button));
}

/** False where the click reached no button: it was drawn again between the press of the mouse and its release. */
export async function clickOnce(button: Locator): Promise<boolean> {
  const heard = await button.page().evaluateHandle<{ click: boolean }>(LISTEN_FOR_CLICK);
  await button.click();
  return heard.evaluate(({ click }) => click);
}

/** Time in ms after which a hover counts as one that stays. */
const HOVER_MS = 2_000;

/** Moves the mouse away until no hover is shown. */
export async function moveAway(page: Page): Promise<void> {
  const hover = page.locator('.monaco-hover:visible').first();
  await until('no hover is shown', async () => {
    await page.mouse.move(0, 0);
    if (await isGone(hover, HOVER_MS)) return true;
    // One that VS Code shows after the mouse has left stays until the mouse was over it.
    const box = await hover.boundingBox();
    if (box !== null) await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    return false;
  });
}

/** Fills a field until it has the text: VS Code may take the focus meanwhile, and the text with it. */
export async function fillIn(field: Locator, text: string): Promise<void> {
  await until('the field is filled', async () => {
    await field.fill(text);
    return (await field.inputValue()) === text;
  });
}

/** Time in ms after which a key that did nothing counts as lost. */
export const LOST_MS = 10_000;

const quickInputOf = (page: Page): Locator => page.locator('.quick-input-widget:visible input.input');

/** Fills the open quick input. */
export async function fillQuickInput(page: Page, words: string): Promise<void> {
  await fillIn(quickInputOf(page), words);
}

/** Presses a key until that opens a quick input: a page that is being loaded loses the key. */
export async function openQuickInput(page: Page, key: string): Promise<void> {
  await until('the quick input is open', async () => {
    await page.keyboard.press(key);
    return isThere(quickInputOf(page), LOST_MS);
  });
}

/** Presses Enter in a quick input until it is gone: a busy editor may lose the key. */
export async function acceptUntilHidden(input: Locator): Promise<void> {
  await until('the quick input is gone', async () => {
    await input.page().keyboard.press('Enter');
    return isGone(input, LOST_MS);
  });
}

/** Clicks on a row until that opens a dialog: another row may move under the mouse while the tree is drawn again. */
export async function openDialog(row: () => Promise<Locator>): Promise<void> {
  await until('a dialog is open', async () => {
    const found = await row();
    await found.click();
    return isThere(found.page().locator('.monaco-dialog-box'), LOST_MS);
  });
}

/** A press in a row, and what shows that it has come. */
interface RowPress {
  readonly press: () => Promise<void>;
  readonly hasCome: () => Promise<boolean>;
  /** Question of the command where it does not know the row. */
  readonly question: Locator;
}

/**
 * Presses in a row of a tree until that has come. While the tree is drawn again, VS Code does not say in which row: the
 * command asks, and it is pressed once more.
 */
export async function pressInRow({ press, hasCome, question }: RowPress): Promise<void> {
  await press();
  await until('what was pressed in a row has come', async () => {
    if (await hasCome()) return true;
    if (!(await question.isVisible())) return false;
    await question.page().keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
    await press();
    return false;
  });
}
