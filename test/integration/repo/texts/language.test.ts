import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';
import { collectTexts } from '../../../../scripts/texts/collect';

const ROOT = resolve(__dirname, '../../../..');
const read = (file: string): string => readFileSync(resolve(ROOT, file), 'utf8');

/** Words and phrases that have a plainer form, as whole words. */
const PHRASES: readonly RegExp[] = [
  ...['mend', 'mends', 'mended', 'begun', 'so many', 'at work', 'a person', 'goes on', 'go on', 'whoever'],
  ...['put away', 'given up', 'for good', 'cannot be had', 'what is left of', 'stands in', 'stands at'],
  ...['itself broke down', 'runs begin', 'loaded anew', 'Rehearse Tonight'],
  ...['The settings are not right', 'Task in Hand', 'stretch of work was to end'],
].map((phrase) => new RegExp(`(?<![\\w-])${phrase}(?![\\w-])`, 'i'));

/** Names that the field calls otherwise. `owedRuns` is not among them: journals hold it. */
const OLD_NAMES = new RegExp(
  `\\b(?:${[
    ...[
      'QueueSite',
      'SiteOptions',
      'Desk',
      'QueueKeeper',
      'Crew',
      'CrewPlan',
      'Stretch',
      'Tally',
      'Insistence',
    ],
    ...[
      'PatientLook',
      'WorkerParts',
      'CheckParts',
      'Picture',
      'takePicture',
      'Lineup',
      'Board',
      'Bell',
      'Standstill',
    ],
    ...['EnlistedWorker', 'enlistWorker', 'Enlisting', 'whileEnlisted', 'Fold', 'FoldSchedule', 'FoldIntent'],
    ...[
      'Intake',
      'ingest',
      'Arrears',
      'TakenUp',
      'Sighting',
      'SpareCause',
      'spareName',
      'prepareSwap',
      'powerOf',
    ],
    ...[
      'powersOf',
      'POWER_COLUMNS',
      'describePowers',
      'PoweredRow',
      'ProofCheck',
      'Closure',
      'Barrier',
      'Trial',
    ],
    ...['Want', 'describeWant', 'FileSubject', 'Twins'],
  ].join('|')})\\b`,
);

/** Question words at the start of a comment. A noun or a verb says sooner what it is about. */
const RIDDLES =
  /^\s*(?:\/\*\*|\*|\/\/) (?:What|How|As (?:far|many|much|often)|Of|Who|Whom|Whose|Whoever|Whatever|Which|Why)\b/m;

/** Words that no identifier is or contains. */
const OLD_WORDS = /beg[ua]n|put_?away|(?:^g|G)oOn(?![a-z])/i;

/** Fields that keep such a word, each with the reason. A variable of that name is not allowed. */
const KEPT_FIELDS: ReadonlyMap<string, string> = new Map([
  ['begunAt', 'gate files of users hold it'],
  ['goOn', 'a value of the setting claudeQueue.whenLastWindowCloses'],
]);

/** Files in which an old word stays, each with the reason. */
const EXCEPTIONS: readonly (readonly [where: RegExp, why: string])[] = [
  [/^test\/integration\/repo\/texts\/language\.test\.ts$/, 'it names them'],
];

function findPhrases(where: string, text: string): string[] {
  if (EXCEPTIONS.some(([file]) => file.test(where))) return [];
  return PHRASES.filter((phrase) => phrase.test(text)).map((phrase) => `${where}: ${phrase.source}: ${text}`);
}

function listTracked(...paths: readonly string[]): string[] {
  const args = ['-c', 'safe.directory=*', 'ls-files', '-z', '--', ...paths];
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' })
    .split('\0')
    .filter((file) => file !== '' && existsSync(resolve(ROOT, file)));
}

/** The program's files, tests and scripts, without fixtures and those that must name old words. */
function listCode(): string[] {
  return listTracked('src', 'test', 'scripts').filter(
    (file) => /\.(?:ts|mts|mjs|cjs)$/.test(file) && !EXCEPTIONS.some(([where]) => where.test(file)),
  );
}

/** The comments of a file, each on one line. */
function commentsOf(file: string): string[] {
  const found = read(file).match(/^\s*\/\*\*[^]*?\*\/|(?:^\s*\/\/.*\n?)+|(?<=\s)\/\/ .*$/gm) ?? [];
  return found.map((comment) => comment.replaceAll(/\s*\n\s*(?:\*(?!\/)|\/\/)?\s*/g, ' ').trim());
}

/** Identifiers of a file that are or contain an old word, with their places. */
function findOldIdentifiers(file: string): string[] {
  const text = read(file);
  if (!OLD_WORDS.test(text)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if ((ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) && OLD_WORDS.test(node.text))
      if (!(KEPT_FIELDS.has(node.text) && isField(node)))
        found.push(
          `${file}:${String(source.getLineAndCharacterOfPosition(node.getStart()).line + 1)}: ${node.text}`,
        );
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Whether a name is that of a field: `a.name`, `{ name: 1 }` or `name: number` in a type. */
function isField(name: ts.Node): boolean {
  const { parent } = name;
  return (
    (ts.isPropertyAccessExpression(parent) ||
      ts.isPropertyAssignment(parent) ||
      ts.isPropertySignature(parent)) &&
    parent.name === name
  );
}

/** The titles of the tests in a file. */
function titlesOf(file: string): string[] {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const [title] = node.arguments;
      const isTest = ['describe', 'it', 'scenario'].includes(node.expression.text);
      if (isTest && title !== undefined && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title)))
        titles.push(title.getText());
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
}

describe('The language of the product', () => {
  before(function () {
    // A downloaded archive has no list of what is tracked.
    if (!existsSync(resolve(ROOT, '.git'))) this.skip();
  });

  it('has only plain words in what a user reads', () => {
    assert.deepEqual(
      collectTexts().flatMap(({ where, text }) => findPhrases(where, text)),
      [],
    );
  });

  it('has only plain words in the pages', () => {
    const [, newest = ''] = read('CHANGELOG.md').split(/^## /m);
    const pages = listTracked('README.md', 'docs/*.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md');
    const texts = [...pages.map((page) => [page, read(page)] as const), ['CHANGELOG.md', newest] as const];
    assert.deepEqual(
      texts.flatMap(([page, text]) => text.split('\n').flatMap((line) => findPhrases(page, line))),
      [],
    );
  });

  it('has only plain words in the names of the tests', () => {
    const files = listTracked('test').filter((file) => file.endsWith('.ts'));
    assert.deepEqual(
      files.flatMap((file) => titlesOf(file).flatMap((title) => findPhrases(file, title))),
      [],
    );
  });

  it('has only plain words in comments', () => {
    assert.deepEqual(
      listCode().flatMap((file) => commentsOf(file).flatMap((comment) => findPhrases(file, comment))),
      [],
    );
  });

  it('has no comment that begins with a question word', () => {
    assert.deepEqual(
      listCode().filter((file) => RIDDLES.test(read(file))),
      [],
    );
  });

  it('has no identifier with an old word', () => {
    assert.deepEqual(listCode().flatMap(findOldIdentifiers), []);
  });

  it('has none of the old names', () => {
    const files = listCode();
    assert.deepEqual(
      files.filter((file) => OLD_NAMES.test(read(file))),
      [],
    );
    assert.deepEqual(
      files.filter((file) => file.endsWith('Words.ts')),
      [],
    );
  });
});
