import type { FrameLocator } from 'playwright-core';
import { until } from '../../support/until';
import { LOST_MS } from './clicks';
import { isGone, isThere, type Words } from './drawn';
import type { EditorWindow } from './editorWindow';

/** Themes in which pages are drawn, with a short name; the last one is the usual one. */
export const THEMES = [
  ['Dark Modern', 'dark'],
  ['Dark High Contrast', 'contrast-dark'],
  ['Light High Contrast', 'contrast-light'],
  ['Light Modern', 'light'],
] as const;

/** The page of the extension that is in front. */
export class PageView {
  constructor(private readonly editor: EditorWindow) {}

  get frame(): FrameLocator {
    return this.editor.page.frameLocator('iframe.webview.ready:visible').frameLocator('#active-frame');
  }

  /** Waits until the page's sentence has these words. */
  async sentence(words: Words): Promise<void> {
    await this.frame.locator('.sentence').filter({ hasText: words }).waitFor();
  }

  /** Types the prompt of the task form, once its field has the focus. */
  async typePrompt(prompt: string): Promise<void> {
    await this.frame.locator('#prompt:focus').waitFor();
    // VS Code may still give the focus back to what had it before the form was opened.
    await until('the prompt is typed', async () => {
      await this.editor.press('Control+A');
      await this.editor.page.keyboard.type(prompt);
      return (await this.frame.locator('#prompt').inputValue()) === prompt;
    });
  }

  /** Goes to the next field of the task form, which must be this one. VS Code may lose a key while it draws the page. */
  async tabTo(id: string): Promise<void> {
    await until(`${id} has the focus`, async () => {
      await this.editor.press('Tab');
      return isThere(this.frame.locator(`#${id}:focus`));
    });
  }

  /** Sends the task form by its key until it has closed: VS Code may lose a key, or take the focus from the page. */
  async sendForm(): Promise<void> {
    const form = this.editor.page.locator('iframe.webview:visible');
    await until('the form has closed', async () => {
      if (!(await form.isVisible())) return true;
      if (!(await this.frame.locator(':focus').isVisible())) await this.frame.locator('#prompt').focus();
      await this.editor.press('Control+Enter');
      return isGone(form, LOST_MS);
    });
  }

  /** Draws the whole window in another theme. */
  async setTheme(name: string): Promise<void> {
    await this.editor.runCommand('Preferences: Color Theme');
    await this.editor.answer(name);
    await this.editor.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    await this.frame.locator('main').waitFor();
  }
}
