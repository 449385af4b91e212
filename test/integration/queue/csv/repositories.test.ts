import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { approvable } from '../../../../src/domain/task/approval';
import { permissionFingerprint } from '../../../../src/domain/task/permissionFingerprint';
import { placeOf } from '../../../../src/domain/task/place';
import type { Definition } from '../../../../src/domain/task/task';
import { RealFolders } from '../../../../src/platform/files/realFolders';
import type { RowContext } from '../../../../src/queue/row/rowContext';
import { csvOf } from '../csvFixture';
import { CONTEXT, understood, wrongWith } from '../readings';

describe('A row in a repository', () => {
  let folder: string;
  let context: RowContext;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'repositories-')));
    mkdirSync(join(folder, 'checkout', 'src'), { recursive: true });
    mkdirSync(join(folder, 'secrets'));
    symlinkSync(join(folder, 'checkout'), join(folder, 'link'));
    context = withRepository(join(folder, 'link'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const withRepository = (web: string): RowContext => ({ ...CONTEXT, repositories: new Map([['web', web]]) });
  const fileIn = (workingDir: string) => csvOf('id,working_dir,prompt', `1,${workingDir},one`);
  const read = (workingDir: string, by = context): Definition =>
    understood(fileIn(workingDir), 0, by).definition;
  const wrong = (workingDir: string, by = context): string => wrongWith(fileIn(workingDir), 0, by).join('\n');

  it('works in the folder that this machine has for it, with links resolved', () => {
    assert.equal(placeOf(read('repo:web')).folder, join(folder, 'checkout'));
    assert.equal(placeOf(read('repo:web/src')).folder, join(folder, 'checkout', 'src'));
    assert.equal(placeOf(read('repo:web/not/yet')).folder, join(folder, 'checkout', 'not', 'yet'));
  });

  it('has one text and one approval, wherever the repository is', () => {
    const [here, there, nowhere] = [
      read('repo:web/src', withRepository(join(folder, 'checkout'))),
      read('repo:web//./src/', withRepository(join(folder, 'secrets'))),
      read('repo:web/src', CONTEXT),
    ] as const;
    assert.equal(there.workingDir, 'repo:web/src');
    assert.notEqual(placeOf(here).folder, placeOf(there).folder);
    const [approval, ...others] = [here, there, nowhere].map((row) =>
      approvable(row, permissionFingerprint(row)),
    );
    assert.deepEqual(others, [approval, approval]);
    assert.notDeepEqual(approvable(here, permissionFingerprint(read('repo:web'))), approval);
  });

  it('needs a new approval when the link changes through which its repository was named', () => {
    const approvalNow = (): unknown => {
      const row = read('repo:web');
      return approvable(row, permissionFingerprint(row));
    };
    const before = approvalNow();
    assert.deepEqual(approvalNow(), before);
    rmSync(join(folder, 'link'));
    symlinkSync(join(folder, 'secrets'), join(folder, 'link'));
    assert.notDeepEqual(approvalNow(), before);
  });

  it('is valid where this machine does not have it', () => {
    const { workingDir, realDir } = read('repo:api');
    assert.deepEqual([workingDir, realDir], ['repo:api', undefined]);
  });

  it('is refused where it would lead out of the repository', () => {
    for (const text of [
      'repo:web/../secrets',
      'repo:web/src/..',
      'repo:..',
      'repo:',
      'repo:/etc',
      'repo:a b',
    ])
      assert.match(
        wrong(text),
        /^2:3 The working directory repo:.* does not name a folder in a repository\./,
      );
    symlinkSync(join(folder, 'secrets'), join(folder, 'checkout', 'out'));
    for (const text of ['repo:web/out', 'repo:web/out/new'])
      assert.match(
        wrong(text),
        /^2:3 The working directory repo:web\/out\S* leads out of its repository \S+\/checkout, to \S+\/secrets\S*\. Use a folder in the repository\.$/,
      );
    symlinkSync('src', join(folder, 'checkout', 'inside'));
    assert.equal(placeOf(read('repo:web/inside')).folder, join(folder, 'checkout', 'src'));
  });

  it('is read again once a link on its way changed', () => {
    const realFolders = new RealFolders();
    assert.equal(placeOf(read('repo:web', { ...context, realFolders })).folder, join(folder, 'checkout'));
    assert.equal(realFolders.stillHold(), true);
    rmSync(join(folder, 'link'));
    symlinkSync(join(folder, 'secrets'), join(folder, 'link'));
    assert.equal(realFolders.stillHold(), false);
  });

  it('works only in folders that the owner of the machine allows', () => {
    const allowed = { ...context, allowedDirectories: [join(folder, 'checkout', 'src')] };
    assert.equal(placeOf(read('repo:web/src', allowed)).folder, join(folder, 'checkout', 'src'));
    assert.match(wrong('repo:web', allowed), /\/checkout is outside of the allowed folders/);
    assert.equal(read('repo:api', allowed).realDir, undefined);
  });

  it('gets its priority from a rule that names the repository, on every machine', () => {
    const priorityRules = [
      { path: 'repo:web/./src/', priority: 'low' },
      { path: folder, priority: 'critical' },
      { path: 'repo:web', priority: 'high' },
    ] as const;
    for (const by of [context, CONTEXT]) {
      const priority = (workingDir: string): string => read(workingDir, { ...by, priorityRules }).priority;
      assert.deepEqual(['repo:web/src/x', 'repo:web', 'repo:website'].map(priority), [
        'low',
        'high',
        'medium',
      ]);
    }
  });
});
