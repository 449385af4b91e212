import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { GENERATED, fillPage } from '../../../scripts/docs/tables';
import { MANIFEST } from '../../../scripts/texts/manifest';
import * as exitCodes from '../../../src/cli/exitCodes';
import { OUTCOMES } from '../../../src/domain/task/attempt';
import { SETTINGS } from '../../../src/domain/settings/settingList';
import { COLUMNS } from '../../../src/queue/row/columns';

const ROOT = resolve(__dirname, '../../..');
const PAGES = readdirSync(join(ROOT, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);

const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

/** The cells of the page's table whose first column has this title. */
function rowsOf(page: string, title: string): string[][] {
  const lines = read(page).split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${title} `));
  const rest = lines.slice(start + 2);
  const length = rest.findIndex((line) => !line.startsWith('|'));
  return rest.slice(0, length).map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));
}

const firstCells = (page: string, title: string): string[] =>
  rowsOf(page, title).map(([, cell = '']) => cell.replaceAll('`', ''));

const countWords = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;

/**
 * Returns the text that an author wrote: no generated parts, figures of the bench, names of tests or borders of
 * tables.
 */
function writtenText(page: string): string {
  const parts: Readonly<Record<string, RegExp>> = {
    'docs/performance.md': /^\|.*$/gm,
    'docs/promises.md': /^- .+\(`test\/.+`\)$/gm,
  };
  const border = /(?<=^|\s)(?:\||-{3,})(?=\s|$)/gm;
  return read(page)
    .replaceAll(GENERATED, '')
    .replaceAll(parts[page] ?? border, '')
    .replaceAll(border, '');
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('README.md', () => {
  it('has at most 900 words and 8 kB', () => {
    const text = read('README.md');
    assert.ok(countWords(text) <= 900, `${String(countWords(text))} words`);
    assert.ok(Buffer.byteLength(text) <= 8_000, `${String(Buffer.byteLength(text))} bytes`);
  });

  it('has, with docs/, fewer than 6,000 words that are not generated', () => {
    const words = countWords(['README.md', ...PAGES].map(writtenText).join('\n'));
    assert.ok(words < 6_000, `${String(words)} words`);
  });

  it('leads to every page of docs/', () => {
    const text = read('README.md');
    assert.deepEqual(
      PAGES.filter((page) => !text.includes(`](${page})`)),
      [],
    );
  });
});

for (const page of ['README.md', ...PAGES]) {
  describe(page, () => {
    it('has links only to files and headings that exist', () => {
      const broken = [...read(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].filter(
        ([, file = '', anchor]) => {
          const target = file === '' ? page : join(dirname(page), file);
          return (
            !existsSync(join(ROOT, target)) || (anchor !== undefined && !anchorsOf(target).includes(anchor))
          );
        },
      );
      assert.deepEqual(
        broken.map(([link]) => link),
        [],
      );
    });

    it('has its generated parts as npm run docs makes them', async () => {
      const file = join(ROOT, page);
      const made = await format(fillPage(read(page)), { ...(await resolveConfig(file)), filepath: file });
      assert.equal(read(page), made, 'run: npm run docs');
    });
  });
}

describe('The tables of docs/', () => {
  it('have every column of the queue file, in its order', () => {
    assert.deepEqual(firstCells('docs/queue-file.md', 'column'), [...COLUMNS]);
  });

  it('have every outcome of an attempt', () => {
    assert.deepEqual(firstCells('docs/rules.md', 'outcome').sort(), [...OUTCOMES].sort());
  });

  it('have every exit code', () => {
    // `run` alone has the code of a permanent failure.
    const all = Object.values(exitCodes).filter((code) => typeof code === 'number');
    const codes = [...all, 3].sort((a, b) => a - b);
    assert.deepEqual(firstCells('docs/commands.md', 'exit code').map(Number), codes);
  });

  it('have every command of the editor, and no other', () => {
    const titles = MANIFEST.contributes.commands
      .filter(({ command }) =>
        MANIFEST.contributes.menus.commandPalette.every((item) => item.command !== command),
      )
      .map(({ title }) => title);
    assert.deepEqual(
      firstCells('docs/commands.md', 'command')
        .flatMap((cell) => cell.split(', '))
        .sort(),
      titles.sort(),
    );
  });

  it('have only environment variables that the program reads', () => {
    const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => read(join('src', name)))
      .join('\n');
    const names = firstCells('docs/settings.md', 'variable').flatMap((cell) => cell.split(', '));
    assert.ok(names.length >= 4);
    assert.deepEqual(
      names.filter((name) => !sources.includes(name.replace('…', ''))),
      [],
    );
  });

  for (const { name, scope } of SETTINGS) {
    if (scope !== 'queue') continue;
    it(`have a rule that the setting ${name} belongs to`, () => {
      assert.ok(
        ['docs/rules.md', 'docs/limits-and-billing.md'].some((page) => read(page).includes(`\`${name}\``)),
      );
    });
  }
});

describe('ARCHITECTURE.md', () => {
  const text = read('ARCHITECTURE.md');

  it('has at most 8 kB', () => {
    assert.ok(Buffer.byteLength(text) <= 8_000, `${String(Buffer.byteLength(text))} bytes`);
  });

  it('names only files and folders that exist, from the root, from src/ or from a room', () => {
    const rooms = readdirSync(join(ROOT, 'src')).map((room) => join('src', room));
    const named = [...text.matchAll(/`([\w./]+\/[\w./]*)`/g)].map(([, path = '']) => path);
    const exists = (path: string): boolean =>
      ['', 'src', ...rooms].some((folder) =>
        ['', '.ts'].some((end) => existsSync(join(ROOT, folder, `${path}${end}`))),
      );
    assert.ok(named.length > 30);
    assert.deepEqual(
      named.filter((path) => !path.startsWith('state/') && path !== 'outputs/' && !exists(path)),
      [],
    );
  });
});
