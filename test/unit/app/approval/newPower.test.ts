import assert from 'node:assert/strict';
import { describeRow } from '../../../../src/app/approval/approval';
import { describeNewPower } from '../../../../src/app/approval/newPower';
import type { Definition } from '../../../../src/domain/task/task';
import { paint } from '../../../support/queue/viewModels';

const found = (now: Partial<Definition>, before?: Partial<Definition>): string[] => {
  const [shown] = paint([{ fields: now }]).tasks;
  const [old] = before === undefined ? [] : paint([{ fields: before }]).tasks;
  assert.ok(shown !== undefined);
  return describeNewPower(shown, old === undefined ? undefined : describeRow(old.task), 'acceptEdits');
};

describe('The new power of a row', () => {
  it('is none for a plain new row, and for another prompt', () => {
    assert.deepEqual(found({}), []);
    assert.deepEqual(found({ prompt: 'b' }, { prompt: 'a' }), []);
  });

  it('names the tools that a new row names, and only the added ones of a changed row', () => {
    assert.deepEqual(found({ allowedTools: ['Bash(a)', 'Bash(b)'] }), ['new tools: Bash(a), Bash(b)']);
    assert.deepEqual(found({ allowedTools: ['Bash(a)', 'Bash(b)'] }, { allowedTools: ['Bash(a)'] }), [
      'new tool: Bash(b)',
    ]);
    assert.deepEqual(found({}, { allowedTools: ['Bash(a)'] }), []);
  });

  it('names a mode that is wider than before, or than the usual one', () => {
    assert.deepEqual(found({ permissionMode: 'bypassPermissions' }), [
      'wider mode: anything (bypassPermissions)',
    ]);
    assert.deepEqual(found({}, { permissionMode: 'plan' }), [
      'wider mode: edit and delete files in its folder; other tools need a rule (acceptEdits)',
    ]);
    assert.deepEqual(found({ permissionMode: 'plan' }, {}), []);
  });

  it('names another folder and another check', () => {
    assert.deepEqual(found({ workingDir: '/b', verify: ['npm', 'test'] }, { workingDir: '/a' }), [
      'runs a program as its check: npm test',
      'other folder: /b',
    ]);
  });

  it('names another set-up of its check', () => {
    const verify = ['npm', 'test'] as const;
    const setUp = { verify, verifyBefore: ['npm', 'ci'] };
    assert.deepEqual(found(setUp, { verify }), ['runs a program to set up its check: npm ci']);
    assert.deepEqual(found({ verify, verifyBefore: ['sh', 'x'] }, setUp), [
      'runs a program to set up its check: sh x',
    ]);
    assert.deepEqual(found(setUp, setUp), []);
    assert.deepEqual(found({ verify, verifyBefore: [] }, { verify }), []);
  });

  it('reveals invisible characters', () => {
    assert.deepEqual(found({ allowedTools: ['Bash(\u202ea)'] }), [String.raw`new tool: Bash(\u202ea)`]);
  });
});
