import assert from 'node:assert/strict';
import { describeRowProblem } from '../../../../../src/app/present/problems/rowProblem';
import { rowNumberOf } from '../../../../../src/domain/problem';
import { findFixes, findFreeId } from '../../../../../src/editor/queueFile/fixes/findFixes';
import type { FixEdit, FixableProblem } from '../../../../../src/editor/queueFile/fixes/fix';
import { columnProblems, headerProblem } from '../../../../../src/editor/queueFile/fixes/headerFixes';
import { QueueDocument } from '../../../../../src/editor/queueFile/document/queueDocument';
import type { TextRange } from '../../../../../src/editor/queueFile/document/textRange';
import { RowReader } from '../../../../../src/queue/file/reading/rowReader';
import type { RowContext } from '../../../../../src/queue/row/rowContext';
import { NOW } from '../../../../support/queue/viewModels';

const ROWS: RowContext = { timeZone: 'UTC', folder: '/work', home: '/home/me', allowBypass: false };

function offsetOf(text: string, { line, character }: TextRange['start']): number {
  const starts = [0, ...[...text.matchAll(/\r\n|\n|\r/g)].map(({ index, 0: end }) => index + end.length)];
  return (starts[line] ?? text.length) + character;
}

const textIn =
  (text: string) =>
  ({ start, end }: TextRange): string =>
    text.slice(offsetOf(text, start), offsetOf(text, end));

function applyEdits(text: string, edits: readonly FixEdit[]): string {
  const sorted = [...edits].sort((a, b) => offsetOf(text, b.range.start) - offsetOf(text, a.range.start));
  return sorted.reduce(
    (current, { range, text: added }) =>
      current.slice(0, offsetOf(text, range.start)) + added + current.slice(offsetOf(text, range.end)),
    text,
  );
}

/** Problems of a line, from 1, as the queue itself finds them. */
async function messagesAt(text: string, line: number): Promise<readonly string[]> {
  const { set } = await new RowReader(() => ROWS).read(QueueDocument.parse(text).file);
  return set.problems.filter(({ where }) => rowNumberOf(where) === line).map(describeRowProblem);
}

function problemsAt(text: string, line: number): readonly FixableProblem[] {
  const document = QueueDocument.parse(text);
  const row = document.rowAt(line - 1);
  if (row === undefined) return [];
  const moment = { now: NOW, timeZone: 'UTC' };
  return findFixes(document, row, textIn(text), { rows: ROWS, moment, freeId: findFreeId(document, [9]) });
}

/** A text with one problem in its second line, and that line after the first fix. */
type Case = readonly [text: string, fixed: string | null, title?: string];

const one = (column: string, cell: string, fixed: string | null): Case => [
  `id,working_dir,prompt,${column}\n1,.,Do,${cell}\n`,
  fixed === null ? null : `1,.,Do,${fixed}`,
];

