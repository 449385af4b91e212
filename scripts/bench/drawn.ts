// Measures how long a change of the queue by another process takes until VS Code has drawn it in the tree, in a real
// window, beside a tree that another extension changes. Prints one JSON object.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { startRedis } from '../../test/support/redis/redisServer';
import { startBrowser } from '../host/host.mjs';
import { openTrees } from './drawn/treeWindow';
import { median, round, rowOf, type BenchRow } from './files/measuring';
import { openBenchQueue } from './files/queuePlace';
import { Workspace } from './files/workspace';
import { openOwnQueue } from './redis/openOwnQueue';

/** Number of changes. */
const TIMES = 15;
/** Pause between two changes: VS Code keeps the second of two that come within 200 ms. */
const APART_MS = 700;
/** Pause between two changes of which VS Code would keep the second. */
const CLOSE_MS = 50;

/** Changes the queue so that a row of the tree has these words. */
type Change = (words: string) => void | Promise<void>;

/** A window of VS Code with the queue's tree and the probe's, both to be seen. */
class Window {
  private constructor(
    private readonly page: Page,
    private readonly probe: Socket,
    readonly close: () => Promise<void>,
  ) {}

  static async open(browser: Browser, place: Workspace, settings: Record<string, string>): Promise<Window> {
    const { page, server, probe: socket } = await openTrees(browser, place, settings);
    const probe = connect(socket);
    await once(probe, 'connect');
    return new Window(page, probe, async () => {
      probe.destroy();
      await page.context().close();
      await server.stop();
    });
  }

  /** Changes the probe's row. */
  readonly changeProbe: Change = (words) => {
    this.probe.write(words);
  };

  /** Milliseconds from each change until it is drawn. */
  async measure(change: Change): Promise<number[]> {
    const times: number[] = [];
    for (let turn = 0; turn < TIMES; turn += 1) {
      await sleep(APART_MS);
      times.push(await this.timeOf(change));
    }
    return times;
  }

  /** The same of the second of two changes that are close to each other. */
  async measureSecond(change: Change): Promise<number[]> {
    const times: number[] = [];
    for (let turn = 0; turn < TIMES; turn += 1) {
      await sleep(APART_MS);
      await change(`First ${randomUUID()}`);
      await sleep(CLOSE_MS);
      times.push(await this.timeOf(change));
    }
    return times;
  }

  private async timeOf(change: Change): Promise<number> {
    const words = `Drawn ${randomUUID()}`;
    const drawn = await this.page.evaluateHandle<{ readonly at: Promise<number> }>(
      `({ at: (${String(awaitRow)})(${JSON.stringify(words)}) })`,
    );
    const changedAt = Date.now();
    await change(words);
    return (await drawn.evaluate(({ at }) => at)) - changedAt;
  }
}

/** The used part of the browser, in which `awaitRow` runs. */
declare const document: { readonly body: { readonly textContent: string } };
declare const requestAnimationFrame: (work: () => void) => void;
declare const MutationObserver: new (work: () => void) => {
  observe: (node: unknown, options: object) => void;
  disconnect: () => void;
};

/** Resolves to the time at which the frame with these words is drawn. */
function awaitRow(words: string): Promise<number> {
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (!document.body.textContent.replaceAll('\u00a0', ' ').includes(words)) return;
      observer.disconnect();
      requestAnimationFrame(() => resolve(Date.now()));
    });
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  });
}

/** Rows of the tables, and the times of the probe's row. */
interface Measured {
  readonly rows: readonly BenchRow[];
  readonly alone: readonly number[];
}

async function measureFile(browser: Browser, size: number): Promise<Measured> {
  const place = new Workspace(size);
  const window = await Window.open(browser, place, {});
  const edit: Change = (words) => {
    const text = readFileSync(place.file, 'utf8');
    writeFileSync(place.file, text.replace(/(\n6,[^,]*,[^,]*,)[^,]*/, `$1${words}`));
  };
  const queue = await openBenchQueue(place.file, place);
  const write: Change = async (prompt) => {
    await queue.edit(6, { prompt }, randomUUID());
  };
  try {
    const alone = await window.measure(window.changeProbe);
    const edits = await window.measure(edit);
    const writes = await window.measure(write);
    return {
      rows: [
        besideProbe('a row edited by hand until VS Code has drawn it', size, edits, alone),
        besideProbe('a change by another process until VS Code has drawn it', size, writes, alone, {
          goal: '≤ 500 ms',
        }),
      ],
      alone,
    };
  } finally {
    await queue.close();
    await window.close();
    place.remove();
  }
}

async function measureRedis(browser: Browser, size: number): Promise<Measured> {
  const redis = await startRedis();
  const queue = await openOwnQueue(redis.url);
  const place = new Workspace(1);
  const drafts = Array.from({ length: size }, (_, index) => ({
    fields: { prompt: `Part ${String(index + 1)}`, working_dir: place.folder },
  }));
  await queue.addAll(drafts, randomUUID());
  const address = `redis://127.0.0.1:${String(redis.port)}/0?queue=bench`;
  const window = await Window.open(browser, place, { 'claudeQueue.redis': address });
  const edit: Change = async (prompt) => {
    await queue.edit(1, { prompt }, randomUUID());
  };
  try {
    const alone = await window.measure(window.changeProbe);
    const edits = await window.measure(edit);
    const seconds = await window.measureSecond(edit);
    const what = 'a change in Redis until VS Code has drawn it';
    return {
      rows: [
        besideProbe(what, size, edits, alone, { goal: '≤ 200 ms' }),
        rowOf(`the same, ${String(CLOSE_MS)} ms after another change`, size, seconds),
      ],
      alone,
    };
  } finally {
    await window.close();
    await queue.close();
    await redis.stop();
    place.remove();
  }
}

function besideProbe(
  what: string,
  size: number,
  times: readonly number[],
  alone: readonly number[],
  more: Partial<BenchRow> = {},
): BenchRow {
  const ratio = round(median(times) / median(alone));
  return rowOf(what, size, times, { ratio, against: 'VS Code alone', ...more });
}

async function main(): Promise<void> {
  const browser = await startBrowser();
  const measured: Measured[] = [];
  try {
    for (const measure of [measureFile, measureRedis])
      for (const size of [1_000, 10_000]) measured.push(await measure(browser, size));
  } finally {
    await browser.close();
  }
  const alone = measured.flatMap((each) => each.alone);
  const rows = [...measured.flatMap((each) => each.rows), rowOf('the same: VS Code alone', null, alone)];
  console.log(JSON.stringify({ title: 'Until it is drawn', rows }));
}

void main();
