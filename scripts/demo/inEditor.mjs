// The demonstration in the editor: the user's own VS Code if there is one, else one that a browser shows.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { desktopVariables, hasDisplay } from '../host/desktop.mjs';
import { startServer } from '../host/host.mjs';
import { ensureHost } from '../host/installHost.mjs';
import { CLI, ROOT, SetupFailure, findProgram } from '../setup.mjs';
import { demonstrateInTerminal } from './inTerminal.mjs';
import { describeStage, openStage } from './stage.mjs';

/** Long enough to see the count-down. */
const RESET_IN_SECONDS = 40;

/** The product, and what opens its view and the queue file. */
const EXTENSIONS = [ROOT, join(ROOT, 'scripts', 'demo', 'showQueue')];

const SETTINGS = {
  'workbench.startupEditor': 'none',
  'security.workspace.trust.enabled': false,
};

const say = (text) => console.log(text);

/** Shows the queue in the editor until the user has seen enough. Answers whether all went well. */
export async function demonstrateInEditor() {
  const code = findCode();
  if (code === undefined && !(await isHostThere())) return demonstrateInTerminal();
  const stage = await openStage({ resetInSeconds: RESET_IN_SECONDS });
  try {
    say(describeStage(stage));
    await (code === undefined ? showInBrowser(stage) : showOnDesktop(code, stage));
    say(`\nWhat was done is in ${stage.workspace}`);
    return true;
  } finally {
    endWorker(stage);
    await stage.close();
  }
}

/** Where the editor cannot be set up, the user hears why, and sees the demonstration all the same. */
async function isHostThere() {
  try {
    await ensureHost({ browser: false });
    return true;
  } catch (error) {
    if (!(error instanceof SetupFailure)) throw error;
    say(`\nThere is no VS Code to show it in. ${error.message}\nHere it is in the terminal.`);
    return false;
  }
}

/** The worker outlives the editor; the demonstration it does not. */
function endWorker({ workspace, env }) {
  spawnSync(process.execPath, [CLI, 'stop', '--now'], { cwd: workspace, env, stdio: 'ignore' });
}

/** The `code` of a WSL opens a window of Windows, which would not see this environment. */
function findCode() {
  return hasDisplay() && process.env.WSL_DISTRO_NAME === undefined ? findProgram(['code']) : undefined;
}

const WHAT_TO_DO = [
  'It opens on claude_queue/prompts.csv, with the view Claude Queue on the left. Press the triangle in the view (Start…):',
  'it lists what would run, and asks for your approval before anything does.',
  'The same in the terminal, without an editor: npm start -- --terminal',
].join('\n');

/** A window of its own, with a profile of its own: nothing of the user's is read or changed. */
async function showOnDesktop(code, { workspace, env }) {
  const profile = mkdtempSync(join(tmpdir(), 'cq-'));
  const args = [
    ...['--new-window', '--wait', '--disable-workspace-trust'],
    ...['--user-data-dir', join(profile, 'user'), '--extensions-dir', join(profile, 'extensions')],
    ...EXTENSIONS.map((folder) => `--extensionDevelopmentPath=${folder}`),
    workspace,
  ];
  say(`\nVS Code opens (${code}).\n${WHAT_TO_DO}\nClose its window to end the demonstration.`);
  const child = spawn(code, args, { env: { ...desktopVariables(), ...env }, stdio: 'inherit' });
  await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
}

async function showInBrowser({ workspace, env }) {
  // Anyone who else uses this machine could open the address too, and act as you.
  const password = randomBytes(6).toString('hex');
  const server = await startServer({
    env,
    settings: SETTINGS,
    extensions: EXTENSIONS,
    password,
    idleTimeoutSeconds: 3600,
  });
  try {
    say(
      `\nOpen this address in a browser on this machine:\n\n  ${server.addressOf(workspace)}\n  password: ${password}\n\n${WHAT_TO_DO}`,
    );
    say('Ctrl-C ends the demonstration.');
    await Promise.race([ended(), server.ended]);
  } finally {
    await server.stop();
  }
}

/** Resolves when somebody asks this program to end. */
function ended() {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, resolve);
  });
}
