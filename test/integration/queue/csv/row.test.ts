import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCsv, spliceCells } from '../../../../src/queue/csv/csvFile';
import type { CsvFile } from '../../../../src/queue/csv/csvFile';
import type { RowContext } from '../../../../src/queue/row/rowContext';
import { csvOf, readFixture } from '../csvFixture';
import { CONTEXT, readAt, understood, wrongWith } from '../readings';

const COLUMNS =
  'id,priority,working_dir,prompt,status,scheduled_time,dependencies,repeat,repeat_interval,retry_count,max_retries,' +
  'created_at,timeout,model,permission_mode,allowed_tools,max_turns,max_budget_usd,verify';

/** A file whose only row is good, but for the cells given here. */
function fileWith(cells: Readonly<Record<string, string>>): CsvFile {
  const file = csvOf(COLUMNS, `1,,/srv,one,${','.repeat(14)}`);
  const changes = Object.entries(cells).map(([column, text]) => ({ record: 0, column, text }));
  return readCsv(spliceCells(file, changes));
}

/** The only problem of a row in which just this cell is wrong. */
function wrongCell(column: string, text: string, more: Readonly<Record<string, string>> = {}): string {
  const [message, ...others] = wrongWith(fileWith({ [column]: text, ...more }));
  assert.deepEqual(others, []);
  return message ?? '';
}

