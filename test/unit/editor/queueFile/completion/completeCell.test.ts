import assert from 'node:assert/strict';
import type { QueueViewModel } from '../../../../../src/app/viewModel/queueViewModel';
import { defaults } from '../../../../../src/domain/settings/settings';
import { PERMISSION_MODES, STATUSES } from '../../../../../src/domain/task/task';
import type { Candidate } from '../../../../../src/editor/queueFile/completion/candidate';
import { completeCell } from '../../../../../src/editor/queueFile/completion/completeCell';
import { insertInto } from '../../../../../src/editor/queueFile/completion/insertion';
import { QueueDocument } from '../../../../../src/editor/queueFile/document/queueDocument';
import { COLUMNS } from '../../../../../src/queue/row/columns';
import { paint, runByWorker } from '../../../../support/queue/viewModels';

const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  '': ['docs', 'a,b'],
  'docs/': ['api'],
};

const FILES: Readonly<Record<string, readonly string[]>> = { '': ['README.md'], 'docs/': ['task.md'] };

const listFolders = (folder: string): Promise<readonly string[]> => Promise.resolve(FOLDERS[folder] ?? []);
const listFiles = (folder: string): Promise<readonly string[]> => Promise.resolve(FILES[folder] ?? []);

/** Completes at `^` in a text. */
async function completeAt(marked: string, viewModel: QueueViewModel = paint([{}])) {
  const offset = marked.indexOf('^');
  const text = marked.replace('^', '');
  const lines = text.slice(0, offset).split('\n');
  const position = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
  const document = QueueDocument.parse(text);
  const found = document.cellAt(position);
  assert.ok(found !== undefined, marked);
  const { list, ...part } = await completeCell(document, found, position, {
    viewModel,
    listFolders,
    listFiles,
  });
  const insertionOf = (candidate: Candidate) => insertInto(document, found.cell, part, candidate);
  return {
    texts: list.map((candidate) => candidate.text),
    list,
    insertionOf,
    /** The text after this candidate was chosen. */
    choose: (wanted: string): string => {
      const candidate = list.find((one) => one.text === wanted);
      assert.ok(candidate !== undefined, `${wanted} is offered`);
      const { range, text: inserted, more } = insertionOf(candidate);
      assert.equal(range.start.line, range.end.line);
      const edits = [...more.map(({ at, text: added }) => ({ start: at, end: at, added }))];
      return applyEdits(text, [{ ...range, added: inserted }, ...edits]);
    },
  };
}

interface Edit {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
  readonly added: string;
}

function applyEdits(text: string, edits: readonly Edit[]): string {
  const lines = text.split('\n');
  const offsetOf = ({ line, character }: Edit['start']): number =>
    lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + character;
  const sorted = [...edits].sort((a, b) => offsetOf(b.start) - offsetOf(a.start));
  return sorted.reduce(
    (current, { start, end, added }) =>
      current.slice(0, offsetOf(start)) + added + current.slice(offsetOf(end)),
    text,
  );
}

const withColumn = (column: string, cell: string): string =>
  `id,working_dir,prompt,${column}\n1,.,Do,${cell}\n`;

