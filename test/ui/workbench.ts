import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openWorkbench as openPage, startBrowser, startServer } from '../../scripts/host/host.mjs';
import type { HostServer, ServerOptions } from '../../scripts/host/host.mjs';
import { createClaudeHome } from '../support/claudeHome';
import type { ClaudeHome, ClaudeHomeOptions } from '../support/claudeHome';
import { startMessagesApi } from '../support/messagesApi';
import type { MessagesApi, Respond } from '../support/messagesApi';
import { isRunning, listProcesses } from '../support/processTable';
import { IMPATIENT, QueueFolder } from '../support/queuePlace';
import { text } from '../support/replies';
import { EditorWindow } from './editorWindow';

const ROOT = resolve(__dirname, '../..');

/** How long a step may take on a busy machine. */
const PATIENCE_MS = 30_000;

export interface WorkbenchOptions
  extends Pick<ClaudeHomeOptions, 'signIn'>, Pick<ServerOptions, 'settings' | 'trust'> {
  /** A folder whose copy is opened; by default `sample/`. */
  readonly workspace?: string;
  /** What Claude answers; by default every task is answered with a word. */
  readonly respond?: Respond;
  readonly env?: Readonly<Record<string, string>>;
}

let browser: Promise<Browser> | undefined;
const open = new Set<Workbench>();

afterEach('a picture of what failed', async function () {
  if (this.currentTest?.state !== 'failed') return;
  const name = this.currentTest.fullTitle().replace(/[^\p{L}\p{N}]+/gu, '-');
  for (const workbench of open) await workbench.screenshot(`failed-${name}`);
});

after('no editor outlives the tests', async () => {
  await Promise.all([...open].map((workbench) => workbench.close()));
  await (await browser)?.close();
  browser = undefined;
});

/**
 * Opens VS Code, with the extension, on a copy of a folder, for a person with a made-up account. It stays open from test
 * to test: close it in `after`. CLAUDE_QUEUE_TEST_VSIX names another extension than this checkout, a .vsix or a folder.
 */
export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const { workspace = join(ROOT, 'sample'), respond = () => text('Done.'), signIn, env, ...more } = options;
  const api = await startMessagesApi({ respond });
  const account = { apiUrl: api.url, interactive: true, ...(signIn === undefined ? {} : { signIn }) };
  const home = createClaudeHome(account);
  cpSync(workspace, home.workspace, { recursive: true });
  const whole = { ...home.env, ...IMPATIENT, ...env };
  const server = await startServer({
    env: whole,
    extension: process.env['CLAUDE_QUEUE_TEST_VSIX'] ?? ROOT,
    ...more,
  });
  browser ??= startBrowser();
  const page = await openPage(await browser, server, { folder: home.workspace });
  page.setDefaultTimeout(PATIENCE_MS);
  const queue = new QueueFolder(home.workspace, whole);
  const workbench = new Workbench(page, { server, api, home, queue });
  open.add(workbench);
  await page.locator('.part.statusbar').waitFor();
  return workbench;
}

interface Parts {
  readonly server: HostServer;
  readonly api: MessagesApi;
  readonly home: ClaudeHome;
  readonly queue: QueueFolder;
}

/** A window with a server, an account and a queue of its own. */
export class Workbench extends EditorWindow {
  /** The stand-in that Claude Code talks to. */
  readonly api: MessagesApi;
  /** The queue of the open folder, through `claude-queue`. */
  readonly queue: QueueFolder;
  /** The folder that is open. */
  readonly folder: string;

  constructor(
    page: Page,
    private readonly parts: Parts,
  ) {
    super(page);
    this.api = parts.api;
    this.queue = parts.queue;
    this.folder = parts.home.workspace;
  }

  /** Ends the editor, and everything that was started from it. */
  async close(): Promise<void> {
    if (!open.delete(this)) return;
    const { server, api, home } = this.parts;
    await this.page.context().close();
    await server.stop();
    for (const left of listProcesses(`HOME=${home.env['HOME'] ?? ''}`))
      if (isRunning(left)) process.kill(left.pid, 'SIGKILL');
    await api.close();
    home.remove();
  }
}
