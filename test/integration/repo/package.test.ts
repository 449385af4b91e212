import assert from 'node:assert/strict';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { packExtension } from '../../support/machine/packaging';
import type { Package } from '../../support/machine/packaging';
import { readZip } from '../../support/machine/zip';

const ROOT = resolve(__dirname, '../../..');
const read = (name: string): Buffer => readFileSync(resolve(ROOT, name));

const SHIPPED = [
  '[Content_Types].xml',
  'extension.vsixmanifest',
  'extension/LICENSE.txt',
  'extension/changelog.md',
  'extension/dist/NOTICES.txt',
  'extension/dist/charts.js',
  'extension/dist/cli.js',
  'extension/dist/engine.js',
  'extension/dist/extension.js',
  'extension/dist/markdown.js',
  'extension/dist/redis.js',
  'extension/dist/yaml.js',
  'extension/media/attempt/page.css',
  'extension/media/attempt/page.js',
  'extension/media/charts.js',
  'extension/media/icon.png',
  'extension/media/icon.svg',
  'extension/media/taskForm.css',
  'extension/media/taskForm.js',
  'extension/media/walkthrough/check.md',
  'extension/media/walkthrough/queue.md',
  'extension/media/walkthrough/start.md',
  'extension/media/walkthrough/tasks.md',
  'extension/package.json',
  'extension/readme.md',
];

const LIMIT_BYTES = 800 * 1024;

/** Packages that a program imports. */
const BUNDLED = ['commander', 'croner', 'ioredis', 'markdown-it', 'proper-lockfile', 'uplot', 'yaml'];

describe('The packed extension', () => {
  let packed: Package;
  let files: ReadonlyMap<string, Buffer>;

  before(() => {
    packed = packExtension();
    files = readZip(readFileSync(packed.file));
  });

  after(() => {
    rmSync(packed.folder, { recursive: true, force: true });
  });

  const textOf = (name: string): string => files.get(`extension/${name}`)?.toString() ?? '';

  it('is packed without a warning', () => {
    assert.match(packed.output, /DONE/);
    assert.doesNotMatch(packed.output, /WARNING|ERROR/);
  });

  it('has the programs, the docs and the licence, no sources and no source maps', () => {
    assert.deepEqual([...files.keys()].sort(), SHIPPED);
  });

  it('has a limited size', () => {
    assert.ok(statSync(packed.file).size < LIMIT_BYTES, `${String(statSync(packed.file).size)} bytes`);
  });

  it('has the same programs as the tests', () => {
    for (const name of [
      'dist/cli.js',
      'dist/extension.js',
      'dist/engine.js',
      'dist/yaml.js',
      'dist/redis.js',
      'dist/markdown.js',
      'dist/charts.js',
      'package.json',
    ])
      assert.ok(files.get(`extension/${name}`)?.equals(read(name)), name);
  });

  it('has a page without pictures that have no https address', () => {
    const page = textOf('readme.md');
    assert.match(page, /^# Task Queue for Claude Code\n/);
    assert.doesNotMatch(page, /!\[/);
  });

  it('has the licence of every package in it', () => {
    const notices = textOf('dist/NOTICES.txt');
    const { devDependencies } = JSON.parse(read('package.json').toString()) as {
      devDependencies: Readonly<Record<string, string>>;
    };
    for (const name of BUNDLED) {
      const notice = notices
        .split(/^-{80}$/m)
        .find((part) => part.includes(`\n${name} ${devDependencies[name] ?? ''}\n`));
      assert.match(notice ?? '', /Copyright/i, name);
    }
  });

  it('has nothing of the development packages', () => {
    for (const name of ['cli', 'engine', 'extension'])
      assert.doesNotMatch(textOf(`dist/${name}.js`), /playwright|mocha\/(?:bin|lib)|fast-check/, name);
  });

  it('has later parts of a window in other files than those that every window loads', () => {
    const holders = (text: string): string[] =>
      ['extension', 'engine', 'yaml', 'markdown'].filter((name) => textOf(`dist/${name}.js`).includes(text));
    assert.deepEqual(holders('YAMLParseError'), ['yaml']);
    // An error code of proper-lockfile.
    assert.deepEqual(holders('ECOMPROMISED'), ['engine']);
    // A rule of markdown-it.
    assert.deepEqual(holders('html_block'), ['markdown']);
  });
});

describe('The packager', () => {
  const { packages } = JSON.parse(read('scripts/vsce/package-lock.json').toString()) as {
    packages: Readonly<Record<string, { version?: string; resolved?: string; integrity?: string }>>;
  };
  const locked = Object.entries(packages).filter(([path]) => path !== '');

  it("is installed from the user's registry, each package by its version and checksum", () => {
    assert.ok(locked.length > 50);
    const loose = locked.filter(
      ([, { version, resolved, integrity }]) =>
        version === undefined || integrity === undefined || resolved !== undefined,
    );
    assert.deepEqual(
      loose.map(([path]) => path),
      [],
    );
  });
});
