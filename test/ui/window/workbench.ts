import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openWorkbench as openPage, startBrowser, startServer } from '../../../scripts/host/host.mjs';
import type { HostServer, ServerOptions } from '../../../scripts/host/host.mjs';
import { createClaudeHome } from '../../support/claude/claudeHome';
import type { ClaudeHome, ClaudeHomeOptions } from '../../support/claude/claudeHome';
import { startMessagesApi } from '../../support/claude/messagesApi';
import type { MessagesApi, Respond } from '../../support/claude/messagesApi';
import { endProcesses, isRunning, listProcesses } from '../../support/machine/processTable';
import type { ListedProcess } from '../../support/machine/processTable';
import { IMPATIENT, QueueFolder, readFilesBelow } from '../../support/queue/queuePlace';
import { text } from '../../support/claude/replies';
import { NOTICE_SETTINGS } from '../../../src/editor/status/noticePlan';
import type { RowCells } from '../../support/queue/rows';
import { until } from '../../support/until';
import { readWindow } from './drawn';
import { EditorWindow } from './editorWindow';

const ROOT = resolve(__dirname, '../../..');

/** Time limit of a step on a busy machine. A step may wait for a worker to start, and for some attempts. */
const PATIENCE_MS = 180_000;

/** A window that has just been loaded may open a view by itself while it is clicked on: the click does not close it then. */
const SETTINGS = {
  'workbench.activityBar.iconClickBehavior': 'focus',
  // A page that is loaded takes the focus, also from a command that is just being chosen.
  'workbench.quickOpen.closeOnFocusLost': false,
  // A notification may cover what a test clicks on, and comes whenever a run ends: tests that want some turn them on.
  'claudeQueue.notifications': Object.fromEntries(
    Object.values(NOTICE_SETTINGS).map((name) => [name, false]),
  ),
};

export interface WorkbenchOptions
  extends Pick<ClaudeHomeOptions, 'signIn'>, Pick<ServerOptions, 'settings' | 'trust' | 'extensions'> {
  /** A folder whose copy is opened; by default `sample/`. */
  readonly workspace?: string;
  /** The folder's queue has these rows instead. */
  readonly rows?: readonly RowCells[];
  /** Rows of the queues of folders below it: a workspace of these folders is opened instead. An empty folder has no queue. */
  readonly folders?: Readonly<Record<string, readonly RowCells[]>>;
  /** Claude's answers; by default one word for every task. */
  readonly respond?: Respond;
  readonly env?: Readonly<Record<string, string>>;
}

let browser: Promise<Browser> | undefined;
const open = new Set<Workbench>();

afterEach('a picture of what failed, and its texts with the error', async function () {
  if (this.currentTest?.state !== 'failed') return;
  const name = this.currentTest.fullTitle().replace(/[^\p{L}\p{N}]+/gu, '-');
  const { err: error } = this.currentTest;
  const windows = [...open].flatMap((workbench) => workbench.windows);
  for (const [index, window] of windows.entries()) {
    await window.screenshot(`failed-${name}-${index + 1}`);
    if (error !== undefined) error.stack = `${error.stack ?? ''}\n\n${await readWindow(window.page)}`;
  }
});

after('no editor outlives the tests', async () => {
  await Promise.all([...open].map((workbench) => workbench.close()));
  await (await browser)?.close();
  browser = undefined;
});

/**
 * Opens VS Code, with the extension, on a copy of a folder, for the user with a made-up account. It stays open from test
 * to test: close it in `after`. TEST_QUEUE_VSIX names another extension than this checkout, a .vsix or a folder.
 */
export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const {
    workspace = join(ROOT, 'sample'),
    respond = () => text('Done.'),
    rows,
    folders,
    signIn,
    env,
    settings,
    extensions = [],
    ...more
  } = options;
  const api = await startMessagesApi({ respond });
  const account = { apiUrl: api.url, interactive: true, ...(signIn === undefined ? {} : { signIn }) };
  const home = createClaudeHome(account);
  const whole = { ...home.env, ...IMPATIENT, ...env };
  cpSync(workspace, home.workspace, { recursive: true });
  if (rows !== undefined) new QueueFolder(home.workspace, whole).write(rows);
  const opened = folders === undefined ? home.workspace : makeFolders(home.workspace, folders, whole);
  const extension = process.env['TEST_QUEUE_VSIX'] ?? ROOT;
  const startedWith = {
    env: whole,
    extensions: [extension, ...extensions],
    settings: { ...SETTINGS, ...settings },
    ...more,
  };
  const server = await startServer(startedWith).catch(async (error: unknown) => {
    await api.close();
    home.remove();
    throw error;
  });
  const parts = { server, api, home, env: whole, opened };
  try {
    const workbench = new Workbench(await openWindow(parts), parts);
    open.add(workbench);
    return workbench;
  } catch (error) {
    await closeParts(parts);
    throw error;
  }
}

/** Makes folders with queues, and returns the file of a workspace that has them. */
function makeFolders(
  parent: string,
  folders: Readonly<Record<string, readonly RowCells[]>>,
  env: Readonly<Record<string, string>>,
): string {
  for (const [name, rows] of Object.entries(folders)) {
    mkdirSync(join(parent, name));
    if (rows.length > 0) new QueueFolder(join(parent, name), env).write(rows);
  }
  const file = join(parent, 'several.code-workspace');
  writeFolders(file, Object.keys(folders));
  return file;
}

