import assert from 'node:assert/strict';
import { assert as check, array, property, string, uint8Array, jsonValue, nat } from 'fast-check';
import { createLineSplitter } from '../../../../src/claude/attempt/lineSplitter';
import { parseLine } from '../../../../src/claude/stream/parseLine';
import { createStreamReader, readUsage } from '../../../../src/claude/stream/stream';

const splitAll = (pieces: readonly Uint8Array[], longest?: number): string[] => {
  const splitter = createLineSplitter(longest);
  return [...pieces.flatMap((piece) => splitter.push(Buffer.from(piece))), ...splitter.end()];
};

describe('Output that comes in pieces', () => {
  it('gives the same lines wherever it is cut, also inside a character', () => {
    check(
      property(array(string({ unit: 'binary' })), array(nat(40)), (texts, cuts) => {
        const lines = texts.map((text) => text.replace(/[\r\n]/g, ''));
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        const pieces: Buffer[] = [];
        let at = 0;
        for (const cut of cuts) {
          pieces.push(bytes.subarray(at, at + cut));
          at += cut;
        }
        pieces.push(bytes.subarray(at));
        const whole = bytes.toString('utf8').split('\n').slice(0, -1);
        assert.deepEqual(splitAll(pieces), whole);
      }),
    );
  });

  it('can have CRLF line ends, and no last line end', () => {
    assert.deepEqual(splitAll([Buffer.from('a\r'), Buffer.from('\nb\r\n\nc')]), ['a', 'b', '', 'c']);
  });

  it('is passed on in parts if a line is too long', () => {
    assert.deepEqual(splitAll([Buffer.from('abcd'), Buffer.from('ef\ng\n')], 3), ['abcd', 'ef', 'g']);
  });
});

describe('A line of output', () => {
  it('never stops the reader, whatever it contains', () => {
    check(
      property(uint8Array({ maxLength: 300 }), (bytes) => {
        parseLine(Buffer.from(bytes).toString('utf8'));
      }),
    );
    const names = ['system', 'assistant', 'rate_limit_event', 'result', 'user'];
    check(
      property(jsonValue(), jsonValue(), nat(4), (one, other, index) => {
        const line = {
          type: names[index],
          subtype: one,
          message: other,
          rate_limit_info: other,
          errors: one,
        };
        const reader = createStreamReader();
        reader.push(JSON.stringify(line));
        reader.push(
          JSON.stringify({ ...line, subtype: 'init', model: one, permission_denials: [other], result: one }),
        );
        readUsage(reader.facts().rateLimit);
      }),
    );
  });

  it('that is not JSON is kept as text; of many only the last', () => {
    const reader = createStreamReader();
    for (let index = 0; index < 3000; index += 1) reader.push(`line ${index} ${'x'.repeat(100)}`);
    assert.match(reader.facts().plainText, /line 2999/);
    assert.ok(reader.facts().plainText.length <= 64 * 1024);
    assert.equal(reader.facts().structured, false);
  });

  it('of the account gives its own window in versions without other windows', () => {
    const info = {
      status: 'allowed_warning',
      rateLimitType: 'seven_day',
      utilization: 0.8,
      resetsAt: 1795402150,
    };
    const message = parseLine(JSON.stringify({ type: 'rate_limit_event', rate_limit_info: info }));
    assert.equal(message.type, 'rate-limit');
    assert.deepEqual(readUsage(message.info), [
      { window: 'seven_day', utilization: 0.8, resetAt: 1_795_402_150_000 },
    ]);
  });
});
