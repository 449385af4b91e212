// Starts VS Code's server, which keeps everything in a temporary folder of its own, and opens its workbench in a browser.
import { spawn, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chosenEditor } from './editors.mjs';
import { findBrowser } from './installHost.mjs';

const START_PATIENCE_MS = 180_000;
const STOP_PATIENCE_MS = 5_000;
const LOOK_MS = 20;

/** Nothing comes up by itself, nothing moves, nothing is looked up anywhere. */
const QUIET_SETTINGS = {
  'chat.disableAIFeatures': true,
  'editor.cursorBlinking': 'solid',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  // Any program of this user that listens on a port would be offered in a notification.
  'remote.autoForwardPorts': false,
  'security.workspace.trust.startupPrompt': 'never',
  'telemetry.telemetryLevel': 'off',
  'terminal.integrated.gpuAcceleration': 'off',
  'update.mode': 'none',
  'workbench.enableExperiments': false,
  'workbench.reduceMotion': 'on',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/**
 * Starts the server on a free port of loopback and resolves when it listens. Each of `extensions`, a folder or a .vsix, is
 * there as if the user had installed it. Types and what each option means: host.d.mts.
 */
export async function startServer({
  env,
  settings = {},
  extensions = [],
  trust = 'off',
  password,
  idleTimeoutSeconds = 300,
}) {
  // Sockets lie in it, whose paths must be short.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cq-')));
  const asking = trust === 'asks' ? { 'security.workspace.trust.startupPrompt': 'always' } : {};
  const isolation = prepareFolder(folder, { ...QUIET_SETTINGS, ...asking, ...settings });
  const whole = isolate(env, folder);
  try {
    for (const extension of extensions) addExtension(resolve(extension), folder, isolation, whole);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  const { name, node, server } = chosenEditor();
  const args = [
    ...isolation,
    ...['--bind-addr', '127.0.0.1:0', '--auth', password === undefined ? 'none' : 'password'],
    '--ignore-last-opened',
    ...['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'],
    ...(trust === 'asks' ? [] : ['--disable-workspace-trust']),
    // Anyone who started it may be killed outright. The oldest editor does not know the option.
    ...(name === 'oldest' ? [] : ['--idle-timeout-seconds', String(idleTimeoutSeconds)]),
  ];
  const secret = password === undefined ? {} : { PASSWORD: password };
  const options = {
    env: { ...whole, ...secret },
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  };
  return new HostServer(spawn(node, [server, ...args], options), folder).listen();
}

/** Makes the folders, and answers the options that keep the server within them. */
function prepareFolder(folder, settings) {
  for (const name of ['home', 'tmp', 'extensions', join('user', 'User'), join('user', 'Machine')])
    mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'config.yaml'), 'cert: false\n');
  // Settings of the machine are read from a file of their own where the editor is another machine's.
  for (const whose of ['User', 'Machine'])
    writeFileSync(join(folder, 'user', whose, 'settings.json'), JSON.stringify(settings, null, 2));
  return [
    ...['--config', join(folder, 'config.yaml')],
    ...['--user-data-dir', join(folder, 'user')],
    ...['--extensions-dir', join(folder, 'extensions')],
  ];
}

/** Completes the environment with the server's own values. The gallery is off, since a test looks nothing up. */
function isolate(env, folder) {
  const whole = {
    HOME: join(folder, 'home'),
    SHELL: '/bin/bash',
    ...env,
    TMPDIR: join(folder, 'tmp'),
    XDG_RUNTIME_DIR: join(folder, 'tmp'),
    XDG_DATA_HOME: join(folder, 'home', 'data'),
    XDG_CACHE_HOME: join(folder, 'home', 'cache'),
    EXTENSIONS_GALLERY: '{"serviceUrl":""}',
    // In seconds. A page that is closed may be unable to say so: its extension host would wait three hours for it.
    CODE_SERVER_RECONNECTION_GRACE_TIME: '30',
    // Code that the extension host runs counts as covered.
    NODE_V8_COVERAGE: process.env.TEST_QUEUE_COVERAGE,
  };
  for (const name of ['VSCODE_IPC_HOOK_CLI', 'PORT', 'PASSWORD', 'HASHED_PASSWORD']) delete whole[name];
  return whole;
}

