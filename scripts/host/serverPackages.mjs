// Installs code-server and the Node that it runs on, from the npm registry.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { SetupFailure, runBeside } from '../setup.mjs';

/** Programs of ripgrep for every system. */
const RIPGREP = '@vscode/ripgrep-universal@1.18.0';

/** code-server's own script compiles and installs what else it needs. */
export async function installNewest(editor) {
  const { folder, nodePackage, versions } = editor;
  allowScripts(folder, ['code-server', 'argon2']);
  await npm(folder, ['install', '--ignore-scripts', '--save-exact', `${nodePackage}@${versions.node}`]);
  await npm(folder, ['install', '--save-exact', `code-server@${versions.codeServer}`], onOwnNode(editor));
}

/**
 * The script of a code-server of that time needs a ripgrep from elsewhere than the registry, so its steps are taken here: the
 * modules that the server loads at its start, and those behind terminals and logs, are compiled.
 */
export async function installOldest(editor) {
  const { folder, codeFolder, nodePackage, versions } = editor;
  const packages = [`${nodePackage}@${versions.node}`, `code-server@${versions.codeServer}`, RIPGREP];
  allowScripts(folder, ['argon2']);
  await npm(folder, ['install', '--ignore-scripts', '--save-exact', ...packages]);
  const env = onOwnNode(editor);
  await Promise.all([
    npm(folder, ['rebuild', 'argon2'], env),
    npm(codeFolder, ['install', '--ignore-scripts', '--omit=dev'], env).then(() =>
      npm(codeFolder, ['rebuild', 'node-pty', '@vscode/spdlog', 'native-watchdog'], env),
    ),
  ]);
  linkRipgrep(editor);
}

/** npm runs install scripts of the packages that are named here, and soon of no others. */
function allowScripts(folder, names) {
  const manifest = { private: true, allowScripts: Object.fromEntries(names.map((name) => [name, true])) };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
}

function linkRipgrep({ folder, codeFolder }) {
  const programs = join(folder, 'node_modules', '@vscode', 'ripgrep-universal', 'bin');
  const place = join(codeFolder, 'node_modules', '@vscode', 'ripgrep');
  mkdirSync(place, { recursive: true });
  symlinkSync(join(programs, `${process.platform}-${process.arch}`), join(place, 'bin'), 'dir');
}

/** code-server is compiled by its own Node, against its headers, whatever the user's npm is set to. */
const onOwnNode = ({ nodeFolder }) => ({
  PATH: [join(nodeFolder, 'bin'), process.env.PATH].join(delimiter),
  npm_config_nodedir: nodeFolder,
  npm_package_config_node_gyp_nodedir: nodeFolder,
  // A script of a module starts another package's program with npx.
  npm_config_yes: 'true',
});

async function npm(folder, args, more = {}) {
  const env = { ...process.env, ...more };
  // Set by the npm that runs this script, on another Node: code-server would take that one for its own.
  delete env.npm_config_user_agent;
  const { status, output, error } = await runBeside(
    'npm',
    [...args, '--loglevel=error', '--no-audit', '--no-fund'],
    { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  if (status === 0) return;
  const said = output.trim().split('\n').slice(-40).join('\n');
  throw new SetupFailure(
    `npm ${args.join(' ')} failed in ${folder} (exit ${status ?? error?.message}):\n${said}`,
  );
}
