import assert from 'node:assert/strict';
import { powerOf } from '../../../src/domain/power';
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

  it('covers another place in the order, another time and another id', () => {
    const moved: Definition = {
      ...task,
      id: 9,
      priority: 'low',
      dependencies: [3],
      maxRetries: 1,
      timeoutMs: 5,
    };
    assert.equal(powerOf(moved), powerOf(task));
  });

  it('tells no two lists of tools for the same', () => {
    const one = powerOf({ ...task, allowedTools: ['Bash,Edit'] });
    const two = powerOf({ ...task, allowedTools: ['Bash', 'Edit'] });
    assert.notEqual(one, two);
  });
});
