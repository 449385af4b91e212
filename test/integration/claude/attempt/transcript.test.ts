import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSessionEnd } from '../../../../src/claude/attempt/transcript';

interface Line {
  readonly text?: string;
  readonly model?: string;
  readonly tokens?: readonly [number, number, number];
  readonly type?: string;
  readonly isSidechain?: boolean;
  readonly isApiErrorMessage?: boolean;
}

function lineOf({ text, model = 'opus', tokens = [0, 0, 0], type = 'assistant', ...more }: Line): string {
  const [input_tokens, cache_read_input_tokens, cache_creation_input_tokens] = tokens;
  const usage = { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens: 7 };
  const content = text === undefined ? [{ type: 'tool_use', name: 'Bash' }] : [{ type: 'text', text }];
  return JSON.stringify({ type, ...more, message: { model, usage, content } });
}

describe('The end of a session', () => {
  let folder: string;
  let transcript: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'transcript-'));
    transcript = join(folder, 's.jsonl');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (...lines: readonly (Line | string)[]): void =>
    writeFileSync(
      transcript,
      lines.map((line) => `${typeof line === 'string' ? line : lineOf(line)}\n`).join(''),
    );

  it('gives the context size and the text of the last answer', async () => {
    write(
      { text: 'I begin.', tokens: [10, 0, 5000] },
      { text: 'Half of it is done.', tokens: [20, 5000, 300] },
      { tokens: [30, 5300, 400] },
    );
    assert.deepEqual(await readSessionEnd(transcript), {
      contextTokens: 5730,
      lastText: 'Half of it is done.',
    });
  });

  it('is taken from Claude alone: not from a subagent, the user or an error of Claude Code', async () => {
    write(
      { text: 'Mine.', tokens: [1, 2, 3] },
      { text: 'A helper.', tokens: [100, 0, 0], isSidechain: true },
      { text: "You've hit your limit", model: '<synthetic>' },
      { text: 'API Error', isApiErrorMessage: true },
      { text: 'assistant', type: 'user' },
      '{"type":"assistant","cut off',
    );
    assert.deepEqual(await readSessionEnd(transcript), { contextTokens: 6, lastText: 'Mine.' });
  });

  it('is empty without an answer of Claude, and without a transcript', async () => {
    assert.deepEqual(await readSessionEnd(transcript), { lastText: '' });
    write({ text: 'assistant', type: 'user' });
    assert.deepEqual(await readSessionEnd(transcript), { lastText: '' });
  });

  it('is found after megabytes of an image, without reading all before', async () => {
    write(
      { text: 'Long ago.' },
      'x'.repeat(17 * 1024 * 1024),
      { text: 'Seen.', tokens: [4, 0, 0] },
      'y'.repeat(2 ** 21),
    );
    assert.deepEqual(await readSessionEnd(transcript), { contextTokens: 4, lastText: 'Seen.' });
    write({ text: 'Long ago.', tokens: [4, 0, 0] }, 'x'.repeat(17 * 1024 * 1024));
    assert.deepEqual(await readSessionEnd(transcript), { lastText: '' });
  });
});
