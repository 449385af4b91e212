// The editors of the tests: VS Code as the npm registry has it (code-server), each with a Node on which it loads. A code-server
// 4.X.Y is VS Code 1.X.Y.
import { join } from 'node:path';
import { ROOT, SetupFailure } from '../setup.mjs';

const NODE_PACKAGE = `node-${process.platform}-${process.arch}`;

/** Versions that belong together. `oldest` is the lowest VS Code that package.json promises, with the Node of its desktop. */
const VERSIONS = {
  newest: { codeServer: '4.139.1', node: '24.21.0', folder: 'host', size: 'some 800 MB, two minutes' },
  oldest: { codeServer: '4.100.3', node: '20.19.0', folder: 'host-oldest', size: 'some 500 MB, a minute' },
};

/** The editor with this name. Its `folder` is where it is installed; `node` runs `server`. */
export function editorNamed(name) {
  const versions = VERSIONS[name];
  if (versions === undefined)
    throw new SetupFailure(`There is no editor "${name}", only ${Object.keys(VERSIONS).join(' and ')}.`);
  const folder = join(ROOT, '.vscode-test', versions.folder);
  const nodeFolder = join(folder, 'node_modules', NODE_PACKAGE);
  const serverFolder = join(folder, 'node_modules', 'code-server');
  return {
    name,
    versions,
    vscodeVersion: versions.codeServer.replace(/^4/, '1'),
    nodePackage: NODE_PACKAGE,
    folder,
    nodeFolder,
    codeFolder: join(serverFolder, 'lib', 'vscode'),
    node: join(nodeFolder, 'bin', 'node'),
    server: join(serverFolder, 'out', 'node', 'entry.js'),
  };
}

/** The editor that TEST_QUEUE_EDITOR names: `oldest` or, by default, `newest`. */
export const chosenEditor = () => editorNamed(process.env.TEST_QUEUE_EDITOR ?? 'newest');
