// Measures how long a key takes in the queue file until VS Code has drawn it, beside a plain text file with the same bytes,
// in one window and in turns. Prints one JSON object.
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { EditorWindow } from '../../test/ui/window/editorWindow';
import { openWorkbench, startBrowser, startServer } from '../host/host.mjs';
import { median, round, rowOf, type BenchRow } from './files/measuring';
import { Workspace } from './files/workspace';

const SIZES = [50, 1_000, 10_000];
/** Number of turns; in each, both files get some keys. */
const TURNS = 4;
/** Keys in a turn. */
const KEYS = 'zyxwvutsrqpo';
/** Line of task 3, from 1. */
const LINE = 4;
/** Pause after each key, as of somebody who types fast: the effects of earlier keys continue meanwhile. */
const APART_MS = 120;
/** Pause after a file was opened. */
const OPENED_MS = 3_000;

/** The used part of the browser, in which `awaitLine` runs. */
declare const document: { querySelector: (words: string) => { readonly textContent: string } };
declare const addEventListener: (type: string, listen: () => void, options: object) => void;
declare const MutationObserver: new (work: () => void) => {
  observe: (node: unknown, options: object) => void;
  disconnect: () => void;
};

/** Resolves to the milliseconds from the next key until the editor shows these words. */
function awaitWords(words: string): Promise<number> {
  return new Promise((resolve) => {
    let pressedMs = 0;
    addEventListener('keydown', () => (pressedMs = performance.now()), { capture: true, once: true });
    const lines = document.querySelector('.editor-group-container.active .view-lines');
    const observer = new MutationObserver(() => {
      if (!lines.textContent.includes(words)) return;
      observer.disconnect();
      resolve(performance.now() - pressedMs);
    });
    observer.observe(lines, { childList: true, subtree: true, characterData: true });
  });
}

/** A file that is typed in. */
class TypedFile {
  readonly times: number[] = [];
  private typed = '';

  constructor(
    private readonly window: EditorWindow,
    private readonly name: string,
  ) {}

  /** Types into the prompt of a row near the top, one key after another. */
  async type(column: number): Promise<void> {
    const { window } = this;
    await window.openFile(this.name);
    await sleep(OPENED_MS);
    if (this.typed === '') await window.goTo(LINE, column);
    await window.page.locator('.editor-group-container.active .native-edit-context').focus();
    for (const key of KEYS) {
      this.typed += key;
      const drawn = await window.page.evaluateHandle<{ readonly at: Promise<number> }>(
        `({ at: (${String(awaitWords)})(${JSON.stringify(`3${this.typed}`)}) })`,
      );
      await window.press(key);
      this.times.push(await drawn.evaluate(({ at }) => at));
      await sleep(APART_MS);
    }
  }
}

async function measure(browser: Browser, size: number): Promise<BenchRow[]> {
  const place = new Workspace(size);
  copyFileSync(place.file, join(place.folder, 'plain.txt'));
  const server = await startServer({
    env: place.env,
    settings: { 'files.autoSave': 'off' },
    extensions: [process.cwd()],
  });
  try {
    const page = await openWorkbench(browser, server, { folder: place.folder });
    await page.locator('.part.statusbar').waitFor();
    const window = new EditorWindow(page);
    const files = [new TypedFile(window, 'prompts.csv'), new TypedFile(window, 'plain.txt')] as const;
    const [, , , row = ''] = readFileSync(place.file, 'utf8').split('\n', LINE);
    const column = row.indexOf('Part 3') + 'Part 3'.length + 1;
    for (let turn = 0; turn < TURNS; turn += 1) for (const file of files) await file.type(column);
    await page.context().close();
    const [queue, plain] = files.map(({ times }) => times);
    return rowsOf(size, queue ?? [], plain ?? []);
  } finally {
    await server.stop();
    place.remove();
  }
}

function rowsOf(size: number, queue: readonly number[], plain: readonly number[]): BenchRow[] {
  const ratio = round(median(queue) / median(plain));
  const more = { ratio, against: 'plain text', goal: '≤ 1.2' };
  return [
    rowOf('a key in the queue file until VS Code has drawn it', size, queue, more),
    rowOf('the same: the same bytes as plain text', size, plain),
  ];
}

async function main(): Promise<void> {
  const browser = await startBrowser();
  try {
    const rows: BenchRow[] = [];
    for (const size of SIZES) rows.push(...(await measure(browser, size)));
    console.log(JSON.stringify({ title: 'A key in the editor', rows }));
  } finally {
    await browser.close();
  }
}

void main();
