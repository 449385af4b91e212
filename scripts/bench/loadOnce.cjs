// One measurement in a process of its own: loads a module in a stub of the editor and, for the extension, activates it on a
// folder and waits until its state is known. Prints milliseconds as JSON.
//   node scripts/bench/loadOnce.cjs FILE [FOLDER]
const Module = require('node:module');
const { performance } = require('node:perf_hooks');

const [file, folder] = process.argv.slice(2);

/** Whatever the editor is asked for, it has, and nothing happens. */
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

let activated;
const times = {};

/** The extension tells its menus the state as soon as it has read the queue. */
function executeCommand(command, key, value) {
  if (command !== 'setContext' || key !== 'claudeQueue.state') return;
  if (value !== 'ready') throw new Error(`The queue of ${folder} could not be read: ${value}`);
  times.known = performance.now() - activated;
  process.stdout.write(JSON.stringify(times), () => process.exit());
}

const vscode = having({
  EventEmitter,
  commands: having({ executeCommand }),
  workspace: having({ isTrusted: true, workspaceFolders: [{ uri: { scheme: 'file', fsPath: folder } }] }),
});

const load = Module._load;
Module._load = (request, ...rest) => (request === 'vscode' ? vscode : load(request, ...rest));

const began = performance.now();
const { activate } = require(file);
times.load = performance.now() - began;
if (folder === undefined) process.stdout.write(JSON.stringify(times));
else {
  activated = performance.now();
  activate(having({ extensionPath: folder, subscriptions: [] }));
  times.activate = performance.now() - activated;
}
