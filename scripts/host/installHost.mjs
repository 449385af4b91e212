// VS Code for machines without a desktop: code-server from the npm registry, which is VS Code's own server, workbench and
// extension host. It needs a Node of its own, which comes from the registry too. All of it lies in .vscode-test/host.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ROOT, SetupFailure, ensureOnSystem, findProgram, program, runBeside, step } from '../setup.mjs';

/** Versions that belong together: code-server 4.139.1 is VS Code 1.139.1 and loads on Node 24 only. */
const CODE_SERVER = '4.139.1';
const NODE = '24.21.0';

const HOST = join(ROOT, '.vscode-test', 'host');
const STAMP = join(HOST, '.ok');
const NODE_PACKAGE = `node-${process.platform}-${process.arch}`;

/** The Node that the host runs on, and the program it runs. */
export const HOST_NODE = join(HOST, 'node_modules', NODE_PACKAGE, 'bin', 'node');
export const HOST_SERVER = join(HOST, 'node_modules', 'code-server', 'out', 'node', 'entry.js');

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

/**
 * Sees to the host, and to a browser where one will be needed. Does nothing where it is all there.
 * @param {{ browser: boolean }} needs
 */
export async function ensureHost({ browser }) {
  const isInstalled = existsSync(STAMP) && readFileSync(STAMP, 'utf8').trim() === stamp();
  await ensureOnSystem([...(isInstalled ? [] : TO_BUILD), ...(browser ? [TO_DRAW] : [])]);
  if (isInstalled) return;
  process.stderr.write(
    'Installing an editor (VS Code that a browser shows) into .vscode-test: once, some 800 MB, two minutes.\n',
  );
  await step(`${NODE_PACKAGE} ${NODE} and code-server ${CODE_SERVER}`, install, HOST);
}

const stamp = () => `${CODE_SERVER} ${NODE} patient`;

/**
 * VS Code saves without an extension that takes longer than 1.5 s over its part, and leaves it out after three times. On the
 * user's machine that is much; here three runs of tests share two processors.
 */
const SAVE_LIMITS = [
  {
    file: 'vs/workbench/api/node/extensionHostProcess.js',
    limit: /timeout:1500,errors:3\b/g,
    instead: 'timeout:60000,errors:1000',
  },
  {
    file: 'vs/code/browser/workbench/workbench.js',
    limit: /,1750\),this\._proxy\.\$participateInSave\(/g,
    instead: ',60000),this._proxy.$participateInSave(',
  },
];

function liftSaveLimits() {
  for (const { file, limit, instead } of SAVE_LIMITS) {
    const path = join(HOST, 'node_modules', 'code-server', 'lib', 'vscode', 'out', file);
    const code = readFileSync(path, 'utf8');
    if (code.search(limit) === -1)
      throw new SetupFailure(
        `code-server ${CODE_SERVER} has its time limit of a save elsewhere than in ${file}.`,
      );
    writeFileSync(
      path,
      code.replaceAll(limit, () => instead),
    );
  }
}

/** Most tries of an installation. */
const MOST_TRIES = 3;

/**
 * Now and then npm 11 leaves a package's program that another one's install script needs without its executable bit,
 * and then fails again in the rest of the folder: it is started again from nothing.
 */
async function install() {
  for (let tries = 1; ; tries += 1) {
    try {
      return await installOnce();
    } catch (error) {
      if (!(error instanceof SetupFailure) || tries === MOST_TRIES) throw error;
      process.stderr.write(`\n${error.message}\nOnce more … `);
    }
  }
}

async function installOnce() {
  rmSync(HOST, { recursive: true, force: true });
  mkdirSync(HOST, { recursive: true });
  // npm runs install scripts of the packages that are named here, and soon of no others.
  const manifest = { private: true, allowScripts: { 'code-server': true, argon2: true } };
  writeFileSync(join(HOST, 'package.json'), JSON.stringify(manifest));
  await npmInstall(['--ignore-scripts', `${NODE_PACKAGE}@${NODE}`], process.env);
  // code-server is compiled by that Node, against its headers, whatever the user's npm is set to.
  const nodeFolder = join(HOST, 'node_modules', NODE_PACKAGE);
  await npmInstall([`code-server@${CODE_SERVER}`], {
    ...process.env,
    PATH: [join(nodeFolder, 'bin'), process.env.PATH].join(delimiter),
    npm_config_nodedir: nodeFolder,
    npm_package_config_node_gyp_nodedir: nodeFolder,
  });
  const ask = [HOST_SERVER, '--config', join(HOST, 'config.yaml'), '--version'];
  const { stdout, stderr } = spawnSync(HOST_NODE, ask, { encoding: 'utf8' });
  if (!stdout?.split('\n').some((line) => line.startsWith(`${CODE_SERVER} `)))
    throw new SetupFailure(`The installed code-server does not run: ${stdout}${stderr}`);
  liftSaveLimits();
  writeFileSync(STAMP, stamp());
}

async function npmInstall(args, environment) {
  const env = { ...environment };
  // Set by the npm that runs this script, on another Node: code-server would take that one for its own.
  delete env.npm_config_user_agent;
  const { status, output, error } = await runBeside(
    'npm',
    ['install', '--loglevel=error', '--no-audit', '--no-fund', '--save-exact', ...args],
    { cwd: HOST, env, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  if (status === 0) return;
  const said = output.trim().split('\n').slice(-40).join('\n');
  throw new SetupFailure(
    `npm could not install ${args.at(-1)} into ${HOST} (exit ${status ?? error?.message}):\n${said}`,
  );
}
