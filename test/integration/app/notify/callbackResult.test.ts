import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readKeptResult, readResult } from '../../../../src/app/notify/callbackResult';
import { attempt } from '../../../support/queue/attempts';

describe('The answer in a callback', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'claude-queue-answer-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('is cut between two characters, so that strict readers of JSON take it', async () => {
    const answer = `a${'\u{1f600}'.repeat(40_000)}`;
    const line = JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: answer });
    writeFileSync(join(folder, 'out.jsonl'), `${line}\n`);
    const asked = [
      attempt({ output: 'out.jsonl' }),
      { output: (name: string) => join(folder, name) },
    ] as const;
    for (const [read, most] of [
      [readResult, 64 * 1024],
      [readKeptResult, 8 * 1024],
    ] as const) {
      const found = (await read(...asked, '0000')) ?? '';
      assert.ok(answer.startsWith(found) && found.length > most - 2 && found.length <= most);
      // UTF-8 has no half of a character.
      assert.equal(Buffer.from(found).toString(), found);
    }
  });
});
