import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReportToken } from '../../../src/account/reportToken';

describe('The token of reports', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'report-token-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const open = (): ReportToken => new ReportToken(folder);

  it('is created once and stays the same', async () => {
    assert.equal(await open().find(), undefined);
    assert.equal(await open().ensure(() => '4f9c'), '4f9c');
    assert.equal(await open().ensure(() => '0000'), '4f9c');
    assert.equal(await open().find(), '4f9c');
  });

  it('is 4 hex digits and nothing else', async () => {
    const stored = { version: 1, value: { token: '.*' } };
    writeFileSync(join(folder, 'report-token.json'), JSON.stringify(stored));
    await assert.rejects(open().find(), { reason: 'state-damaged' });
  });
});
