import assert from 'node:assert/strict';
import { RealFolders } from '../../../../src/platform/files/realFolders';
import { readTexts } from '../../../../src/queue/row/readTexts';

const CONTEXT = {
  timeZone: 'UTC',
  folder: '/space',
  home: '/home/ken',
  allowBypass: false,
  realFolders: Object.assign(new RealFolders(), { find: (folder: string) => folder }),
};

function read(texts: Readonly<Record<string, string>>): ReturnType<typeof readTexts> {
  return readTexts((column) => texts[column] ?? '', CONTEXT);
}

describe('The texts of a row', () => {
  it('give a task without a file, with defaults for missing columns', () => {
    const reading = read({ id: '7', working_dir: 'shop', prompt: 'Do it', tags: 'a|b' });
    assert.ok('row' in reading);
    const { definition, shared } = reading.row;
    assert.deepEqual(
      [definition.id, definition.workingDir, definition.priority, definition.tags, shared.status],
      [7, '/space/shop', 'medium', ['a', 'b'], 'pending'],
    );
  });

  it('take the set-up of a check from the settings of the queue, where there is a check', () => {
    const setUpOf = (verify: string, verifyBefore?: readonly string[]): readonly string[] | undefined => {
      const texts: Readonly<Record<string, string>> = {
        id: '7',
        working_dir: '/shop',
        prompt: 'Do it',
        verify,
      };
      const context = verifyBefore === undefined ? CONTEXT : { ...CONTEXT, verifyBefore };
      const reading = readTexts((column) => texts[column] ?? '', context);
      return 'row' in reading ? reading.row.definition.verifyBefore : ['wrong'];
    };
    assert.deepEqual(setUpOf('["true"]', ['npm', 'ci']), ['npm', 'ci']);
    assert.deepEqual(setUpOf('["true"]', []), []);
    assert.equal(setUpOf('', ['npm', 'ci']), undefined);
    assert.equal(setUpOf('["true"]'), undefined);
  });

  it('cannot name a prompt file in a queue in Redis: each machine could have its own', () => {
    const texts: Readonly<Record<string, string>> = {
      id: '7',
      working_dir: '/shop',
      prompt: 'Do it',
      prompt_file: 'task.md',
    };
    const reading = readTexts((column) => texts[column] ?? '', { ...CONTEXT, folder: null });
    assert.ok('problems' in reading);
    assert.deepEqual(
      reading.problems.map(({ column, message }) => [column, message.split('.')[0]]),
      [['prompt_file', 'A queue in Redis has no prompt files: machines could have different ones']],
    );
  });

  it('can add to the system prompt whatever fits into an argument', () => {
    const readPrompt = (text: string) =>
      read({ id: '7', working_dir: 'shop', prompt: 'Do it', append_system_prompt: text });
    const long = 'ä'.repeat(32 * 1024);
    for (const text of ['--version', 'two\nlines', long]) {
      const reading = readPrompt(text);
      assert.ok('row' in reading);
      assert.equal(reading.row.definition.appendSystemPrompt, text);
    }
    for (const text of [`${long}.`, 'a\0b']) {
      const reading = readPrompt(text);
      assert.ok('problems' in reading);
      assert.deepEqual(
        reading.problems.map(({ column }) => column),
        ['append_system_prompt'],
      );
    }
  });

  it('can pass no more to a receiver of callbacks than 256 characters of id and 4 KiB of facts', () => {
    const problemsOf = (request_id: string, metadata: string): readonly string[] => {
      const reading = read({ id: '7', working_dir: 'shop', prompt: 'Do it', request_id, metadata });
      return 'problems' in reading ? reading.problems.map(({ column }) => column) : [];
    };
    assert.deepEqual(problemsOf('é'.repeat(256), 'é'.repeat(2048)), []);
    assert.deepEqual(problemsOf('é'.repeat(257), 'é'.repeat(2049)), ['request_id', 'metadata']);
  });

  it('can skip a task that repeats, and no other, while nothing has changed', () => {
    const base = { id: '7', working_dir: 'shop', prompt: 'Do it' };
    const daily = { ...base, repeat: 'yes', repeat_interval: 'daily' };
    const reading = read({ ...daily, unless_unchanged: 'true' });
    assert.ok('row' in reading);
    assert.equal(reading.row.definition.unlessUnchanged, true);
    for (const texts of [
      { ...base, unless_unchanged: 'true' },
      { ...daily, unless_unchanged: 'maybe' },
    ]) {
      const wrong = read(texts);
      assert.ok('problems' in wrong);
      assert.deepEqual(
        wrong.problems.map(({ column }) => column),
        ['unless_unchanged'],
      );
    }
  });

  it('that are invalid are reported by their columns, all at once', () => {
    const texts = { id: '7', working_dir: 'shop', prompt: ' ', priority: 'urgent', retry_count: '-1' };
    const reading = read(texts);
    assert.ok('problems' in reading);
    const columns = reading.problems.map(({ column }) => column);
    assert.deepEqual(columns.sort(), ['priority', 'prompt', 'retry_count']);
  });
});