const CASES: readonly Case[] = [
  one('priority', 'hihg', 'high'),
  one('priority', 'urgent', 'critical'),
  one('priority', '"mediun"', '"medium"'),
  one('priority', '12345', ''),
  one('priority', 'constructor', ''),
  one('status', 'pendig', 'pending'),
  one('status', 'Done', 'completed'),
  one('status', 'zzz', ''),
  ['id,working_dir,prompt,repeat_interval,repeat\n1,.,Do,daily,true\n', '1,.,Do,daily,yes'],
  one('repeat', 'never', ''),
  one('dependencies', '"a, b"', '""'),
  one('scheduled_time', 'tomorrow 2am', '2026-11-21 02:00'),
  one('scheduled_time', '2026/11/3', '2026-11-03 00:00'),
  one('scheduled_time', '2026-13-41 09:00', ''),
  one('scheduled_time', '2026-11-25 9:00 PM', '2026-11-25 21:00'),
  one('scheduled_time', '2026-11-25 12am', '2026-11-25 00:00'),
  one('scheduled_time', '2026-11-25 09:00 +0900', '2026-11-25T09:00+0900'),
  one('scheduled_time', '2026-11-25T09', '2026-11-25 09:00'),
  one('scheduled_time', '2026-11-25 09:00 JST', ''),
  one('scheduled_time', '2026-11-25 13 pm', ''),
  one('scheduled_time', 'in 2 months', ''),
  one('deadline', '2026-11-23', '2026-11-23 23:59'),
  one('created_at', '2026.11.03 9:05', '2026-11-03 09:05'),
  one('retry_count', 'two', ''),
  one('max_retries', '3 times', '3'),
  one('max_turns', '-5', '5'),
  one('max_turns', '0', ''),
  one('max_budget_usd', '$2.50', '2.50'),
  one('max_turns', '"1,000"', '""'),
  one('max_turns', '1e3', ''),
  one('max_budget_usd', 'free', ''),
  one('max_budget_usd', '"5,50"', '"5.50"'),
  one('max_budget_usd', '"1,000"', '""'),
  one('dependencies', '1-3', ''),
  one('timeout', '90', '90m'),
  one('timeout', '2 hours', '2h'),
  one('timeout', '1h30m', '90m'),
  one('timeout', '2 hours 30 s', '7230s'),
  one('timeout', '1:30', ''),
  one('timeout', '2 weeks', ''),
  one('timeout', 'long', ''),
  one('model', '-opus', 'opus'),
  one('model', 'claude opus', 'claude-opus'),
  one('permission_mode', 'acceptedits', 'acceptEdits'),
  one('permission_mode', 'bypassPermissions', ''),
  one('allowed_tools', '"Read,Bash(npm test)"', '"Read|Bash(npm test)"'),
  one('allowed_tools', '"Read,Bash(echo a;ls)"', '"Read|Bash(echo a;ls)"'),
  one('allowed_tools', '"Read;Bash(git log | head -5)"', '"Read|Bash(git log | head -5)"'),
  one('allowed_tools', '123', ''),
  one('verify', 'npm test', '"[""npm"",""test""]"'),
  one('verify', '[]', ''),
  one('verify', '[npm test]', ''),
  one('user', 'ken|aiko', 'ken'),
  one('tags', 'a||b', 'a|b'),
  one('tags', '|', ''),
  ['id,working_dir,prompt,repeat,repeat_interval\n1,.,Do,yes,dayly\n', '1,.,Do,yes,daily'],
  ['id,working_dir,prompt,repeat,repeat_interval\n1,.,Do,yes,\n', '1,.,Do,yes,daily'],
  ['id,working_dir,prompt,repeat,repeat_interval\n1,.,Do,yes,0 0 L * *\n', '1,.,Do,yes,daily'],
  ['id,working_dir,prompt\n,.,Do\n', '10,.,Do'],
  ['id,working_dir,prompt\nx1,.,Do\n', '10,.,Do'],
  ['id,working_dir,prompt\n1,,Do\n', '1,.,Do'],
  ['id,working_dir,prompt\n1,repo:a/../..,Do\n', '1,.,Do'],
  ['id,working_dir,prompt\n1,.,  \n', ''],
  ['id,working_dir,prompt\n1,.,', ''],
  ['id,working_dir,prompt\n1,.,"\n"\n2,.,Do\n', '2,.,Do'],
  // Faults that only all rows together show.
  ['id,working_dir,prompt,dependencies\n3,.,Do,4|9\n4,.,Do,\n', '3,.,Do,4'],
  ['id,working_dir,prompt,dependencies\n3,.,Do,4\n4,.,Do,3\n', '3,.,Do,'],
  ['id,working_dir,prompt,dependencies\n3,.,Do,3|4\n4,.,Do,\n', '3,.,Do,4'],
  ['id,working_dir,prompt,dependencies\n3,.,Do,5|"4"\n4,.,Do,3\n5,.,Do,4\n', null],
  ['id,working_dir,prompt\n3,.,Do\n3,.,Other\n', '10,.,Do'],
  // Cells that cannot be separated.
  ['id,working_dir,prompt,status\n1,.,Do\n', '1,.,Do,'],
  ['id,working_dir,prompt,status\n1,.,Do this, then that,pending\n', '1,.,"Do this, then that",pending'],
  ['id,working_dir,prompt,status\n1,.,Do,pending,,\n', '1,.,Do,pending'],
  ['id;working_dir;prompt;status\n1;.;a;b;pending\n', '1;.;"a;b";pending'],
  ['id,working_dir,prompt\n1,.,Say "hi"\n', '1,.,"Say ""hi"""'],
  ['id,working_dir,prompt\n1,., "Do it"\n', '1,.,"Do it"'],
  ['id,working_dir,prompt,status\n1,.,"Do" it,pending\n', '1,.,"""Do"" it",pending'],
  ['id,working_dir,prompt,verify\n1,.,Do,["npm","test"]\n', '1,.,Do,"[""npm"",""test""]"'],
  ['id,working_dir,prompt,status\n1,., "foo, bar" ,pending\n', '1,.,"foo, bar",pending'],
  ['id,working_dir,prompt,status\n1,.,Say "a", then b,pending\n', '1,.,"Say ""a"", then b",pending'],
  ['id,working_dir,prompt,status\n1,.,Say a, then b,pen"ding\n', ''],
  ['id,working_dir,prompt\n1,.,Do\0 it\n', '1,.,Do it'],
];

