// A tree of 500 rows, as many as a group of tasks has. The text of the first is what was last received on a socket: what
// VS Code itself takes to draw a change.
const { createServer } = require('node:net');
const { EventEmitter, TreeItem, window } = require('vscode');

const REST = Array.from({ length: 499 }, (_, index) => `Row ${index + 2}`);

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
      first = words;
      changed.fire();
    }),
  );
  server.listen(process.env.BENCH_PROBE_SOCKET);
  subscriptions.push(window.createTreeView('benchProbe.rows', { treeDataProvider }), {
    dispose: () => server.close(),
  });
};