function addExtension(extension, folder, isolation, env) {
  if (!extension.endsWith('.vsix')) {
    const { publisher, name, version } = JSON.parse(readFileSync(join(extension, 'package.json'), 'utf8'));
    symlinkSync(extension, join(folder, 'extensions', `${publisher}.${name}-${version}`), 'dir');
    return;
  }
  const { node, server } = chosenEditor();
  const args = [server, ...isolation, '--install-extension', extension, '--force'];
  const { status, stdout, stderr } = spawnSync(node, args, { env, cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${basename(extension)} could not be installed:\n${stdout}${stderr}`);
}

class HostServer {
  #child;
  #said = '';
  #isGone = false;
  #removeAtExit;

  constructor(child, folder) {
    this.#child = child;
    this.folder = folder;
    this.ended = new Promise((resolveEnded) => {
      child.once('error', (error) => resolveEnded(`did not start: ${error.message}`));
      child.once('exit', (code, signal) => resolveEnded(`ended with ${signal ?? `exit code ${code}`}`));
    });
    this.ended.then(() => (this.#isGone = true));
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => (this.#said += text));
    this.#removeAtExit = () => this.#remove();
    process.once('exit', this.#removeAtExit);
  }

  /** Output so far. */
  get log() {
    return this.#said;
  }

  async listen() {
    const latest = Date.now() + START_PATIENCE_MS;
    for (;;) {
      const port = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(this.#said)?.[1];
      if (port !== undefined) {
        this.authority = `127.0.0.1:${port}`;
        this.url = `http://${this.authority}`;
        return this;
      }
      if (this.#isGone || Date.now() > latest) {
        const how = this.#isGone ? await this.ended : 'did not listen in time';
        await this.stop();
        throw new Error(`code-server ${how}:\n${this.#said}`);
      }
      await sleep(LOOK_MS);
    }
  }

  addressOf(folder) {
    const kind = folder.endsWith('.code-workspace') ? 'workspace' : 'folder';
    return `${this.url}/?${kind}=${encodeURIComponent(resolve(folder))}`;
  }

  async stop() {
    const latest = Date.now() + STOP_PATIENCE_MS;
    // Extension hosts and terminals are in the server's process group and outlive it for a moment.
    for (let isLeft = this.#signal('SIGTERM'); isLeft && Date.now() < latest; isLeft = this.#signal(0))
      await sleep(LOOK_MS);
    process.off('exit', this.#removeAtExit);
    this.#remove();
  }

  #remove() {
    this.#signal('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }

  /** Signals the whole group, and returns whether a process of it was left. */
  #signal(signal) {
    if (this.#child.pid === undefined) return false;
    try {
      process.kill(-this.#child.pid, signal);
      return true;
    } catch (error) {
      if (error.code === 'ESRCH') return false;
      throw error;
    }
  }
}

/** Starts the browser without a window. */
export async function startBrowser() {
  const { chromium } = await import('playwright-core');
  const offline = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];
  return chromium.launch({
    timeout: START_PATIENCE_MS,
    executablePath: findBrowser(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', ...offline],
  });
}

/** Opens the workbench of a server. `development` is what makes a window run an extension's tests: host.d.mts. */
export async function openWorkbench(browser, server, { folder, development, size }) {
  const viewport = size ?? { width: 1280, height: 800 };
  const permissions = ['clipboard-read', 'clipboard-write'];
  const context = await browser.newContext({ viewport, permissions, serviceWorkers: 'allow' });
  const page = await context.newPage();
  page.setDefaultTimeout(START_PATIENCE_MS);
  await page.addInitScript(stopAnimations);
  if (development !== undefined) await developIn(page, server, development);
  await page.goto(server.addressOf(folder), { waitUntil: 'domcontentloaded' });
  return page;
}

/** Keeps the page from being drawn again and again while something spins, which takes more than all else of a test. */
function stopAnimations() {
  const { CSSStyleSheet, document } = globalThis;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, ::before, ::after { animation: none !important; transition: none !important }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/**
 * The workbench reads its configuration from an attribute of its page; here it finds `developmentOptions` in it. (A page
 * that was rewritten on its way would have no address of its own, and Chromium would refuse its sockets to loopback.)
 */
async function developIn(page, { authority }, { extensions, testsFile, onLog, onExit }) {
  const remote = (path) => ({ scheme: 'vscode-remote', authority, path: resolve(path) });
  await page.exposeFunction('codeAutomationLog', onLog);
  await page.exposeFunction('codeAutomationExit', onExit);
  await page.addInitScript(
    (options) => {
      const { Element } = globalThis;
      const read = Element.prototype.getAttribute;
      Element.prototype.getAttribute = function (name) {
        const value = read.call(this, name);
        const isSettings = name === 'data-settings' && this.id === 'vscode-workbench-web-configuration';
        if (!isSettings || !value) return value;
        const settings = JSON.parse(value);
        return JSON.stringify({
          ...settings,
          developmentOptions: { ...settings.developmentOptions, ...options },
        });
      };
    },
    { extensions: extensions.map(remote), extensionTestsPath: remote(testsFile) },
  );
}
