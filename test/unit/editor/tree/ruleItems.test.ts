import assert from 'node:assert/strict';
import type { Refusal } from '../../../../src/app/actions/tasks/allowTools';
import { toRuleItems } from '../../../../src/editor/tree/ruleItems';

const refuse = (rule: string | null, more: Partial<Refusal> = {}): Refusal => ({
  ...{ tool: 'Bash', detail: 'x', rule, why: '', isAllowed: false, hasNotHelped: false },
  ...more,
});

describe('The offered rules for a refused task', () => {
  it('are narrow, and a single one is already picked', () => {
    const found = toRuleItems([refuse('Bash(npm test)'), refuse(null, { why: 'too wide' })]);
    assert.deepEqual(found, [{ label: 'Bash(npm test)', rule: 'Bash(npm test)', picked: true }]);
  });

  it('are picked by the user if there are several', () => {
    const found = toRuleItems([refuse('Bash(npm test)'), refuse('Bash(npm ci)')]);
    assert.deepEqual(
      found.map(({ picked }) => picked),
      [false, false],
    );
  });

  it('are not already picked if they are not shown whole', () => {
    const [found] = toRuleItems([refuse(`Bash(echo ${'x'.repeat(90)})`)]);
    assert.equal(found?.picked, false);
    assert.match(found.detail ?? '', /^…x+\)$/);
  });

  it('are cut between two characters', () => {
    const [found] = toRuleItems([refuse(`Bash(${'😀'.repeat(60)})`)]);
    assert.doesNotMatch(`${found?.label ?? ''} ${found?.detail ?? ''}`, /\p{Surrogate}/u);
  });

  it('show which have not helped, or are already allowed', () => {
    const [one, other] = toRuleItems([
      refuse('Bash(a)', { hasNotHelped: true }),
      refuse('Bash(b)', { isAllowed: true }),
    ]);
    assert.match(one?.detail ?? '', /refused anyway/);
    assert.match(other?.detail ?? '', /its next attempt here may do it/);
  });
});
