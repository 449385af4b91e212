// One measurement in a process of its own: loads a module in a stub of the editor and, for the extension, activates it on a
// folder and waits until its state is known; with "use", then edits the queue file and types in it.
// Prints milliseconds as JSON.
//   node scripts/bench/loadOnce.cjs FILE [FOLDER [use]]
const { once, EventEmitter: Emitter } = require('node:events');
const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const Module = require('node:module');
const { performance } = require('node:perf_hooks');
const { setTimeout: sleep } = require('node:timers/promises');

const [file, folder, use] = process.argv.slice(2);

/** Number of edits of the file, and of key presses. */
const TIMES = 7;

/** Pause before each edit: VS Code draws a tree at most every 200 ms, and so does the extension. */
const APART_MS = 300;

// The extension host of VS Code has them before it loads an extension.
for (const name of ['assert', 'child_process', 'crypto', 'fs/promises', 'net', 'os', 'stream', 'util'])
  require(name);

/** Stub that has every member and does nothing. */
const anything = new Proxy(function () {}, {
  get: (_, name) => {
    if (name === Symbol.toPrimitive) return () => '';
    if (name === Symbol.iterator) return function* () {};
    return name === 'then' ? undefined : anything;
  },
  set: () => true,
  apply: () => anything,
  construct: () => anything,
});

/** By its prototype: a bundle copies what a module has of its own. */
const having = (parts) => Object.create(anything, Object.getOwnPropertyDescriptors(parts));

class EventEmitter {
  #listeners = [];
  event = (listener) => {
    this.#listeners.push(listener);
    return anything;
  };
  fire(value) {
    for (const listener of this.#listeners) listener(value);
  }
}

/** Objects that the extension gave the editor. */
let tree;
let lenses;
const typing = new EventEmitter();
let activated;
const times = {};
const known = new Emitter();

/** The extension reports the state to its menus as soon as it has read the queue. */
function executeCommand(command, key, value) {
  if (command !== 'setContext' || key !== 'claudeQueue.state') return;
  if (value !== 'ready') throw new Error(`The queue of ${folder} could not be read: ${value}`);
  known.emit('ready');
}

const NEVER_CANCELLED = { isCancellationRequested: false, onCancellationRequested: () => anything };

const queueFile = folder === undefined ? '' : join(folder, 'claude_queue', 'prompts.csv');
const uri = { scheme: 'file', fsPath: queueFile, path: queueFile, toString: () => `file://${queueFile}` };
let text = '';
const document = { uri, version: 1, lineCount: 1_000, getText: () => text, isDirty: true, isClosed: false };

/** Item of a tree: it keeps what it is given. */
class TreeItem {
  constructor(label) {
    this.label = label;
  }
}

const vscode = having({
  EventEmitter,
  TreeItem,
  commands: having({ executeCommand }),
  window: having({
    visibleTextEditors:
      use === undefined ? [] : [{ document, visibleRanges: [{ start: { line: 0 }, end: { line: 40 } }] }],
    createTreeView: (_, { treeDataProvider }) => {
      tree = treeDataProvider;
      return having({ visible: true });
    },
  }),
  languages: having({
    registerCodeLensProvider: ({ pattern }, provider) => {
      if (pattern === '**/*.csv') lenses = provider;
      return anything;
    },
  }),
  workspace: having({
    isTrusted: true,
    workspaceFolders: [{ uri: { scheme: 'file', fsPath: folder } }],
    textDocuments: use === undefined ? [] : [document],
    onDidChangeTextDocument: typing.event,
    getConfiguration: () => ({ get: () => undefined }),
  }),
});

const load = Module._load;
Module._load = (request, ...rest) => (request === 'vscode' ? vscode : load(request, ...rest));

/** Whether a row of the tree has these words. */
async function isShown(words) {
  for (const root of await tree.getChildren()) {
    const items = await Promise.all((await tree.getChildren(root)).map((node) => tree.getTreeItem(node)));
    if (items.some(({ description }) => description?.includes(words))) return true;
  }
  return false;
}

/** Measures the time from a save by another program until the tree shows it: task 6 is next, so its row is among those shown. */
async function editByHand(turn) {
  const words = `Edited in turn ${turn}`;
  text = readFileSync(queueFile, 'utf8').replace(/(\n6,[^,]*,[^,]*,)[^,]*/, `$1${words}`);
  await sleep(APART_MS);
  const change = new Promise((resolve) => tree.onDidChangeTreeData(resolve));
  const startedMs = performance.now();
  writeFileSync(queueFile, text);
  await change;
  if (!(await isShown(words))) throw new Error(`The tree does not show "${words}".`);
  return performance.now() - startedMs;
}

/** Measures the time from a key until the extension is done with it: until then it answers nothing else. */
async function typeKey(turn) {
  text = text.replace(/(\n5,[^,]*,[^,]*,.)/, `$1${turn}`);
  const startedMs = performance.now();
  document.version += 1;
  typing.fire({ document, contentChanges: [{}] });
  await lenses.provideCodeLenses(document, NEVER_CANCELLED);
  return performance.now() - startedMs;
}

async function main() {
  const startedMs = performance.now();
  const { activate } = require(file);
  times.load = performance.now() - startedMs;
  if (folder === undefined) return;
  text = readFileSync(queueFile, 'utf8');
  activated = performance.now();
  const ready = once(known, 'ready');
  const storage = { fsPath: folder };
  const folders = { extensionPath: folder, storageUri: storage, globalStorageUri: storage };
  activate(having({ ...folders, subscriptions: [] }));
  await ready;
  times.known = performance.now() - activated;
  if (use === undefined) return;
  for (const [name, act] of [
    ['edits', editByHand],
    ['keys', typeKey],
  ]) {
    times[name] = [];
    for (let turn = 0; turn < TIMES; turn++) times[name].push(await act(turn));
  }
}

main().then(
  () => process.stdout.write(JSON.stringify(times), () => process.exit()),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
