import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { packExtension, packExtensionFor } from '../../support/machine/packaging';
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
  'extension/dist/metrics.js',
  'extension/dist/redis.js',
  'extension/dist/rest.js',
  'extension/dist/watchdog.js',
  'extension/dist/yaml.js',
  'extension/l10n/bundle.l10n.ja.json',
  'extension/l10n/bundle.l10n.ru.json',
  'extension/media/attempt/page.css',
  'extension/media/attempt/page.js',
  'extension/media/charts.js',
  'extension/media/icon.png',
  'extension/media/icon.svg',
  'extension/media/taskForm.css',
  'extension/media/taskForm.js',
  'extension/media/walkthrough/check.md',
  'extension/media/walkthrough/check.nls.ja.md',
  'extension/media/walkthrough/check.nls.ru.md',
  'extension/media/walkthrough/queue.md',
  'extension/media/walkthrough/queue.nls.ja.md',
  'extension/media/walkthrough/queue.nls.ru.md',
  'extension/media/walkthrough/start.md',
  'extension/media/walkthrough/start.nls.ja.md',
  'extension/media/walkthrough/start.nls.ru.md',
  'extension/media/walkthrough/tasks.md',
  'extension/media/walkthrough/tasks.nls.ja.md',
  'extension/media/walkthrough/tasks.nls.ru.md',
  'extension/package.json',
  'extension/package.nls.ja.json',
  'extension/package.nls.json',
  'extension/package.nls.ru.json',
  'extension/readme.md',
];

/** Without a public address only. */
const PICTURES = ['extension/media/queue.gif', 'extension/media/start.png'];

/** A tenth of it are the translations. */
const LIMIT_BYTES = 1185 * 1024;
const PICTURES_LIMIT_BYTES = 320 * 1024;

const linksOf = (page: string): string[] =>
  [...page.matchAll(/\]\(([^)#][^)]*)\)/g)].map(([, link = '']) => link);
const picturesOf = (page: string): string[] =>
  [...page.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, link = '']) => link);

/** Packages that a program imports. */
const BUNDLED = [
  'commander',
  'croner',
  'ioredis',
  'markdown-it',
  'prom-client',
  'proper-lockfile',
  'uplot',
  'yaml',
];

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
    assert.deepEqual([...files.keys()].sort(), [...SHIPPED, ...PICTURES].sort());
  });

  it('has a limited size', () => {
    const { size } = statSync(packed.file);
    assert.ok(size < LIMIT_BYTES + PICTURES_LIMIT_BYTES, `${String(size)} bytes`);
  });

  it('has the same programs as the tests', () => {
    for (const name of [
      'dist/cli.js',
      'dist/extension.js',
      'dist/engine.js',
      'dist/rest.js',
      'dist/yaml.js',
      'dist/redis.js',
      'dist/metrics.js',
      'dist/markdown.js',
      'dist/charts.js',
      'dist/watchdog.js',
      'package.json',
    ])
      assert.ok(files.get(`extension/${name}`)?.equals(read(name)), name);
  });

  it('has the pictures of its page, while there is no public address', () => {
    const page = textOf('readme.md');
    assert.equal(page, read('README.md').toString());
    assert.deepEqual(
      picturesOf(page).map((name) => `extension/${name}`),
      PICTURES,
    );
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
    for (const name of ['cli', 'engine', 'extension', 'rest'])
      assert.doesNotMatch(textOf(`dist/${name}.js`), /playwright|mocha\/(?:bin|lib)|fast-check/, name);
  });

  it('starts without parts of Node that take long to load and are used later', () => {
    assert.doesNotMatch(textOf('dist/extension.js'), /=(?:\w+\()?require\("node:(?:crypto|child_process)"\)/);
  });

  it('has later parts of a window in other files than those that every window loads', () => {
    const holders = (text: string): string[] =>
      ['extension', 'engine', 'rest', 'yaml', 'markdown'].filter((name) =>
        textOf(`dist/${name}.js`).includes(text),
      );
    assert.deepEqual(holders('YAMLParseError'), ['yaml']);
    // An error code of proper-lockfile.
    assert.deepEqual(holders('ECOMPROMISED'), ['engine']);
    // Only for who adds a task in the form.
    assert.deepEqual(holders('Approved, because you write it here'), ['rest']);
    // A rule of markdown-it.
    assert.deepEqual(holders('html_block'), ['markdown']);
  });
});