describe('A row', () => {
  it('has a prompt, a directory and rules', () => {
    const file = readFixture('plain');
    const { definition, shared } = understood(file, 2);
    assert.deepEqual(definition, {
      id: 20,
      priority: 'medium',
      workingDir: '/home/ken/space',
      prompt: 'レポート生成',
      dependencies: [10],
      maxRetries: 3,
    });
    const scheduledAt = Date.parse('2025-12-15T00:00Z');
    assert.deepEqual(shared, { status: 'pending', scheduledAt, retryCount: 0 });
    assert.deepEqual(understood(file, 1).definition.repeat, {
      kind: 'every',
      text: 'daily',
      everyMs: 86_400_000,
    });
  });

  it('has defaults for empty cells and missing columns', () => {
    const expected = {
      definition: {
        id: 1,
        priority: 'medium',
        workingDir: '/srv',
        prompt: 'one',
        dependencies: [],
        maxRetries: 3,
      },
      shared: { status: 'pending', scheduledAt: null, retryCount: 0 },
    };
    assert.deepEqual(understood(fileWith({})), expected);
    assert.deepEqual(understood(csvOf('prompt,id,working_dir', 'one,1,/srv')), expected);
  });

  it('can have the nine columns of the first version of the format', () => {
    const { definition, shared } = understood(readFixture('nineColumns'));
    assert.equal(definition.maxRetries, 3);
    assert.equal(shared.retryCount, 0);
    assert.deepEqual(definition.repeat, { kind: 'every', text: '12h', everyMs: 43_200_000 });
  });

  it('can have rules of its own', () => {
    const file = fileWith({
      created_at: '2026-01-02T03:04Z',
      timeout: '90m',
      model: 'opus[1m]',
      permission_mode: 'plan',
      allowed_tools: 'Read | Bash(git log | head)|mcp__x__y',
      max_turns: '12',
      max_budget_usd: '2.50',
      verify: '["npm","test","--",""]',
      status: 'Failed',
      retry_count: '2',
      max_retries: '5',
      dependencies: '3 | 4|3',
    });
    const { definition, shared } = understood(file);
    assert.deepEqual(definition, {
      id: 1,
      priority: 'medium',
      workingDir: '/srv',
      prompt: 'one',
      dependencies: [3, 4],
      maxRetries: 5,
      createdAt: Date.parse('2026-01-02T03:04Z'),
      timeoutMs: 5_400_000,
      model: 'opus[1m]',
      permissionMode: 'plan',
      allowedTools: ['Read', 'Bash(git log | head)', 'mcp__x__y'],
      maxTurns: 12,
      maxBudgetUsd: 2.5,
      verify: ['npm', 'test', '--', ''],
    });
    assert.deepEqual(shared, { status: 'failed', scheduledAt: null, retryCount: 2 });
  });

  it('keeps its prompt unchanged, and trims all other cells', () => {
    const { definition } = understood(readFixture('spacesAround'));
    assert.equal(definition.prompt, '  keep my spaces  ');
    assert.equal(definition.workingDir, '/srv');
    assert.equal(definition.priority, 'high');
    assert.equal(
      understood(readFixture('formulas')).definition.prompt,
      '=HYPERLINK("http://example.com","x")',
    );
  });

  it('has a directory relative to the workspace, to home, or absolute', () => {
    const directoryOf = (text: string): string =>
      understood(fileWith({ working_dir: text })).definition.workingDir;
    assert.equal(directoryOf('site/docs'), '/home/ken/space/site/docs');
    assert.equal(directoryOf('.'), '/home/ken/space');
    assert.equal(directoryOf('~'), '/home/me');
    assert.equal(directoryOf('~/site/'), '/home/me/site');
    assert.equal(directoryOf('/srv/../opt'), '/opt');
  });

  it('can have a user, a deadline and tags', () => {
    const header = 'id,working_dir,prompt,user,deadline,tags';
    const { definition } = understood(csvOf(header, '1,/srv,one,anna,2026-11-21 09:00,docs| urgent |docs'));
    assert.deepEqual(
      [definition.user, definition.deadline, definition.tags],
      ['anna', Date.parse('2026-11-21T00:00Z'), ['docs', 'urgent']],
    );
    const { user, deadline, tags } = understood(csvOf(header, '1,/srv,one,,,')).definition;
    assert.deepEqual([user, deadline, tags], [undefined, undefined, undefined]);
  });

  it('takes its priority from the first matching rule if it has none', () => {
    const priorityRules = [
      { tag: 'urgent', priority: 'critical' },
      { path: 'site', priority: 'low' },
      { path: '~/notes', priority: 'low' },
      { user: 'anna', priority: 'high' },
    ] as const;
    const header = 'id,working_dir,prompt,user,tags,priority';
    const priority = (row: string): string =>
      understood(csvOf(header, row), 0, { ...CONTEXT, priorityRules }).definition.priority;
    assert.equal(priority('1,site/docs,one,anna,urgent,'), 'critical');
    assert.equal(priority('1,site/docs,one,anna,,'), 'low');
    assert.equal(priority('1,/home/me/notes,one,anna,,'), 'low');
    assert.equal(priority('1,/srv,one,anna,,'), 'high');
    assert.equal(priority('1,/srv,one,ben,,'), 'medium');
    assert.equal(priority('1,site/docs,one,anna,urgent,medium'), 'medium', 'its own word counts');
    const without = csvOf('id,working_dir,prompt,user', '1,/srv,one,anna');
    assert.equal(understood(without, 0, { ...CONTEXT, priorityRules }).definition.priority, 'high');
  });

  it('is tried at least once', () => {
    assert.equal(understood(fileWith({ max_retries: '0' })).definition.maxRetries, 1);
  });

  it('ignores an interval if it does not repeat', () => {
    assert.equal(
      understood(fileWith({ repeat: 'No', repeat_interval: 'sometimes' })).definition.repeat,
      undefined,
    );
  });

  it('can skip permissions only if the user of the machine allows it', () => {
    const file = fileWith({ permission_mode: 'bypassPermissions' });
    assert.match(
      wrongWith(file)[0] ?? '',
      /does not allow bypassPermissions in a row \(setting allowBypass\)/,
    );
    const allowed = understood(file, 0, { ...CONTEXT, allowBypass: true });
    assert.equal(allowed.definition.permissionMode, 'bypassPermissions');
  });
});

