import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

const SRC = resolve(__dirname, '../../../src');

type Graph = ReadonlyMap<string, readonly string[]>;

/** The files of src/ with those that each imports, types too. */
function readGraph(): Graph {
  const names = readdirSync(SRC, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => name.endsWith('.ts')).map((name) => join(SRC, name));
  return new Map(files.map((file) => [file, importsOf(file)]));
}

function importsOf(file: string): string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'), true, true);
  const own = importedFiles.filter(({ fileName }) => fileName.startsWith('.'));
  return own.map(({ fileName }) => `${resolve(dirname(file), fileName)}.ts`);
}

/** The files of the first circle that is found, from a file back to itself; null: there is none. */
function findCircle(graph: Graph): readonly string[] | null {
  const isDone = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): readonly string[] | null => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (isDone.has(file)) return null;
    path.push(file);
    for (const next of graph.get(file) ?? []) {
      const circle = visit(next);
      if (circle !== null) return circle;
    }
    path.pop();
    isDone.add(file);
    return null;
  };
  for (const file of graph.keys()) {
    const circle = visit(file);
    if (circle !== null) return circle;
  }
  return null;
}

describe('The imports of src/', () => {
  it('form no circle', () => {
    const circle = findCircle(readGraph());
    assert.equal(circle?.map((file) => relative(SRC, file)).join(' > '), undefined);
  });

  it('are checked: a circle is found', () => {
    const graph = new Map([
      ['a', ['b']],
      ['b', ['c', 'd']],
      ['c', []],
      ['d', ['b']],
    ]);
    assert.deepEqual(findCircle(graph), ['b', 'd', 'b']);
  });
});
