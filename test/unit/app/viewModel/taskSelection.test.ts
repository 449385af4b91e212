import assert from 'node:assert/strict';
import { isSelected, parseSelection } from '../../../../src/app/viewModel/taskSelection';
import { isProblem } from '../../../../src/domain/problem';
import { paint, type Row } from '../../../support/queue/viewModels';

const ROWS: readonly Row[] = [
  { fields: { prompt: 'Fix the Race in tokens', tags: ['api', 'urgent'], user: 'ken' } },
  { fields: { prompt: 'Write docs', priority: 'high' }, state: { status: 'failed' } },
];

function select(text: string): number[] {
  const selection = parseSelection(text);
  return paint(ROWS)
    .tasks.filter((shown) => isSelected(shown, selection))
    .map(({ task }) => task.definition.id);
}

describe('A selection of tasks', () => {
  it('that is empty has all tasks', () => {
    assert.deepEqual(select(''), [1, 2]);
    assert.deepEqual(select('  '), [1, 2]);
  });

  it('has the tasks whose prompt has all words in any case, or whose id is the word', () => {
    assert.deepEqual(select('race TOKENS'), [1]);
    assert.deepEqual(select('race docs'), []);
    assert.deepEqual(select('2'), [2]);
  });

  it('has the tasks that fit every part, and one value of each', () => {
    assert.deepEqual(select('tag:web,api'), [1]);
    assert.deepEqual(select('user:ken tag:urgent'), [1]);
    assert.deepEqual(select('priority:high user:ken'), []);
    assert.deepEqual(select('state:failed'), [2]);
    assert.deepEqual(select('state:ready,dead'), [1, 2]);
  });

  it('refuses a state or a priority that does not exist, and names it', () => {
    for (const text of ['state:lost', 'priority:urgent', 'priority:'])
      assert.throws(
        () => parseSelection(text),
        (error: unknown) => isProblem(error, 'usage') && /is not a (state|priority)/.test(String(error)),
      );
  });
});
