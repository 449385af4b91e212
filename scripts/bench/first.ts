// Measures how long the first rows of the tree take in a window of VS Code that opens: from the activation of the
// extension until VS Code has drawn one, beside an extension that reads nothing. Prints one JSON object.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { startBrowser } from '../host/host.mjs';
import { openTrees } from './drawn/treeWindow';
import { median, round, rowOf, type BenchRow } from './files/measuring';
import { Workspace } from './files/workspace';

/** Number of times that each window opens. */
const TIMES = 9;
/** Sizes of queues, with the goal. */
const GOALS = [
  [1_000, {}],
  [10_000, { goal: '≤ 300 ms' }],
] as const;
const WHAT = 'activation of the extension until VS Code has drawn the first row';

const OURS = 'claude-task-queue.claude-task-queue';
const PROBE = 'claude-task-queue.bench-probe';
/** Words in a row of each extension. */
const ROWS = { [OURS]: 'Part ', [PROBE]: 'Row 2' } as const;
type Extension = keyof typeof ROWS;

/** The used part of the browser, in which `awaitRows` runs. */
declare const document: {
  drawnAt?: Record<string, number>;
  readonly querySelectorAll: (css: string) => Iterable<{ readonly textContent: string }>;
};
declare const requestAnimationFrame: (work: () => void) => void;
declare const MutationObserver: new (work: () => void) => {
  observe: (node: unknown, options: object) => void;
};

/** Notes when the frame with the first row of each extension is drawn. */
function awaitRows(rows: Record<string, string>): void {
  const drawnAt: Record<string, number> = {};
  document.drawnAt = drawnAt;
  const waiting = new Map(Object.entries(rows));
  new MutationObserver(() => {
    for (const { textContent } of document.querySelectorAll('.monaco-list-row'))
      for (const [extension, words] of waiting)
        if (textContent.replaceAll('\u00a0', ' ').includes(words)) {
          waiting.delete(extension);
          requestAnimationFrame(() => {
            drawnAt[extension] = Date.now();
          });
        }
  }).observe(document, { childList: true, subtree: true, characterData: true });
}

/** Returns when an extension was last activated, by the log of its host, in ms since 1970. */
function readActivation(serverFolder: string, extension: Extension): number {
  const logs = readdirSync(join(serverFolder, 'user', 'logs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('remoteexthost.log'))
    .map((name) => readFileSync(join(serverFolder, 'user', 'logs', name), 'utf8'));
  const lines = logs
    .flatMap((log) => log.split('\n'))
    .filter((line) => line.includes(`_doActivateExtension ${extension},`));
  // A line starts with a time as 2026-11-28 06:04:10.123, in the zone of this machine.
  return Math.max(...lines.map((line) => new Date(line.slice(0, 23)).getTime()));
}

/** Milliseconds from the activation of each extension until its first row is drawn. */
type Took = Readonly<Record<Extension, number>>;

async function openAgain(page: Page, serverFolder: string): Promise<Took> {
  await page.reload();
  const { length } = Object.keys(ROWS);
  const drawn = await page.waitForFunction(
    `Object.keys(document.drawnAt ?? {}).length === ${String(length)} && document.drawnAt`,
  );
  const drawnAt = (await drawn.jsonValue()) as Took;
  const took = (extension: Extension): number => drawnAt[extension] - readActivation(serverFolder, extension);
  return { [OURS]: took(OURS), [PROBE]: took(PROBE) };
}

async function measure(browser: Browser, size: number): Promise<Took[]> {
  const place = new Workspace(size);
  const { page, server } = await openTrees(browser, place);
  try {
    await page.addInitScript(awaitRows, ROWS);
    const times: Took[] = [];
    for (let turn = 0; turn < TIMES; turn += 1) times.push(await openAgain(page, server.folder));
    await page.context().close();
    return times;
  } finally {
    await server.stop();
    place.remove();
  }
}

async function main(): Promise<void> {
  const browser = await startBrowser();
  const rows: BenchRow[] = [];
  const alone: number[] = [];
  try {
    for (const [size, goal] of GOALS) {
      const times = await measure(browser, size);
      const own = times.map((took) => took[OURS]);
      const probe = times.map((took) => took[PROBE]);
      alone.push(...probe);
      const ratio = round(median(own) / median(probe));
      rows.push(rowOf(WHAT, size, own, { ratio, against: 'VS Code alone', ...goal }));
    }
  } finally {
    await browser.close();
  }
  rows.push(rowOf('the same: VS Code alone', null, alone));
  console.log(JSON.stringify({ title: `A window that opens, ${String(TIMES)} times each`, rows }));
}

void main();
