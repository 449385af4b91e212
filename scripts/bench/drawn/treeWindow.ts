import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openWorkbench, startServer, type HostServer } from '../../host/host.mjs';
import type { Workspace } from '../files/workspace';

/** Window of VS Code that shows the queue's tree and the probe's. */
export interface TreeWindow {
  readonly page: Page;
  readonly server: HostServer;
  /** Socket on which the probe takes the words of its first row. */
  readonly probe: string;
}

/** Opens a window with the queue's tree and the probe's, both to be seen. */
export async function openTrees(
  browser: Browser,
  place: Workspace,
  settings: Readonly<Record<string, string>> = {},
): Promise<TreeWindow> {
  const probe = join(place.root, 'probe');
  const server = await startServer({
    env: { ...place.env, BENCH_PROBE_SOCKET: probe },
    settings,
    extensions: [process.cwd(), join(process.cwd(), 'scripts', 'bench', 'drawn', 'probe')],
  });
  const page = await openWorkbench(browser, server, { folder: place.folder });
  await page.locator('.part.activitybar').getByRole('tab', { name: 'Claude Queue' }).click();
  for (const words of [/Probe is ready/, /Part/])
    await page.locator('.monaco-list-row').filter({ hasText: words }).first().waitFor();
  return { page, server, probe };
}