describe('The extension, packed for a marketplace', () => {
  const ADDRESS = 'https://github.com/somebody/claude-task-queue';
  let packed: Package;
  let files: ReadonlyMap<string, Buffer>;

  before(() => {
    packed = packExtensionFor(ADDRESS);
    files = readZip(readFileSync(packed.file));
  });

  after(() => {
    rmSync(packed.folder, { recursive: true, force: true });
  });

  const textOf = (name: string): string => files.get(name)?.toString() ?? '';
  const property = (id: string): string | undefined =>
    new RegExp(`<Property Id="Microsoft\\.VisualStudio\\.${id}" Value="([^"]*)"`).exec(
      textOf('extension.vsixmanifest'),
    )?.[1];
  const element = (name: string): string | undefined =>
    new RegExp(`<${name}[^>]*>([^<]*)</${name}>`).exec(textOf('extension.vsixmanifest'))?.[1];

  it('is packed without a warning, from the address alone', () => {
    assert.doesNotMatch(packed.output, /WARNING|ERROR/);
  });

  it('has the same files, but no pictures of its page, and is smaller', () => {
    assert.deepEqual([...files.keys()].sort(), SHIPPED);
    assert.ok(statSync(packed.file).size < LIMIT_BYTES, `${String(statSync(packed.file).size)} bytes`);
  });

  for (const name of ['readme.md', 'changelog.md'])
    it(`has only https links in ${name}, each to a file that exists`, () => {
      const links = linksOf(textOf(`extension/${name}`));
      const own = links.filter((link) => link.startsWith(ADDRESS));
      assert.deepEqual(
        links.filter((link) => !link.startsWith('https://')),
        [],
      );
      assert.ok(own.length > 0);
      for (const link of own) {
        const [, path = ''] = /\/(?:raw|blob)\/HEAD\/([^#]+)/.exec(link) ?? [];
        assert.ok(path !== '' && existsSync(resolve(ROOT, path)), link);
      }
    });

  it('has the pictures of its page at the address, none of them a drawing', () => {
    const page = textOf('extension/readme.md');
    assert.deepEqual(
      picturesOf(page),
      PICTURES.map((name) => name.replace('extension', `${ADDRESS}/raw/HEAD`)),
    );
    assert.doesNotMatch(page, /\.svg|<svg|<img/);
  });

  it('leads to its sources, to the place for problems, and to no other place for questions', () => {
    assert.equal(property('Services\\.Links\\.Source'), `${ADDRESS}.git`);
    assert.equal(property('Services\\.Links\\.Support'), `${ADDRESS}/issues`);
    assert.equal(property('Services\\.EnableMarketplaceQnA'), 'false');
  });

  it('has what a marketplace shows: icon, banner, licence, price and that it is a preview', () => {
    assert.equal(element('Icon'), 'extension/media/icon.png');
    assert.equal(element('License'), 'extension/LICENSE.txt');
    assert.equal(element('GalleryFlags'), 'Public Preview');
    assert.equal(property('Services\\.Branding\\.Color'), '#1f2430');
    assert.equal(property('Services\\.Branding\\.Theme'), 'dark');
    assert.equal(property('Services\\.Content\\.Pricing'), 'Free');
    assert.equal(property('Code\\.ExtensionKind'), 'workspace');
    assert.equal(property('Code\\.EnabledApiProposals') ?? '', '');
  });

  it('has known categories, and as many keywords as are allowed', () => {
    assert.equal(element('Categories'), 'AI,Other');
    const tags = (element('Tags') ?? '').split(',');
    assert.ok(tags.includes('claude code') && tags.length <= 30, tags.join());
  });

  it('has its name and what it is in the words of a user', () => {
    assert.equal(element('DisplayName'), 'Task Queue for Claude Code');
    assert.match(
      element('Description') ?? '',
      /^A truthful, safe queue of tasks .+ Not made by Anthropic\.$/,
    );
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