describe('The completion of a cell', () => {
  it('are files and folders of the workspace in the column for prompt files', async () => {
    const at = (cell: string) => completeAt(`id,working_dir,prompt,prompt_file\n1,.,Do,${cell}^\n`);
    assert.deepEqual((await at('')).texts, ['docs/', 'a,b/', 'README.md']);
    const inDocs = await at('docs/');
    assert.deepEqual(inDocs.texts, ['docs/api/', 'docs/task.md']);
    assert.equal(inDocs.choose('docs/task.md').split('\n')[1], '1,.,Do,docs/task.md');
  });

  it('offers the words of its column', async () => {
    assert.deepEqual((await completeAt(withColumn('status', '^'))).texts, STATUSES);
    assert.deepEqual((await completeAt(withColumn('priority', 'h^'))).texts, [
      'critical',
      'high',
      'medium',
      'low',
    ]);
    assert.deepEqual((await completeAt(withColumn('repeat', '^'))).texts, ['yes', 'no']);
    assert.deepEqual((await completeAt(withColumn('prompt2', '^'))).texts, []);
    assert.deepEqual((await completeAt('id,working_dir,prompt\n1,.,Do^\n')).texts, []);
  });

  it('does not offer the word that is written already', async () => {
    assert.ok(!(await completeAt(withColumn('priority', 'high^'))).texts.includes('high'));
  });

  it('offers bypassPermissions only where it is allowed', async () => {
    const allowed = paint([{}], { settings: { ...defaults, allowBypass: true } });
    const text = withColumn('permission_mode', '^');
    const usable = PERMISSION_MODES.filter((mode) => mode !== 'bypassPermissions');
    assert.deepEqual((await completeAt(text)).texts, usable);
    assert.deepEqual((await completeAt(text, allowed)).texts, PERMISSION_MODES);
  });

  it('offers columns that the header lacks, required ones first', async () => {
    const { texts, list } = await completeAt('id,prompt,^\n');
    assert.equal(texts[0], 'working_dir');
    assert.equal(list[0]?.description, 'required');
    assert.deepEqual([...texts].sort(), COLUMNS.filter((name) => !['id', 'prompt'].includes(name)).sort());
  });

  it('adds an empty cell to each row for a new last column', async () => {
    const { choose } = await completeAt('id,working_dir,prompt,t^\n1,.,"Do\nit"\n2,.,Do\n3,.,Do,\n');
    assert.equal(choose('tags'), 'id,working_dir,prompt,tags\n1,.,"Do\nit",\n2,.,Do,\n3,.,Do,\n');
  });

  it('takes a tool with its parentheses as one, in other rows and at the cursor', async () => {
    const text =
      'id,working_dir,prompt,allowed_tools\n1,.,Do,Read|Bash(git log | head)\n2,.,Do,Bash(cat x | h^)\n';
    const { texts, choose } = await completeAt(text);
    assert.deepEqual(texts, ['Read', 'Bash(git log | head)']);
    assert.equal(choose('Read').split('\n')[2], '2,.,Do,Read');
  });

  it('offers models, users and tags that the file has', async () => {
    const text = 'id,working_dir,prompt,model,user,tags\n1,.,Do,fable,ken,a|b\n2,.,Do,,ken,a\n3,.,Do,';
    assert.deepEqual((await completeAt(`${text}^,,\n`)).texts, ['opus', 'sonnet', 'haiku', 'fable']);
    assert.deepEqual((await completeAt(`${text},^,\n`)).texts, ['ken']);
    assert.deepEqual((await completeAt(`${text},,c|^\n`)).texts, ['a', 'b']);
  });

  it('offers times in words, and what was typed if it is understood', async () => {
    const { list } = await completeAt(withColumn('scheduled_time', 'tomorrow 2am^'));
    assert.deepEqual(
      [list[0]?.label, list[0]?.text, list[0]?.description],
      ['tomorrow 2am', '2026-11-21 02:00', 'in 8 h'],
    );
    const { texts, choose } = await completeAt(withColumn('deadline', '^'));
    assert.ok(texts.includes('2026-11-21 09:00'));
    assert.equal(choose('2026-11-21 09:00'), withColumn('deadline', '2026-11-21 09:00'));
  });

  it('offers intervals, with the next time of cron expressions', async () => {
    const { list } = await completeAt(withColumn('repeat_interval', '^'));
    const weekdays = list.find(({ text }) => text === '0 9 * * 1-5');
    assert.deepEqual([weekdays?.detail, weekdays?.description], ['on weekdays at 09:00', '2026-11-23 09:00']);
  });

  it('offers folders of the folder that is written, and repositories', async () => {
    const repositories = new Map([['web', '/src/web']]);
    const here = paint([{}], { settings: { ...defaults, repositories } });
    const row = (cell: string): string => `id,prompt,working_dir,status\n1,Do,${cell},pending\n`;
    assert.deepEqual((await completeAt(row('^'), here)).texts, ['.', 'docs', 'a,b', 'repo:web']);
    assert.deepEqual((await completeAt(row('docs/^'))).texts, ['docs/api']);
  });

  it('puts quotes around a cell that needs them, and keeps those that are there', async () => {
    const row = (cell: string): string => `id,prompt,working_dir,status\n1,Do,${cell},pending\n`;
    const open = await completeAt(row('a^'));
    assert.equal(open.choose('a,b'), row('"a,b"'));
    const folder = open.list.find(({ text }) => text === 'a,b');
    assert.ok(folder !== undefined && open.insertionOf(folder).filter.startsWith('a'));
    assert.equal((await completeAt(row('"a^"'))).choose('a,b'), row('"a,b"'));
    assert.equal((await completeAt(row('"^"'))).choose('docs'), row('"docs"'));
    const check = (cell: string): string => `id,working_dir,prompt,verify\n1,.,Do,${cell}\n`;
    const quoted = '"[""npm"",""test""]"';
    assert.equal((await completeAt(check('^'))).choose('["npm","test"]'), check(quoted));
    assert.equal((await completeAt(check('"^"'))).choose('["npm","test"]'), check(quoted));
  });

  it('works with every delimiter', async () => {
    for (const delimiter of [',', ';', '\t']) {
      const write = (cell: string): string =>
        `id,working_dir,prompt,repeat_interval\n1,.,Do,${cell}\n`.replaceAll(',', delimiter);
      assert.equal((await completeAt(write('w^'))).choose('weekly'), write('weekly'));
      const both = '0 2 * * 6,0';
      const chosen = (await completeAt(write('^'))).choose(both);
      const [row] = QueueDocument.parse(chosen).rows;
      assert.equal(row?.cell('repeat_interval')?.text, both);
      assert.equal(row.cells.length, 4);
    }
  });
});

