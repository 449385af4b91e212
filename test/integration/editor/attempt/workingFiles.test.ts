import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorkingFiles } from '../../../../src/editor/attempt/workingFiles';

describe('The files that the page of an attempt opens', () => {
  let place: string;
  let files: WorkingFiles;

  before(() => {
    place = realpathSync(mkdtempSync(join(tmpdir(), 'working-files-')));
    mkdirSync(join(place, 'work/src'), { recursive: true });
    writeFileSync(join(place, 'work/src/a.ts'), '');
    writeFileSync(join(place, 'secret'), '');
    symlinkSync(join(place, 'secret'), join(place, 'work/link'));
    symlinkSync(place, join(place, 'work/up'));
    files = new WorkingFiles(join(place, 'work'));
  });

  after(() => {
    rmSync(place, { recursive: true });
  });

  it('are those of the working directory, with the line that is named', () => {
    assert.deepEqual(files.find('src/a.ts'), { path: 'src/a.ts' });
    assert.deepEqual(files.find('src/a.ts:12:3'), { path: 'src/a.ts', line: 12 });
    assert.deepEqual(files.find('src/a.ts#L7-L9'), { path: 'src/a.ts', line: 7 });
    assert.deepEqual(files.find(join(place, 'work/src/a.ts')), { path: 'src/a.ts' });
  });

  it('are none outside of it, also through a link', () => {
    for (const name of [
      '../secret',
      join(place, 'secret'),
      'link',
      'up/secret',
      '/etc/passwd',
      'src',
      '',
      'no',
    ])
      assert.equal(files.find(name), null, name);
    assert.equal(files.locate('../secret'), null);
    assert.equal(files.locate('link'), null);
  });

  it('are none if the folder is not known or not there', () => {
    assert.equal(new WorkingFiles(null).find('src/a.ts'), null);
    assert.equal(new WorkingFiles(join(place, 'missing')).find('a'), null);
  });
});
