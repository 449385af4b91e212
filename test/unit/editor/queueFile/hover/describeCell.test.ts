import assert from 'node:assert/strict';
import { EXAMPLE_PROMPT } from '../../../../../src/app/actions/queue/newQueue';
import type { QueueViewModel } from '../../../../../src/app/viewModel/queueViewModel';
import { describeCell, describeExample } from '../../../../../src/editor/queueFile/hover/describeCell';
import { QueueDocument } from '../../../../../src/editor/queueFile/document/queueDocument';
import { BASIC_COLUMNS, COLUMNS } from '../../../../../src/queue/row/columns';
import { repeat } from '../../../../conformance/harness';
import { HOUR, NOW, paint } from '../../../../support/queue/viewModels';

/** Describes the cell of a column in the first row, or in the header. */
function describeIn(column: string, cell: string, viewModel: QueueViewModel | null = paint([{}])) {
  const document = QueueDocument.parse(`id,working_dir,prompt,${column}\n1,.,Do,${cell}\n`);
  const [row] = document.rows;
  const found = row?.cell(column);
  assert.ok(row !== undefined && found !== undefined);
  return describeCell({ cell: found, row }, viewModel);
}

const linesOf = (...args: Parameters<typeof describeIn>): readonly string[] =>
  describeIn(...args)?.lines ?? [];

describe('The hover on a cell', () => {
  it('has its column and text as title, and the meaning of the column', () => {
    const found = describeIn('priority', 'high');
    assert.equal(found?.title, 'priority: high');
    assert.deepEqual(found.notes, ['Priority of the task.']);
    assert.equal(describeIn('priority', '')?.title, 'priority');
    assert.deepEqual(linesOf('priority', ''), ['Empty: medium, or by the setting priorityRules.']);
  });

  it('has a description for every column and for its header', () => {
    const document = QueueDocument.parse(`${COLUMNS.join(',')},mine\n`);
    for (const cell of document.header?.cells ?? []) {
      const found = describeCell({ cell, row: null }, paint([]));
      assert.equal(found?.title, cell.column);
      assert.ok(found.lines.length > 0);
    }
    for (const column of COLUMNS.slice(4)) assert.ok(linesOf(column, 'x').length > 0, column);
  });

  it('explains the basic columns at the prompt of the example until its row is changed', () => {
    const describeAt = (column: string, prompt: string): ReturnType<typeof describeExample> => {
      const text = `${BASIC_COLUMNS.join(',')}\n1,medium,.,${prompt},pending,,,no,,0,3\n`;
      const [row] = QueueDocument.parse(text).rows;
      const cell = row?.cell(column);
      assert.ok(row !== undefined && cell !== undefined);
      return describeExample({ cell, row });
    };
    const facts = describeAt('prompt', EXAMPLE_PROMPT)?.facts ?? [];
    assert.deepEqual(
      facts.map(({ name }) => name),
      BASIC_COLUMNS,
    );
    assert.equal(facts[3]?.text, 'What Claude should do.');
    assert.equal(describeAt('id', EXAMPLE_PROMPT), null);
    assert.equal(describeAt('prompt', 'Sort the photos'), null);
  });

  it('has the format of its column in a queue that cannot be read', () => {
    assert.deepEqual(describeIn('priority', 'high', null), {
      title: 'priority: high',
      lines: ['Format: critical, high, medium or low, or 5 to 1.'],
      notes: ['Priority of the task.'],
    });
  });

  it('shows the first lines of the prompt file that the queue has read', () => {
    const text = `# Tidy up\n${'step\n'.repeat(12)}`;
    const viewModel = paint([{ fields: { promptFile: { path: 'notes/a.md', text } } }]);
    const lines = linesOf('prompt_file', 'notes/a.md', viewModel);
    assert.deepEqual([lines[0], lines.length, lines.at(-1)], ['# Tidy up', 11, '(3 more lines)']);
    assert.match(
      linesOf('prompt_file', 'notes/b.md', viewModel)[0] ?? '',
      /^Format: a path in the workspace/,
    );
  });

  it('lists the next five times of an interval', () => {
    assert.deepEqual(linesOf('repeat_interval', '0 7 * * 1-5'), [
      '1. Mon 2026-11-23 07:00, in 2 d 13 h',
      '2. Tue 2026-11-24 07:00',
      '3. Wed 2026-11-25 07:00',
      '4. Thu 2026-11-26 07:00',
      '5. Fri 2026-11-27 07:00',
      'Missed times: one run makes up for all (setting missedRuns). Times are in UTC.',
    ]);
    const due = paint([
      { fields: { repeat: repeat('12h') }, state: { dueAt: NOW + HOUR, dueCause: 'repeat' } },
    ]);
    assert.deepEqual(linesOf('repeat_interval', '12h', due).slice(0, 2), [
      '1. Fri 2026-11-20 19:00, in 1 h',
      '2. Sat 2026-11-21 07:00',
    ]);
  });

  it('has the day and the distance of a time', () => {
    assert.deepEqual(linesOf('scheduled_time', '2026-11-21 02:00'), ['Sat 2026-11-21 02:00 (UTC), in 8 h']);
    assert.deepEqual(linesOf('deadline', '2026-11-20T16:30Z'), [
      'Fri 2026-11-20 16:30 (UTC), 1 h 30 min ago',
    ]);
  });

  it('shows the task of each dependency', () => {
    const viewModel = paint([{}, { fields: { prompt: 'Second\nline' } }]);
    assert.deepEqual(linesOf('dependencies', '2|9', viewModel), [
      '2 Second: 2nd in line',
      'Task 9 does not exist.',
    ]);
  });

  it('says what words mean', () => {
    assert.deepEqual(linesOf('permission_mode', 'plan'), ['Claude may do only read and plan (plan).']);
    assert.deepEqual(linesOf('status', 'Pending'), ['runs when its turn comes.', '1st in line.']);
    assert.deepEqual(linesOf('timeout', '90m'), ['An attempt is stopped after 1 h 30 min.']);
    const waited = paint([{ state: { firstSeenAt: NOW - 5 * HOUR } }]);
    assert.deepEqual(linesOf('priority', 'medium', waited), [
      'It counts as high, because it has waited.',
      'The task should end by Fri 2026-11-20 15:00.',
    ]);
  });

  it('says what is wrong with a cell', () => {
    assert.match(linesOf('priority', 'hihg')[0] ?? '', /"hihg" is not known/);
    assert.match(linesOf('repeat_interval', 'often')[0] ?? '', /not understood/);
  });
});
