import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import { openPlace } from '../../support/queue/queuePlace';
import type { QueueFolder } from '../../support/queue/queuePlace';

const MEGABYTE = 1_000_000;

const PROMPTS: Readonly<Record<string, string>> = {
  'a dash at the start': '--dangerously-skip-permissions is what I ask about',
  'everything that a shell would take for its own':
    '"quoted" \'single\' $(touch stolen) `touch stolen` $HOME \\n ; rm -rf . | cat && echo <in >out *?[a]{b}~!#%',
  'several lines of a Mac, and a tab': 'First line\nSecond\tline\n\n  indented, "quoted"\nlast',
  'Windows line ends': 'First\r\nSecond, with a comma\r\n\r\nlast',
  'emoji and scripts of the world': '🙂👩‍👩‍👧 おはよう, שלום — naïve ﷽ \u200B|\u00A0|',
  'a command of Claude Code in the middle': 'Say what /help and @file and !ls and #note mean',
  'a million characters': `${'All work and no play, "they" said.\n'.repeat(MEGABYTE / 35)}The end.`,
};

describe('A prompt', () => {
  it('arrives at the API character by character, and the logs that quote it in one line can be read back', async () => {
    const { queue, api } = await openPlace();
    const names = Object.keys(PROMPTS);
    await queue.trust(
      names.map((name, index) => ({
        id: index + 1,
        prompt: PROMPTS[name] ?? '',
        repeat: 'yes',
        repeat_interval: 'daily',
      })),
    );
    const before = queue.read();
    const { code, stderr } = await queue.run('work --until-empty');
    assert.equal(code, 0, stderr);
    const turns = api.turns();
    assert.equal(turns.length, names.length);
    for (const [index, name] of names.entries()) {
      assert.ok(
        turns[index]?.userTexts.includes(PROMPTS[name] ?? ''),
        `${name}: ${turns[index]?.lastUserText.slice(0, 200)}`,
      );
    }
    assert.equal(queue.read(), before);
    const reported = Object.values(PROMPTS).map(inLog);
    assert.deepEqual(
      records(queue, 'executed').map((record) => record[4]),
      reported,
    );
    assert.deepEqual(
      records(queue, 'repeat_tasks').map((record) => [record[3], record[4], record[5]]),
      reported.map((prompt) => ['0', 'daily', prompt]),
    );
  });
});

/** A prompt as the logs quote it: in one line, at most 500 characters. */
function inLog(prompt: string): string {
  const line = prompt.replaceAll(/[\r\n]+\s*/g, ' ');
  return line.length > 500 ? `${line.slice(0, 499)}…` : line;
}

/** As any program reads RFC 4180, each record of the same length. */
function records(queue: QueueFolder, name: 'executed' | 'repeat_tasks'): string[][] {
  return parse(queue.log(name), { relax_column_count: false, record_delimiter: '\n' });
}
