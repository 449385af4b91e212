// A tree of 500 rows, as many as a group of tasks has. The text of the first is what was last received on a socket: what
// VS Code itself takes to draw a change. The name of a measurement is answered with its result instead, as a line of JSON.
const { rmSync } = require('node:fs');
const { Session } = require('node:inspector/promises');
const { createServer } = require('node:net');
const { setTimeout: sleep } = require('node:timers/promises');
const { commands, EventEmitter, TreeItem, window, workspace } = require('vscode');

const REST = Array.from({ length: 499 }, (_, index) => `Row ${index + 2}`);

/** Microseconds between two samples of a profile. */
const SAMPLED_EVERY = 100;

const OURS = 'claude-task-queue.claude-task-queue';
/** Milliseconds between two looks at a report. */
const LOOK_MS = 100;

const session = new Session();
session.connect();

/** Measurements of this extension host, and of what VS Code notes about it. */
const MEASUREMENTS = {
  processorTime: async () => process.cpuUsage(),
  // VS Code writes its report some seconds after the start.
  startUp: async () => {
    await commands.executeCommand('perfview.show');
    for (;;) {
      const report = workspace.textDocuments.find(({ uri }) => uri.scheme === 'perf')?.getText() ?? '';
      if (report.includes(OURS)) return report;
      await sleep(LOOK_MS);
    }
  },
  startProfile: async () => {
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: SAMPLED_EVERY });
    await session.post('Profiler.start');
  },
  stopProfile: async () => (await session.post('Profiler.stop')).profile,
};

exports.activate = ({ subscriptions }) => {
  let first = 'Probe is ready';
  const changed = new EventEmitter();
  const treeDataProvider = {
    getChildren: (node) => (node === undefined ? [first, ...REST] : []),
    getTreeItem: (node) => new TreeItem(node),
    onDidChangeTreeData: changed.event,
  };
  const server = createServer((socket) =>
    socket.setEncoding('utf8').on('data', (words) => {
      if (words in MEASUREMENTS) {
        const measured = MEASUREMENTS[words]();
        measured.then(
          (result) => socket.end(`${JSON.stringify(result ?? null)}\n`),
          () => socket.destroy(),
        );
        return;
      }
      first = words;
      changed.fire();
    }),
  );
  // That of a window that was loaded before.
  rmSync(process.env.BENCH_PROBE_SOCKET, { force: true });
  server.listen(process.env.BENCH_PROBE_SOCKET);
  subscriptions.push(window.createTreeView('benchProbe.rows', { treeDataProvider }), {
    dispose: () => server.close(),
  });
};
