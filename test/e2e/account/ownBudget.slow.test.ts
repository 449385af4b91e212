import assert from 'node:assert/strict';
import { openPlace } from '../../support/queue/queuePlace';
import { text, tool } from '../../support/claude/replies';

describe('A task with a budget of its own', () => {
  it('ends when the budget is spent, costs other tasks nothing, and continues in its session with a new budget', async () => {
    const place = await openPlace({
      respond: ({ toolResults }) => (toolResults === 0 ? tool('Glob', { pattern: '*.md' }) : text('Done.')),
    });
    const { queue } = place;
    await queue.trust([
      { id: 1, prompt: 'Spend it', max_budget_usd: '0.0001' },
      { id: 2, prompt: 'Be thrifty', max_budget_usd: '' },
    ]);
    const { code, stdout } = await queue.run('work --until-empty');
    assert.equal(code, 1, stdout);
    assert.match(stdout, /Task 1 ended: permanent \(error_max_budget_usd\) → failed/);
    const [spent, thrifty] = (await queue.status()).tasks;
    assert.deepEqual([spent?.shown, spent?.retryCount, thrifty?.shown], ['dead', 0, 'completed']);

    assert.equal((await queue.run(['edit', '1', '--max-budget-usd', '5'])).code, 0);
    assert.equal((await queue.run('retry 1')).code, 0);
    assert.equal((await queue.run('work --until-empty')).code, 0);
    assert.equal((await queue.task(1)).shown, 'completed');
    assert.equal(new Set(place.turnsOf('Spend it').map(({ session }) => session)).size, 1);
    const ledger = await queue.run('report --by task');
    assert.match(ledger.stdout, /^1 +2 +1 success, 1 permanent .*\$0\.\d{4}$/m);
  });
});