describe('The working directory of a row', () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'allowed-')));
    for (const name of ['work', 'work/site', 'workshop', 'private']) mkdirSync(join(folder, name));
    symlinkSync(join(folder, 'private'), join(folder, 'work', 'link'));
    symlinkSync(join(folder, 'work'), join(folder, 'short'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const contextOf = (...allowed: string[]): RowContext => ({
    ...CONTEXT,
    folder,
    allowedDirectories: allowed,
  });
  const worksIn = (path: string, ...allowed: string[]): boolean =>
    'row' in
    readAt(fileWith({ working_dir: path }), 0, contextOf(...allowed.map((name) => join(folder, name))));

  it('can be anywhere unless allowedDirectories is set', () => {
    assert.equal(worksIn('private'), true);
    assert.equal(worksIn('private', 'work'), false);
    assert.equal(worksIn('private', 'work', 'private'), true);
  });

  it('must be an allowed directory or below it, by whatever path', () => {
    for (const path of ['work', 'work/site', 'work/site/new', 'short/site', join(folder, 'work')]) {
      assert.equal(worksIn(path, 'work'), true, path);
    }
    for (const path of ['workshop', 'work/../private', '.', '/']) {
      assert.equal(worksIn(path, 'work'), false, path);
    }
  });

  it('is checked at the target of a link', () => {
    const [problem = ''] = wrongWith(
      fileWith({ working_dir: 'work/link' }),
      0,
      contextOf(join(folder, 'work')),
    );
    assert.match(
      problem,
      /^2:\d+ The working directory \S+\/work\/link \(\S+\/private\) is outside of the allowed folders \(setting allowedDirectories\)\. Use a folder in \S+\/work\.$/,
    );
  });
});

