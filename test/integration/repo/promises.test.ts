import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const ROOT = resolve(__dirname, '../../..');
const read = (name: string): string => readFileSync(resolve(ROOT, name), 'utf8');

/** A promise with the tests that show it, as docs/promises.md lists them. */
interface Shown {
  readonly promise: string;
  readonly tests: readonly { readonly name: string; readonly file: string }[];
}

/** One section a promise: its heading is the promise, each list item `- name (file)` is a test. */
function readPage(): readonly Shown[] {
  return read('docs/promises.md')
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [promise = '', ...lines] = section.split('\n');
      const tests = lines.flatMap((line) => {
        const [, name, file] = /^- (.+) \(`(test\/[^`]+)`\)$/.exec(line) ?? [];
        return name === undefined || file === undefined ? [] : [{ name, file }];
      });
      return { promise: promise.trim(), tests };
    });
}

/** The list items of the README's section, without their line breaks. */
function readPromises(): readonly string[] {
  const section = /^## What it promises\n([\s\S]*?)^## /m.exec(read('README.md'))?.[1] ?? '';
  return section
    .split(/^- /m)
    .slice(1)
    .map((item) => (item.split('\n\n')[0] ?? '').replaceAll(/\s+/g, ' ').trim());
}

/** Whether the file has a test of this name, written out as one literal. */
function hasTest({ name, file }: Shown['tests'][number]): boolean {
  const source = read(file).replaceAll(/\\(['"`])/g, '$1');
  return [`it('${name}'`, `it("${name}"`, `it(\`${name}\``].some((call) =>
    source.replaceAll(/\bit\(\s+/g, 'it(').includes(call),
  );
}

describe('docs/promises.md', () => {
  it('has each promise of the README, in its words and its order', () => {
    const promises = readPromises();
    assert.ok(promises.length >= 10, `the README has ${promises.length} promises`);
    assert.deepEqual(
      readPage().map(({ promise }) => promise),
      promises,
    );
  });

  it('names only tests that every `npm test` runs', () => {
    const files = readPage().flatMap(({ tests }) => tests.map(({ file }) => file));
    assert.deepEqual(
      files.filter((file) => file.endsWith('.slow.test.ts')),
      [],
    );
  });

  for (const { promise, tests } of readPage()) {
    it(`names tests that exist for: ${promise}`, () => {
      assert.ok(tests.length > 0, 'no test is named');
      assert.deepEqual(
        tests.filter((test) => !hasTest(test)),
        [],
      );
    });
  }
});