function writeFolders(file: string, names: readonly string[]): void {
  writeFileSync(file, JSON.stringify({ folders: names.map((path) => ({ path })) }));
}

interface Parts {
  readonly server: HostServer;
  readonly api: MessagesApi;
  readonly home: ClaudeHome;
  readonly env: Readonly<Record<string, string>>;
  /** Folder or file of a workspace that is opened. */
  readonly opened: string;
}

async function openWindow({ server, opened }: Parts): Promise<Page> {
  browser ??= startBrowser();
  const page = await openPage(await browser, server, { folder: opened });
  page.setDefaultTimeout(PATIENCE_MS);
  await page.locator('.part.statusbar').waitFor();
  return page;
}

/** The server first, then what it left running, then what these used. */
async function closeParts({ server, api, home }: Parts): Promise<void> {
  await server.stop();
  await endProcesses(markOf(home));
  await api.close();
  home.remove();
}

/** Returns the variable that is in the environment of everything started there. */
function markOf({ env }: ClaudeHome): string {
  return `HOME=${env['HOME'] ?? ''}`;
}

/** A window with a server, an account and a queue of its own. */
export class Workbench extends EditorWindow {
  /** The stand-in that Claude Code talks to. */
  readonly api: MessagesApi;
  /** The folder that is open. */
  readonly folder: string;
  /** This window, and others on the same folder. */
  readonly windows: EditorWindow[] = [this];

  constructor(
    page: Page,
    private readonly parts: Parts,
  ) {
    super(page);
    this.api = parts.api;
    this.folder = parts.home.workspace;
  }

  /** The queue of the open folder, through `claude-queue`; made where there is none. */
  get queue(): QueueFolder {
    return new QueueFolder(this.folder, this.parts.env);
  }

  /** The queue of one of several folders. */
  queueIn(name: string): QueueFolder {
    return new QueueFolder(join(this.folder, name), this.parts.env);
  }

  /** Gives the workspace these folders, as the user who adds and removes some. */
  setFolders(...names: readonly string[]): void {
    writeFolders(this.parts.opened, names);
  }

  /** Changes a setting of this machine in its file, as another editor of the user does. */
  changeSetting(name: string, value: unknown): void {
    const file = join(this.parts.server.folder, 'user', 'Machine', 'settings.json');
    const settings = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...settings, [name]: value }));
  }

  /** The living processes that were started from here and have all these words in their command line. */
  processes(...words: readonly string[]): readonly ListedProcess[] {
    const all = listProcesses(markOf(this.parts.home));
    return all.filter((one) => words.every((each) => one.command.includes(each)) && isRunning(one));
  }

  /** As `processes`, once it is just one: what a process starts has the same command line for a moment. */
  onlyProcess(...words: readonly string[]): Promise<ListedProcess> {
    return until(`one process has ${words.join(', ')}`, () => {
      const [found, ...others] = this.processes(...words);
      return others.length === 0 ? found : null;
    });
  }

  /** Closes the only window, as the user closes a tab, and waits for the end of its extension host. The server stays. */
  async leave(): Promise<void> {
    await this.page.goto('about:blank');
    await until('the window has gone', () => this.processes('--type=extensionHost').length === 0);
  }

  /** Opens the window again. */
  async comeBack(): Promise<void> {
    await this.page.goto(this.parts.server.addressOf(this.parts.opened), { waitUntil: 'domcontentloaded' });
    await this.page.locator('.part.statusbar').waitFor();
  }

  /** Another window on the same folder: another browser of the same user. */
  async openWindow(): Promise<EditorWindow> {
    const window = new EditorWindow(await openWindow(this.parts));
    this.windows.push(window);
    return window;
  }

  /** Opens the same folder in another tab of the same browser, which remembers the same. */
  async openTab(): Promise<EditorWindow> {
    const page = await this.page.context().newPage();
    await page.goto(this.page.url(), { waitUntil: 'domcontentloaded' });
    await page.locator('.part.statusbar').waitFor();
    const window = new EditorWindow(page);
    this.windows.push(window);
    return window;
  }

  /** Waits until the editor has put aside unsaved changes with these words, which a window that comes back shows. */
  async isBackedUp(words: string): Promise<void> {
    const backups = join(this.parts.server.folder, 'user', 'User', 'Backups');
    await until(`${words} is backed up`, () =>
      [...readFilesBelow(backups).values()].some((backup) => backup.includes(words)),
    );
  }

  /** The prompts of forms in files of their own, by path. */
  promptFiles(): ReadonlyMap<string, string> {
    const storage = join(this.parts.server.folder, 'user', 'User', 'workspaceStorage');
    return new Map([...readFilesBelow(storage)].filter(([name]) => name.includes('/prompts/')));
  }

  /** Ends the editor, and everything that was started from it. */
  async close(): Promise<void> {
    if (!open.delete(this)) return;
    await this.page.context().close();
    await closeParts(this.parts);
  }
}