describe('A quick fix of a row', () => {
  for (const [text, fixed] of CASES) {
    it(`leaves the row without its problem: ${JSON.stringify(text.split('\n')[1])}`, async () => {
      const before = await messagesAt(text, 2);
      assert.ok(before.length > 0, 'the row has a problem');
      const fixes = problemsAt(text, 2).flatMap((problem) => problem.fixes);
      for (const { title, edits } of fixes) {
        assert.ok(title.length > 0 && edits.length > 0);
        const after = await messagesAt(applyEdits(text, edits), 2);
        for (const message of before) assert.ok(!after.includes(message), `${title}: ${message}`);
      }
      if (fixed === null) return;
      const [first] = fixes;
      assert.ok(first !== undefined, 'there is a fix');
      const now = applyEdits(text, first.edits);
      assert.equal(now.split('\n')[1], fixed, first.title);
      assert.deepEqual(await messagesAt(now, 2), []);
    });
  }

  it('is absent for a valid row, and removes the row of a prompt that is missing', () => {
    assert.deepEqual(problemsAt('id,working_dir,prompt\n1,.,Do\n', 2), []);
    const [problem] = problemsAt('id,working_dir,prompt\n1,.,\n', 2);
    assert.deepEqual([problem?.fixes.map(({ title }) => title), problem?.isSure], [['Remove Row'], false]);
  });

  it('is surely meant for a near word, and not for a guess', () => {
    const isSure = (column: string, cell: string): boolean | undefined =>
      problemsAt(one(column, cell, null)[0], 2)[0]?.isSure;
    assert.equal(isSure('priority', 'hihg'), true);
    assert.equal(isSure('dependencies', '1|9'), true);
    assert.equal(isSure('dependencies', '1'), false);
    assert.equal(isSure('scheduled_time', 'in 2 months'), false);
    assert.equal(isSure('working_dir', 'repo:a/../..'), false);
    assert.equal(isSure('verify', '[]'), false);
  });

  it('changes the later of two rows with one id for sure, and the first one only on request', () => {
    const text = 'id,working_dir,prompt\n3,.,Do\n3,.,Other\n';
    assert.deepEqual(
      [2, 3].map((line) => problemsAt(text, line)[0]?.isSure),
      [false, true],
    );
  });

  it('offers other words, and to clear the cell', () => {
    const [problem] = problemsAt(one('priority', 'hihg', null)[0], 2);
    assert.deepEqual(
      problem?.fixes.map(({ title }) => title),
      ['Change priority to "high"', 'Clear priority (medium, or by the setting priorityRules)'],
    );
  });
});

describe('A quick fix of the whole file', () => {
  const CASES_OF_FILE: readonly (readonly [text: string, fixed: string])[] = [
    [
      '',
      'id,priority,working_dir,prompt,status,scheduled_time,dependencies,repeat,repeat_interval,retry_count,max_retries\n',
    ],
    ['id,prompt\n1,Do\n2,"Do\nit"\n', 'id,prompt,working_dir\n1,Do,\n2,"Do\nit",\n'],
    ['id,working_dir\n1,5" screen\n2,b\n', 'id,working_dir,prompt\n1,5" screen,\n2,b,\n'],
    ['id,working_dir,prompt,id\n', 'id,working_dir,prompt,id_2\n'],
    ['sep=,\nid,working_dir,prompt\n', 'id,working_dir,prompt\n'],
    ['id,working_dir,prompt\n1,.,"Do it\n2,.,Other\n', 'id,working_dir,prompt\n1,.,"Do it"\n2,.,Other\n'],
    ['id,working "dir",prompt,working_dir\n', 'id,working dir,prompt,working_dir\n'],
  ];
  for (const [text, fixed] of CASES_OF_FILE) {
    it(`leaves it whole: ${JSON.stringify(text)}`, () => {
      const problem = headerProblem(QueueDocument.parse(text), text, textIn(text));
      const now = applyEdits(text, problem?.fixes[0]?.edits ?? []);
      assert.equal(now, fixed);
      assert.ok(QueueDocument.parse(now).file.whole);
    });
  }

  it('is absent for a whole file', () => {
    const text = 'id,working_dir,prompt\n';
    assert.equal(headerProblem(QueueDocument.parse(text), text, textIn(text)), null);
  });
});

describe('The fix of a column that may be misspelled', () => {
  it('renames it', () => {
    const text = 'id;working_dir;prompt;dead_line\n';
    const [problem, ...others] = columnProblems(QueueDocument.parse(text));
    assert.deepEqual(others, []);
    assert.equal(applyEdits(text, problem?.fixes[0]?.edits ?? []), 'id;working_dir;prompt;deadline\n');
  });

  it('is absent for other names, and while the file is not whole', () => {
    for (const header of ['id,working_dir,prompt,owner', 'id,working_dir,tag,tags'])
      assert.deepEqual(columnProblems(QueueDocument.parse(`${header}\n`)), []);
  });
});
