// Measures waits of a user in the editor, in the stub of `loadOnce.cjs`: from a save by another program until the
// tree shows it, and the extension's time per key. Prints one JSON object.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { editorNode, rowOf, type BenchRow } from './files/measuring';
import { Workspace } from './files/workspace';

const EXTENSION = join(process.cwd(), 'dist', 'extension.js');
/** It is run in the checkout. */
const ONCE = join('scripts', 'bench', 'loadOnce.cjs');

interface Used {
  readonly edits: readonly number[];
  readonly keys: readonly number[];
}

/** A queue that a worker has worked on already: its journal knows every row. */
function use(size: number): Used {
  const place = new Workspace(size);
  try {
    place.run('work', '--max-tasks', '1');
    const args = [ONCE, EXTENSION, place.folder, 'use'];
    return JSON.parse(execFileSync(editorNode(), args, { env: place.env, encoding: 'utf8' })) as Used;
  } finally {
    place.remove();
  }
}

function measure(size: number): BenchRow[] {
  const { edits, keys } = use(size);
  const goal = size === 10_000 ? { goal: '≤ 100 ms' } : {};
  return [
    rowOf('a row edited by hand until the tree shows it', size, edits, goal),
    rowOf('a key in the queue file', size, keys),
  ];
}

console.log(JSON.stringify({ title: 'In the editor', rows: [1_000, 10_000].flatMap(measure) }));
