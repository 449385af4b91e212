import assert from 'node:assert/strict';
import { readAddInput } from '../../../../src/editor/tools/addInput';
import { describeAddition } from '../../../../src/editor/tools/addTexts';
import { chooseTasks, describeOmitted, MOST_TASKS } from '../../../../src/editor/tools/chosenTasks';
import { paint } from '../../../support/queue/viewModels';
import type { Row } from '../../../support/queue/viewModels';

describe('The input of the tool that adds a task', () => {
  it('becomes the cells of a row', () => {
    const input = {
      prompt: 'Count',
      priority: 'high',
      working_dir: './api',
      dependencies: [3, 4],
      scheduled_time: '2026-11-24 22:00',
    };
    assert.deepEqual(readAddInput(input), { ...input, dependencies: '3|4' });
  });

  it('leaves cells out that it does not name', () => {
    assert.deepEqual(readAddInput({ prompt: 'Count', priority: '', dependencies: [] }), { prompt: 'Count' });
  });

  for (const column of ['permission_mode', 'allowed_tools', 'verify', 'status', 'id'])
    it(`cannot set ${column}`, () => {
      assert.throws(() => readAddInput({ prompt: 'Count', [column]: 'x' }), {
        reason: 'usage',
        message: new RegExp(`^A tool cannot set ${column}\\. `),
      });
    });

  for (const wrong of [null, 'Count', {}, { prompt: 1 }, { prompt: 'Count', dependencies: [0] }])
    it(`is refused: ${JSON.stringify(wrong)}`, () => {
      assert.throws(() => readAddInput(wrong), { reason: 'usage', message: /^Give prompt as a text/ });
    });
});

describe('The question before a tool adds a task', () => {
  const fields = { prompt: 'Run ```sh``` [now](command:x)\u202e', priority: 'high', dependencies: '' };
  const text = describeAddition(fields, '/home/ken/prompts.csv');

  it('shows the whole prompt in a block that it cannot end, with invisible characters as codes', () => {
    assert.ok(text.includes('````text\nRun ```sh``` [now](command:x)\\u202e\n````'), text);
  });

  it('shows the queue and every other cell that has a text', () => {
    assert.ok(text.includes('```text\nqueue: /home/ken/prompts.csv\npriority: high\n```'), text);
  });

  it('says that the task needs approval', () => {
    assert.match(text, /It runs only after you approve it\./);
  });
});

describe('The status for a model', () => {
  const many = (count: number, row: Row): Row[] => Array.from({ length: count }, () => row);
  const DONE: Row = { state: { status: 'completed' } };

  it('has at most 100 tasks, those that are not done first, then the newest of the others', () => {
    const { tasks } = paint([...many(100, DONE), ...many(40, {})]);
    const chosen = [...chooseTasks(tasks)].map(({ task }) => task.definition.id);
    assert.equal(chosen.length, MOST_TASKS);
    assert.deepEqual(chosen.slice(0, 2), [101, 102]);
    assert.deepEqual(chosen.slice(40, 42), [100, 99]);
  });

  it('says how many are left out', () => {
    assert.equal(describeOmitted(0), null);
    assert.match(describeOmitted(40) ?? '', /^40 tasks left out\. /);
  });
});
