// VS Code for machines without a desktop: code-server from the npm registry, which is VS Code's own server, workbench and
// extension host. It needs a Node of its own, which comes from the registry too. Each editor lies in .vscode-test/.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupFailure, ensureOnSystem, findProgram, program, step } from '../setup.mjs';
import { chosenEditor } from './editors.mjs';
import { installNewest, installOldest } from './serverPackages.mjs';

const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome'];

/** The browser that draws the workbench. @returns {string | undefined} */
export const findBrowser = () => process.env.CHROMIUM ?? findProgram(BROWSERS);

const isLinux = process.platform === 'linux';

/** For the modules that are compiled while code-server is installed. */
const TO_BUILD = [
  program(['python3'], ['python3']),
  program(['make'], ['make']),
  program(['g++'], ['g++']),
  {
    what: 'the headers of Kerberos',
    isThere: () => !isLinux || existsSync('/usr/include/gssapi/gssapi.h'),
    debianPackages: ['libkrb5-dev'],
  },
];

/** Without fonts Chromium draws nothing that the user could read. The sample has Japanese in it. */
const TO_DRAW = {
  what: 'the browser "chromium"',
  isThere: () => findBrowser() !== undefined,
  debianPackages: ['chromium', 'fonts-dejavu-core', 'fonts-liberation', 'fonts-vlgothic'],
};

/** Text that names what is installed. `patient`: without the time limits of a save. */
const stampOf = ({ versions: { codeServer, node } }) => `${codeServer} ${node} patient`;
const stampFileOf = ({ folder }) => join(folder, '.ok');

const isInstalled = (editor) =>
  existsSync(stampFileOf(editor)) && readFileSync(stampFileOf(editor), 'utf8').trim() === stampOf(editor);

/**
 * Sees to the chosen editor, and to a browser where one will be needed. Does nothing where it is all there.
 * @param {{ browser: boolean }} needs
 */
export async function ensureHost({ browser }) {
  const editor = chosenEditor();
  const isThere = isInstalled(editor);
  await ensureOnSystem([...(isThere ? [] : TO_BUILD), ...(browser ? [TO_DRAW] : [])]);
  if (isThere) return;
  const { vscodeVersion, versions, nodePackage, folder } = editor;
  process.stderr.write(
    `Installing an editor (VS Code ${vscodeVersion} that a browser shows) into .vscode-test: once, ${versions.size}.\n`,
  );
  const what = `${nodePackage} ${versions.node} and code-server ${versions.codeServer}`;
  await step(what, () => install(editor), folder);
}

/**
 * VS Code saves without an extension that takes longer than 1.5 s over its part, and leaves it out after three times. On the
 * user's machine that is much; here three runs of tests share two processors.
 */
const SAVE_LIMITS = [
  {
    file: 'vs/workbench/api/node/extensionHostProcess.js',
    limit: /timeout:1500,errors:3\b/g,
    instead: () => 'timeout:60000,errors:1000',
  },
  {
    file: 'vs/code/browser/workbench/workbench.js',
    limit: /,1750(\),this\.\w+\.\$participateInSave\()/g,
    instead: (_, call) => `,60000${call}`,
  },
];

function liftSaveLimits({ codeFolder, versions }) {
  for (const { file, limit, instead } of SAVE_LIMITS) {
    const path = join(codeFolder, 'out', file);
    const code = readFileSync(path, 'utf8');
    if (code.search(limit) === -1)
      throw new SetupFailure(
        `code-server ${versions.codeServer} has its time limit of a save elsewhere than in ${file}.`,
      );
    writeFileSync(path, code.replaceAll(limit, instead));
  }
}

/** Most tries of an installation. */
const MOST_TRIES = 3;

/**
 * Now and then npm 11 leaves a package's program that another one's install script needs without its executable bit,
 * and then fails again in the rest of the folder: it is started again from nothing.
 */
async function install(editor) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await installOnce(editor);
    } catch (error) {
      if (!(error instanceof SetupFailure) || tries === MOST_TRIES) throw error;
      process.stderr.write(`\n${error.message}\nOnce more … `);
    }
  }
}

async function installOnce(editor) {
  const { name, folder, node, server, versions } = editor;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await (name === 'oldest' ? installOldest(editor) : installNewest(editor));
  const ask = [server, '--config', join(folder, 'config.yaml'), '--version'];
  const { stdout, stderr } = spawnSync(node, ask, { encoding: 'utf8' });
  if (!stdout?.split('\n').some((line) => line.startsWith(`${versions.codeServer} `)))
    throw new SetupFailure(`The installed code-server does not run: ${stdout}${stderr}`);
  liftSaveLimits(editor);
  writeFileSync(stampFileOf(editor), stampOf(editor));
}
