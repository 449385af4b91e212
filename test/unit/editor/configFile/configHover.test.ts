import assert from 'node:assert/strict';
import { describeAt } from '../../../../src/editor/configFile/configHover';
import { parseConfig } from '../../../../src/platform/files/configText';

async function hoverAt(marked: string): Promise<string | null> {
  const offset = marked.indexOf('|');
  return describeAt(await parseConfig(marked.replace('|', '')), offset)?.text ?? null;
}

describe('The hover in a settings file', () => {
  it('has meaning, values, default and variable, on the name and on the value', async () => {
    const expected = [
      '**maxPerHour** — setting of the queue',
      'Attempts that may start within an hour.',
      'Values: attempts, at least 1  \nDefault: `20`  \nVariable: `CLAUDE_QUEUE_MAX_PER_HOUR`',
    ].join('\n\n');
    assert.equal(await hoverAt('strict: true\nmax|PerHour: 30\n'), expected);
    assert.equal(await hoverAt('strict: true\nmaxPerHour: 3|0\n'), expected);
  });

  it('is the one of the setting on its parts too', async () => {
    assert.match((await hoverAt('pools:\n  fast:\n    m|in: 1\n')) ?? '', /^\*\*pools\*\*/);
  });

  it('is absent elsewhere', async () => {
    for (const text of ['# a |comment\nstrict: true\n', 'unknown|: 3\n', '- a|\n', '|'])
      assert.equal(await hoverAt(text), null, text);
  });
});
