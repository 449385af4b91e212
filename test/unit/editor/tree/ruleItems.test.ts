import assert from 'node:assert/strict';
import type { Refusal } from '../../../../src/app/actions/grants';
import { toRuleItems } from '../../../../src/editor/tree/ruleItems';

const refuse = (rule: string | null, more: Partial<Refusal> = {}): Refusal => ({
  ...{ tool: 'Bash', detail: 'x', rule, why: '', isAllowed: false, hasNotHelped: false },
  ...more,
});

describe('The rules that a refused task can be given', () => {
  it('are those that are narrow, and the only one is picked already', () => {
    const found = toRuleItems([refuse('Bash(npm test)'), refuse(null, { why: 'too wide' })]);
    assert.deepEqual(found, [{ label: 'Bash(npm test)', rule: 'Bash(npm test)', picked: true }]);
  });

  it('are picked by the user where there are several', () => {
    const found = toRuleItems([refuse('Bash(npm test)'), refuse('Bash(npm ci)')]);
    assert.deepEqual(
      found.map(({ picked }) => picked),
      [false, false],
    );
  });

  it('are not picked for the user who does not see them whole', () => {
    const [found] = toRuleItems([refuse(`Bash(echo ${'x'.repeat(90)})`)]);
    assert.equal(found?.picked, false);
    assert.match(found.detail ?? '', /^…x+\)$/);
  });

  it('say where they have not helped, or are allowed already', () => {
    const [one, other] = toRuleItems([
      refuse('Bash(a)', { hasNotHelped: true }),
      refuse('Bash(b)', { isAllowed: true }),
    ]);
    assert.match(one?.detail ?? '', /refused anyway/);
    assert.match(other?.detail ?? '', /its next attempt may do it/);
  });
});
