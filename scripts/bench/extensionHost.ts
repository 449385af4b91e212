// Measures the extension in the extension host of a real window: its start as VS Code notes it, its own time when one row
// changes, and the processor's time while nothing changes, beside a window without it. Prints one JSON object.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../host/host.mjs';
import { askProbe, awaitTrees, openTrees, openWithProbe } from './drawn/treeWindow';
import { rowOf, type BenchRow } from './files/measuring';
import { openBenchQueue } from './files/queuePlace';
import { Workspace } from './files/workspace';

const ROWS = 10_000;
const OURS = 'claude-task-queue.claude-task-queue';
/** Number of times that the window opens, and number of changes of a row. */
const TIMES = 5;
/** Pause between two changes, and after the last one. */
const APART_MS = 700;
/** Time until a window that opened is quiet. */
const SETTLED_MS = 20_000;
const IDLE_MS = 60_000;
/** The extension's methods that make the rows and answer VS Code. */
const REFRESHES = ['show', 'getChildren', 'getTreeItem'];

/** Part of a profile of V8 that is used here. */
interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Milliseconds of the extension's start. */
interface Start {
  readonly load: number;
  readonly activate: number;
}

/** Reads the row of the extension in VS Code's table of activations: name, eager, load, call, finish, event, by. */
async function readStart(probe: string): Promise<Start> {
  const report = await askProbe<string>(probe, 'startUp');
  const line = report.split('\n').find((each) => each.includes(OURS));
  const [, load, call] = /\| *(\d+) *\| *(\d+) *\| *\d+ *\|/.exec(line ?? '') ?? [];
  if (load === undefined || call === undefined) throw new Error(`VS Code does not show the start: ${report}`);
  return { load: Number(load), activate: Number(call) };
}

/** Milliseconds of a profile that were spent in these methods of the extension, with all that they call. */
function timeIn({ nodes, samples, timeDeltas }: Profile, methods: readonly string[]): number {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const counted = new Set<number>();
  const count = (id: number): void => {
    counted.add(id);
    for (const child of byId.get(id)?.children ?? []) count(child);
  };
  for (const { id, callFrame } of nodes)
    if (callFrame.url.includes('/dist/') && methods.includes(callFrame.functionName)) count(id);
  const micros = samples.reduce((sum, id, at) => sum + (counted.has(id) ? (timeDeltas[at] ?? 0) : 0), 0);
  return micros / 1_000;
}

/** Milliseconds of the processor while nothing changes. */
async function idle(probe: string): Promise<number> {
  await sleep(SETTLED_MS);
  const total = async (): Promise<number> => {
    const { user, system } = await askProbe<NodeJS.CpuUsage>(probe, 'processorTime');
    return (user + system) / 1_000;
  };
  const before = await total();
  await sleep(IDLE_MS);
  return (await total()) - before;
}

async function refreshes(place: Workspace, probe: string): Promise<number[]> {
  const queue = await openBenchQueue(place.file, place);
  const times: number[] = [];
  try {
    for (let turn = 0; turn < TIMES; turn += 1) {
      await askProbe(probe, 'startProfile');
      await queue.edit(6, { prompt: `Changed ${randomUUID()}` }, randomUUID());
      await sleep(APART_MS);
      times.push(timeIn(await askProbe<Profile>(probe, 'stopProfile'), REFRESHES));
    }
  } finally {
    await queue.close();
  }
  return times;
}

async function measureWith(browser: Browser, place: Workspace): Promise<BenchRow[]> {
  const { page, server, probe } = await openTrees(browser, place);
  try {
    const idleMs = await idle(probe);
    const refreshed = await refreshes(place, probe);
    const starts: Start[] = [];
    for (let turn = 0; turn < TIMES; turn += 1) {
      await page.reload();
      await awaitTrees(page);
      starts.push(await readStart(probe));
    }
    const start = (part: keyof Start): number[] => starts.map((each) => each[part]);
    return [
      rowOf('load, in VS Code', ROWS, start('load')),
      rowOf('activate, in VS Code', ROWS, start('activate'), { goal: '≤ 10 ms' }),
      rowOf('answer one changed row, in VS Code', ROWS, refreshed, { goal: '≤ 5 ms' }),
      rowOf('processor time of an idle minute, in VS Code', ROWS, [idleMs]),
    ];
  } finally {
    await page.context().close();
    await server.stop();
  }
}

async function measureWithout(browser: Browser, place: Workspace): Promise<BenchRow> {
  const { page, server, probe } = await openWithProbe(browser, place);
  try {
    return rowOf('the same: without the extension', null, [await idle(probe)]);
  } finally {
    await page.context().close();
    await server.stop();
  }
}

async function main(): Promise<void> {
  const browser = await startBrowser();
  const places = [new Workspace(ROWS), new Workspace(1)] as const;
  try {
    const rows = [...(await measureWith(browser, places[0])), await measureWithout(browser, places[1])];
    console.log(JSON.stringify({ title: 'In the extension host of VS Code', rows }));
  } finally {
    await browser.close();
    for (const place of places) place.remove();
  }
}

void main();
