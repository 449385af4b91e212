import assert from 'node:assert/strict';
import { POWER_COLUMNS, powerOf } from '../../../src/domain/power';
import { approvalOf } from '../../../src/domain/proof';
import type { Definition } from '../../../src/domain/task';

const task: Definition = {
  id: 1,
  priority: 'medium',
  workingDir: '/project',
  prompt: 'Do it',
  dependencies: [],
  maxRetries: 3,
};

describe('What an approval covers', () => {
  const widened: readonly [string, Partial<Definition>][] = [
    ['another prompt', { prompt: 'Do it!' }],
    ['another directory', { workingDir: '/project/sub' }],
    ['a permission mode', { permissionMode: 'auto' }],
    ['tools', { allowedTools: ['Bash'] }],
    ['another model', { model: 'opus' }],
    ['a check, which is a program', { verify: ['rm', '-rf', '.'] }],
  ];
  for (const [name, change] of widened) {
    it(`does not cover ${name}`, () => {
      assert.notEqual(powerOf({ ...task, ...change }), powerOf(task));
    });
  }

  it('covers another place in the order and another time', () => {
    const moved: Definition = {
      ...task,
      priority: 'low',
      dependencies: [3],
      maxRetries: 1,
      timeoutMs: 5,
    };
    assert.equal(powerOf(moved), powerOf(task));
  });

  it('does not cover the same row under another id', () => {
    const [one, other] = [task, { ...task, id: 2 }].map((row) =>
      approvalOf({ id: row.id, power: powerOf(row) }),
    );
    assert.notEqual(one, other);
  });

  it('covers every column that it says it covers', () => {
    const tried = widened.flatMap(([, change]) => Object.keys(change));
    assert.deepEqual(new Set(Object.values(POWER_COLUMNS)), new Set(tried));
  });

  it('tells no two lists of tools for the same', () => {
    const one = powerOf({ ...task, allowedTools: ['Bash,Edit'] });
    const two = powerOf({ ...task, allowedTools: ['Bash', 'Edit'] });
    assert.notEqual(one, two);
  });
});