describe('An invalid row', () => {
  it('is reported for missing cells', () => {
    assert.match(wrongCell('id', ''), /^2:1 The id is missing/);
    assert.match(wrongCell('working_dir', ' '), /^2:4 The working directory is missing/);
    assert.match(wrongCell('prompt', ' \n\t '), /^2:9 The prompt is missing/);
    assert.match(
      wrongCell('repeat_interval', '', { repeat: 'yes' }),
      /A repeating task needs an interval\. Use one like/,
    );
  });

  it('is reported for unknown words, with an example', () => {
    assert.match(
      wrongCell('priority', 'urgent'),
      /^2:3 The priority "urgent" is not known\. Use critical, high, medium/,
    );
    assert.match(
      wrongCell('status', 'done'),
      /The status "done" is not known\. Use pending, running, review/,
    );
    assert.match(wrongCell('repeat', 'true'), /"true"\. Use yes or no/);
    assert.match(
      wrongCell('repeat_interval', 'sometimes', { repeat: 'yes' }),
      /"sometimes" is not understood/,
    );
    assert.match(wrongCell('repeat_interval', '0 0 31 2 *', { repeat: 'yes' }), /is not understood/);
    assert.match(
      wrongCell('repeat_interval', '0 9 * * fri#2', { repeat: 'yes' }),
      /In the interval .*, "fri#2" is not supported by every cron/,
    );
    assert.match(
      wrongCell('permission_mode', 'yolo'),
      /Use default, manual, acceptEdits, auto, dontAsk, plan\.$/,
    );
  });

  it('is reported for invalid numbers', () => {
    for (const id of ['0', '-1', '1.0', '007', 'x', '1e3']) {
      assert.match(wrongCell('id', id), /is not a whole number above 0/, id);
    }
    for (const id of ['1000000000001', '9'.repeat(400)])
      assert.match(wrongCell('id', id), /" is too large\. Use one up to 1,000,000,000,000\.$/);
    assert.match(wrongCell('retry_count', '-1'), /retry_count is "-1"\. Use a whole number, 0 or more/);
    assert.match(wrongCell('max_retries', 'many'), /max_retries is "many"/);
    assert.match(wrongCell('max_turns', '0'), /Use a whole number, 1 or more/);
    for (const budget of ['0', '$5', '1e9', '-1'])
      assert.match(wrongCell('max_budget_usd', budget), /above 0, such as 2\.50/);
  });

  it('is reported for invalid times and durations', () => {
    assert.match(
      wrongCell('scheduled_time', '2026-02-30 09:00'),
      /"2026-02-30 09:00" is not a valid date and time/,
    );
    assert.match(wrongCell('created_at', '2026/01/01 9:00'), /such as 2026-11-21 09:00/);
    assert.match(wrongCell('timeout', '90'), /such as 90m or 2h/);
    assert.match(wrongCell('timeout', '0s'), /above 0/);
    assert.match(wrongCell('timeout', '104000000d'), /is longer than ten years/);
  });

  it('is reported for invalid lists', () => {
    for (const text of ['1,2', '1||2', '1|', 'a', '1 2']) {
      assert.match(wrongCell('dependencies', text), /not ids with \| between them, such as 10\|12/, text);
    }
    for (const text of ['npm test', '[]', '[""]', '["npm",1]', '{"a":1}', '"npm"']) {
      assert.match(wrongCell('verify', text), /not a JSON array of a program/, text);
    }
  });

  it('is reported for an invalid user, deadline or tags', () => {
    const wrong = (user: string, deadline: string, tags: string): string[] =>
      wrongWith(csvOf('id,working_dir,prompt,user,deadline,tags', `1,/srv,one,${user},${deadline},${tags}`));
    assert.deepEqual(wrong('anna|ben', '', ''), [
      '2:12 The user "anna|ben" is not one name on one line, such as anna.',
    ]);
    assert.match(wrong('', 'soon', '')[0] ?? '', /^2:13 The time "soon" is not a valid date and time/);
    assert.deepEqual(wrong('', '', 'docs||urgent'), [
      '2:14 The tags "docs||urgent" are not words with | between them, such as docs|urgent.',
    ]);
  });

  it('is reported for names that Claude Code would take for options', () => {
    assert.match(wrongCell('model', '--dangerously-skip-permissions'), /not a model's name/);
    assert.match(
      wrongCell('allowed_tools', 'Read|--dangerously-skip-permissions'),
      /not tools with \| between/,
    );
    assert.match(wrongCell('allowed_tools', 'Read||Edit'), /not tools with \| between/);
    assert.match(wrongCell('allowed_tools', 'Bash(npm test'), /not tools with \| between/);
  });

  it('is reported once for each invalid cell, with its id', () => {
    const reading = readAt(fileWith({ id: '7', status: 'y', priority: 'x' }), 0);
    assert.ok('problems' in reading);
    assert.equal(reading.id, 7);
    const reported = reading.problems.map(({ id, where }) => [id, where.column]);
    assert.deepEqual(reported, [
      [7, 3],
      [7, 14],
    ]);
    const nameless = readAt(fileWith({ id: 'x', priority: 'y' }), 0);
    assert.ok('problems' in nameless);
    assert.equal(nameless.id, null);
    assert.ok(nameless.problems.every((problem) => !('id' in problem)));
  });

  it('has the line and the character of the cell', () => {
    const file = csvOf(
      'id,working_dir,prompt,status',
      '',
      '1,/srv,"表\r\nto 😀 do",wrong',
      '2,/表😀é,two, wrong',
    );
    assert.match(wrongWith(file, 0)[0] ?? '', /^4:11 The status "wrong"/);
    assert.match(wrongWith(file, 1)[0] ?? '', /^5:13 The status "wrong"/);
    assert.match(wrongWith(readFixture('quotedNewlines'), 1)[0] ?? '', /^8:3 The priority "urgent"/);
  });

  it('shows a long cell in part', () => {
    assert.ok(wrongCell('status', 'x'.repeat(5000)).length < 250);
  });
});
