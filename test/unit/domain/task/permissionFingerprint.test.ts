import assert from 'node:assert/strict';
import {
  approvalFingerprint,
  PERMISSION_COLUMNS,
  permissionFingerprint,
} from '../../../../src/domain/task/permissionFingerprint';
import { approvalOf } from '../../../../src/domain/task/approval';
import type { Definition } from '../../../../src/domain/task/task';

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
    ['a prompt file', { promptFile: { path: 'task.md', text: 'Do it' } }],
    ['another directory', { workingDir: '/project/sub' }],
    ['a permission mode', { permissionMode: 'auto' }],
    ['tools', { allowedTools: ['Bash'] }],
    ['another model', { model: 'opus' }],
    ['a text for the system prompt', { appendSystemPrompt: 'Be brief.' }],
    ['a check, which is a program', { verify: ['rm', '-rf', '.'] }],
    ['an address that gets its results', { callbackUrl: 'https://other.test/' }],
    ['another request id for that address', { callbackUrl: 'https://other.test/', requestId: 'r-1' }],
    ['other facts for that address', { callbackUrl: 'https://other.test/', metadata: '{}' }],
  ];
  for (const [name, change] of widened) {
    it(`does not cover ${name}`, () => {
      assert.notEqual(approvalOfRow({ ...task, ...change }), approvalOfRow(task));
    });
  }

  it('covers a request id and facts that no address of the row gets', () => {
    assert.equal(approvalOfRow({ ...task, requestId: 'r-1', metadata: '{}' }), approvalOfRow(task));
  });

  it('covers no other request id and no other facts than it was given for', () => {
    const called = { ...task, callbackUrl: 'https://other.test/' };
    const rows = [{}, { requestId: 'a' }, { metadata: 'a' }, { requestId: 'a', metadata: 'a' }];
    const approvals = rows.map((cells) => approvalOfRow({ ...called, ...cells }));
    assert.equal(new Set(approvals).size, rows.length);
    // Approvals of rows without these cells stay.
    assert.equal(approvals[0], '4845a0ef24f6b0953e8fe548dac8a488');
  });

  it('covers no other set-up of a check than it was given for, and none', () => {
    const checked = { ...task, verify: ['true'] as const };
    const called = { ...checked, callbackUrl: 'https://other.test/' };
    for (const row of [checked, called]) {
      const setUps = [undefined, [], ['npm', 'ci'], ['npm ci'], ['npm', 'ci', '-q']];
      const approvals = setUps.map((setUp) =>
        approvalOfRow(setUp === undefined ? row : { ...row, verifyBefore: setUp }),
      );
      assert.equal(new Set(approvals).size, setUps.length);
    }
    // History, sessions and times stay.
    assert.equal(permissionFingerprint({ ...checked, verifyBefore: ['a'] }), permissionFingerprint(checked));
  });

  it('covers the same text in another prompt file, and no other text in the same file', () => {
    const power = (path: string, text: string): string =>
      permissionFingerprint({ ...task, promptFile: { path, text } });
    assert.equal(power('a.md', 'Do it'), power('b.md', 'Do it'));
    assert.notEqual(power('a.md', 'Do it'), power('a.md', 'Do it!'));
  });

  it('covers another place in the order and another time', () => {
    const moved: Definition = {
      ...task,
      priority: 'low',
      dependencies: [3],
      maxRetries: 1,
      timeoutMs: 5,
    };
    assert.equal(permissionFingerprint(moved), permissionFingerprint(task));
  });

  it('does not cover the same row under another id', () => {
    const [one, other] = [task, { ...task, id: 2 }].map((row) =>
      approvalOf({ id: row.id, power: permissionFingerprint(row) }),
    );
    assert.notEqual(one, other);
  });

  it('is the hash of the columns alone if the row names its real folder', () => {
    assert.equal(approvalFingerprint(task, permissionFingerprint(task)), permissionFingerprint(task));
  });

  it('does not cover another real folder behind the same path', () => {
    const [first, second] = ['/elsewhere', '/nowhere'].map((realDir) =>
      approvalFingerprint({ ...task, realDir }, permissionFingerprint(task)),
    );
    assert.notEqual(first, second);
    assert.notEqual(first, permissionFingerprint(task));
  });

  it('leaves the identity of a task as it is when its real folder changes', () => {
    assert.equal(permissionFingerprint({ ...task, realDir: '/elsewhere' }), permissionFingerprint(task));
    // This never changes: released versions keep history, sessions and times by it.
    assert.equal(permissionFingerprint(task), '0effc908d43dd4d01668539e7780e013');
  });

  it('leaves the identity of a task as it is when its callback address changes', () => {
    const called = { ...task, callbackUrl: 'https://one.test/' };
    assert.equal(permissionFingerprint(called), permissionFingerprint(task));
    assert.notEqual(approvalOfRow(called), approvalOfRow({ ...task, callbackUrl: 'https://other.test/' }));
    // Approvals of earlier versions count where there is only another real folder.
    const linked = { ...task, realDir: '/elsewhere' };
    assert.notEqual(approvalOfRow(linked), approvalOfRow({ ...linked, ...called }));
    assert.equal(approvalOfRow(linked), 'b6528e57879e3802a1c6dd4906b49804');
  });

  it('covers every column of its list', () => {
    const tried = widened.flatMap(([, change]) => Object.keys(change));
    assert.deepEqual(new Set(Object.values(PERMISSION_COLUMNS)), new Set(tried));
  });

  it('differs for different lists of tools', () => {
    const one = permissionFingerprint({ ...task, allowedTools: ['Bash,Edit'] });
    const two = permissionFingerprint({ ...task, allowedTools: ['Bash', 'Edit'] });
    assert.notEqual(one, two);
  });
});

function approvalOfRow(row: Definition): string {
  return approvalFingerprint(row, permissionFingerprint(row));
}