describe('The completion of dependencies', () => {
  const text = (...cells: readonly string[]): string =>
    [
      'id,working_dir,prompt,dependencies',
      ...cells.map((cell, i) => `${String(i + 1)},.,Do,${cell}`),
      '',
    ].join('\n');
  const tasks = paint([
    { fields: { prompt: 'First thing\nand more' } },
    { state: { status: 'completed' } },
    { fields: { dependencies: [1] } },
    runByWorker,
    { fields: { priority: 'critical' } },
  ]);

  it('offers running tasks, those next in line, then those that wait, and none that is over', async () => {
    const { list } = await completeAt(text('', '', '1', '', '', '^'), tasks);
    assert.deepEqual(
      list.map((one) => [one.text, one.description]),
      [
        ['4', 'running'],
        ['5', '1st'],
        ['1', '2nd'],
        ['3', 'After 1'],
      ],
    );
    assert.deepEqual([list[2]?.detail, list[2]?.words], ['First thing', '1 First thing']);
  });

  it('leaves out the row itself, tasks that it names, and tasks that depend on it in the text', async () => {
    assert.deepEqual((await completeAt(text('^', '', '', '', ''), tasks)).texts, ['4', '5', '3']);
    assert.deepEqual((await completeAt(text('^', '', '1', '', '3'), tasks)).texts, ['4']);
    assert.deepEqual((await completeAt(text('4|^', '', '1', '', ''), tasks)).texts, ['5']);
  });

  it('replaces only the id at the cursor, with or without quotes', async () => {
    assert.equal(
      (await completeAt(text('', '', '4|5^', '', ''), tasks)).choose('1'),
      text('', '', '4|1', '', ''),
    );
    assert.equal(
      (await completeAt(text('', '', '^|4', '', ''), tasks)).choose('5'),
      text('', '', '5|4', '', ''),
    );
    assert.equal(
      (await completeAt(text('', '', '"4|^"', '', ''), tasks)).choose('5'),
      text('', '', '"4|5"', '', ''),
    );
  });
});
