import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Approvals } from '../../../src/account/approvals';

describe('What a person approved', () => {
  let folder: string;
  let state: string;
  let queueFile: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'approvals-'));
    state = join(folder, 'state');
    queueFile = join(folder, 'repository', 'claude_queue', 'prompts.csv');
    mkdirSync(join(folder, 'repository', 'claude_queue'), { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const open = (file = queueFile): Approvals => new Approvals(state, file);

  it('is nothing at first', async () => {
    assert.deepEqual(await open().read(), { trusted: false, powers: new Set() });
    assert.equal(readdirSync(folder).includes('state'), false);
  });

  it('is exactly what was approved, by whoever asks', async () => {
    await open().approve(['a', 'b']);
    await open().approve(['b', 'c']);
    await open().approve([]);
    assert.deepEqual(await open().read(), { trusted: false, powers: new Set(['a', 'b', 'c']) });
  });

  it('holds for that queue file alone', async () => {
    await open().approve(['a']);
    await open().trust(true);
    assert.deepEqual(await open(`${queueFile}.other`).read(), { trusted: false, powers: new Set() });
  });

  it('may be the whole file from now on, and no longer', async () => {
    await open().approve(['a']);
    await open().trust(true);
    await open().trust(true);
    assert.deepEqual(await open().read(), { trusted: true, powers: new Set(['a']) });
    await open().trust(false);
    assert.deepEqual(await open().read(), { trusted: false, powers: new Set(['a']) });
  });

  it('does not get lost where many approve at once', async () => {
    const powers = Array.from({ length: 10 }, (_, index) => `power-${index}`);
    await Promise.all([...powers.map((power) => open().approve([power])), open().trust(true)]);
    assert.deepEqual(await open().read(), { trusted: true, powers: new Set(powers) });
  });

  it('lies outside of the repository, for its owner’s eyes alone', async () => {
    await open().approve(['a']);
    assert.deepEqual(readdirSync(join(folder, 'repository', 'claude_queue')), []);
    const approvals = join(state, 'approvals');
    assert.equal(statSync(approvals).mode & 0o777, 0o700);
    const files = readdirSync(approvals).filter((name) => name.endsWith('.json'));
    assert.equal(files.length, 1);
    assert.equal(statSync(join(approvals, files[0] ?? '')).mode & 0o777, 0o600);
  });
});
