import assert from 'node:assert/strict';
import type { TaskView } from '../../../../../src/domain/queue/view';
import { QueueDocument } from '../../../../../src/editor/queueFile/document/queueDocument';
import {
  explainKeptId,
  planRename,
  type IdRecords,
} from '../../../../../src/editor/queueFile/navigation/rename';
import { paint, runByWorker, type Row } from '../../../../support/queue/viewModels';

const TEXT = 'id;prompt;dependencies\n4;a;\n5;"b\nb";4|12\n12;c;" 4"\n14;d;40\n';

describe('Renaming an id', () => {
  /** The text afterwards, or why it stays. */
  function rename(text: string, from: number, typed: string): string {
    const plan = planRename(QueueDocument.parse(text), from, typed);
    if ('refused' in plan) return plan.refused;
    const lines = text.split('\n');
    for (const { start, end } of [...plan.places].reverse()) {
      const line = lines[start.line] ?? '';
      lines[start.line] = line.slice(0, start.character) + String(plan.id) + line.slice(end.character);
    }
    return lines.join('\n');
  }

  it('changes its row and all dependencies on it, and no other number', () => {
    assert.equal(
      rename(TEXT, 4, ' 77 '),
      'id;prompt;dependencies\n77;a;\n5;"b\nb";77|12\n12;c;" 77"\n14;d;40\n',
    );
    assert.equal(rename(TEXT, 4, '4'), TEXT);
  });

  it('is refused for what is no id, and for one that is taken', () => {
    assert.equal(rename(TEXT, 4, '0'), 'The id "0" is not a whole number above 0, such as 12.');
    assert.match(rename(TEXT, 4, 'four'), /^The id "four" is not a whole number/);
    assert.equal(rename(TEXT, 4, '12'), 'Id 12 is on line 5 already. Choose another one.');
  });

  it('leaves rows alone whose cells may be other ones than they seem', () => {
    const text = 'id,prompt,dependencies,status\n2,Two,,\n3,Step 1, then 2 again,,\n';
    assert.equal(rename(text, 2, '7'), text.replace('\n2,Two', '\n7,Two'));
  });

  it('is refused in a file with an open quote, after which no row is known', () => {
    const open = 'id,working_dir,prompt,dependencies\n1,.,a,\n2,.,"b,1\n3,.,c,1\n';
    assert.match(rename(open, 1, '9'), /^Correct the file first: This quote is never closed\./);
  });

  it('is refused where no row or several rows have the id', () => {
    assert.equal(rename(TEXT, 40, '41'), 'No row has id 40.');
    assert.match(rename(`${TEXT}4;e;\n`, 4, '41'), /^Id 4 is on lines 2 and 7, so it is not clear/);
  });
});

describe('An id', () => {
  const NONE: IdRecords = { task: undefined, attempts: [] };
  const taskOf = (row: Row): TaskView => {
    const [shown] = paint([row]).tasks;
    assert.ok(shown);
    return shown.task;
  };
  const explain = (row: Row): string | null =>
    explainKeptId(4, 7, { from: { task: taskOf(row), attempts: [] }, to: NONE });

  it('may change as long as nothing was recorded under it', () => {
    assert.equal(explainKeptId(4, 7, { from: NONE, to: NONE }), null);
    assert.equal(explain({}), null);
    assert.equal(explain({ state: { status: 'completed' } }), null, 'completed by hand');
    const task = taskOf({});
    assert.equal(explainKeptId(4, 7, { from: NONE, to: { task, attempts: [] } }), null, 'renamed back');
  });

  it('stays once its task runs or has run, also if its attempts are archived', () => {
    assert.match(explain(runByWorker) ?? '', /^Task 4 is running/);
    assert.match(explain({ state: { lastOutcome: 'success' } }) ?? '', /^Task 4 has run/);
    assert.match(explain({ state: { untold: true } }) ?? '', /^Task 4 has run/);
  });

  it('is not given to another task once it has a history', () => {
    const to = { task: taskOf({ state: { lastOutcome: 'success' } }), attempts: [] };
    assert.match(explainKeptId(4, 7, { from: NONE, to }) ?? '', /^Id 7 has a history/);
  });
});
