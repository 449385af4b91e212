import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { openWorkbench, startServer, type HostServer, type ServerOptions } from '../../host/host.mjs';
import type { Workspace } from '../files/workspace';

/** Window of VS Code that shows the queue's tree and the probe's. */
export interface TreeWindow {
  readonly page: Page;
  readonly server: HostServer;
  /** Socket on which the probe takes the words of its first row, or the name of a measurement. */
  readonly probe: string;
}

/** Milliseconds between two looks for the probe. */
const LOOK_MS = 100;

const PROBE = join(process.cwd(), 'scripts', 'bench', 'drawn', 'probe');

/** Opens a window with the queue's tree and the probe's, both to be seen. */
export async function openTrees(
  browser: Browser,
  place: Workspace,
  settings: Readonly<Record<string, string>> = {},
): Promise<TreeWindow> {
  const opened = await openWithProbe(browser, place, { settings, extensions: [process.cwd()] });
  await opened.page.locator('.part.activitybar').getByRole('tab', { name: 'Claude Queue' }).click();
  await awaitTrees(opened.page);
  return opened;
}

/** Waits until both trees have rows. */
export async function awaitTrees(page: Page): Promise<void> {
  for (const words of [/Probe is ready/, /Part/])
    await page.locator('.monaco-list-row').filter({ hasText: words }).first().waitFor();
}

/** Opens a window with the probe, by default without another extension. The probe answers once its view is shown. */
export async function openWithProbe(
  browser: Browser,
  place: Workspace,
  { extensions = [], settings = {} }: Partial<Pick<ServerOptions, 'extensions' | 'settings'>> = {},
): Promise<TreeWindow> {
  const probe = join(place.root, 'probe');
  const env = { ...place.env, BENCH_PROBE_SOCKET: probe };
  const server = await startServer({ env, settings, extensions: [...extensions, PROBE] });
  const page = await openWorkbench(browser, server, { folder: place.folder });
  while (!existsSync(probe)) await sleep(LOOK_MS);
  return { page, server, probe };
}

/** Returns the result of a measurement of the probe, in the extension host of its window. */
export async function askProbe<Answer>(socket: string, measurement: string): Promise<Answer> {
  const connection = connect(socket);
  await once(connection, 'connect');
  connection.write(measurement);
  return JSON.parse(await text(connection)) as Answer;
}
