import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CliHarness, FakeKeyboard } from '../../cliHarness';

/** State that `queue_manager_v2.sh` left (`before/`), and the same after `adopt` (`after/`). */
const FIXTURE = resolve(__dirname, '../../../../fixtures/scripts');

/** Two hours after the last run of the scripts. */
const TWO_HOURS_LATER = Date.parse('2026-11-22T16:07:46Z');

const LOGS = ['executed.log', 'quota_exceeded.log', 'repeat_tasks.log', 'retry_tasks.log'];

let cli: CliHarness;

const golden = (name: string): string => readFileSync(join(FIXTURE, name), 'utf8');

function readLogs(folder: string): string[] {
  return LOGS.map((name) => readFileSync(join(folder, 'state', name), 'utf8'));
}

describe('The history of queue_manager.sh', () => {
  beforeEach(() => {
    cli = new CliHarness();
    cli.now = TWO_HOURS_LATER;
    cli.installClaude('ok');
    cpSync(join(FIXTURE, 'before'), cli.queueFolder, { recursive: true });
    cli.writeFile('prompts.csv', golden('before/prompts.csv'));
  });
  afterEach(() => cli.remove());

  it('becomes the expected rows and history when it is adopted, and no log changes', async () => {
    const { code, out } = await cli.call('adopt', '--yes');
    assert.equal(code, 0, out);
    assert.equal(cli.read(), golden('after/prompts.csv'));
    assert.equal((await cli.call('history')).out, golden('after/history.txt').trimEnd());
    assert.deepEqual(readLogs(cli.queueFolder), readLogs(join(FIXTURE, 'before')));
  });

  it('is shown and not adopted by a dry run', async () => {
    const before = readdirSync(join(cli.queueFolder, 'state')).sort();
    const { code, out } = await cli.call('adopt', '--dry-run');
    assert.equal(code, 0);
    assert.equal(out.replaceAll(cli.folder, ''), golden('after/preview.txt').trimEnd());
    assert.deepEqual(readdirSync(join(cli.queueFolder, 'state')).sort(), before);
  });

  it('gives a daily task its next time: no second run two hours after the last one', async () => {
    await cli.call('adopt', '--yes');
    await cli.call('trust');
    assert.equal((await cli.shown(10))?.[0], 'scheduled');
    assert.match((await cli.shown(10))?.[1] ?? '', /2026-11-23 14:07/);
  });

  it('leaves a pending row that is in executed.log in review, and its dependents blocked', async () => {
    await cli.call('adopt', '--yes');
    assert.deepEqual([(await cli.shown(1))?.[0], (await cli.shown(2))?.[0]], ['review', 'review']);
    const { code } = await cli.call('accept', '1');
    assert.equal(code, 0);
    assert.equal((await cli.shown(1))?.[0], 'completed');
    assert.deepEqual(
      readLogs(cli.queueFolder),
      readLogs(join(FIXTURE, 'before')),
      'the record is there already',
    );
    await cli.call('retry', '2');
    assert.equal((await cli.shown(2))?.[0], 'unapproved');
  });

  it('is adopted as --done and --again say', async () => {
    const { code, out } = await cli.call('adopt', '--yes', '--done', '1,6', '--again', '2');
    assert.equal(code, 0, out);
    const shown = await Promise.all([1, 6, 2, 5].map(async (id) => (await cli.shown(id))?.[0]));
    assert.deepEqual(shown, ['completed', 'completed', 'unapproved', 'review']);
    assert.match(out, /^In review: task 5\. /m);
  });

  it('is adopted on a terminal only after a yes', async () => {
    const asked: string[] = [];
    const answer = async (...answers: readonly string[]): Promise<string> => {
      const left = [...answers];
      const keyboard = new FakeKeyboard();
      cli.keyboard = keyboard;
      cli.onLine = (text) => {
        if (!text.endsWith(']')) return;
        asked.push(text);
        setImmediate(() => keyboard.press(`${left.shift() ?? ''}\n`));
      };
      return (await cli.call('adopt')).out;
    };
    assert.match(await answer('y', 'a', '', '', 'n'), /\nNothing was changed\.$/);
    assert.equal(asked.length, 5);
    assert.match(
      asked[0] ?? '',
      /^Task 1 ran at 2026-11-22 14:07 \(exit code 0\), and its row is pending: Check/,
    );
    assert.equal(cli.read(), golden('before/prompts.csv'));
    assert.match(await answer('y', 'a', '', '', 'y'), /^Adopted 14 attempts\. Nothing was deleted\.$/m);
    const shown = await Promise.all([1, 2, 5, 6].map(async (id) => (await cli.shown(id))?.[0]));
    assert.deepEqual(shown, ['completed', 'unapproved', 'review', 'review']);
  });

  it('is not adopted if the input ends at a question', async () => {
    const keyboard = new FakeKeyboard();
    cli.keyboard = keyboard;
    let asked = 0;
    cli.onLine = (text) => {
      if (!text.endsWith(']')) return;
      asked += 1;
      // An input ends once.
      if (asked === 1) setImmediate(() => keyboard.emit('end'));
      else setImmediate(() => keyboard.press('y\n'));
    };
    const { code, out } = await cli.call('adopt');
    assert.equal(code, 4);
    assert.match(out, /\nNothing was changed\.$/);
    assert.equal(asked, 1);
    assert.equal(cli.read(), golden('before/prompts.csv'));
  });

  it('is not adopted without a terminal and without --yes', async () => {
    const { code, err } = await cli.call('adopt');
    assert.equal(code, 64);
    assert.match(err, /Use --yes/);
    assert.equal(cli.read(), golden('before/prompts.csv'));
  });

  it('is adopted once', async () => {
    await cli.call('adopt', '--yes');
    const before = cli.read();
    const again = await cli.call('adopt', '--yes');
    assert.deepEqual([again.code, again.out.startsWith('There is nothing to adopt')], [4, true]);
    assert.equal(cli.read(), before);
  });

  it('is adopted whole with a byte order mark and other line ends', async () => {
    const expected = (await cli.call('adopt', '--dry-run')).out;
    for (const name of LOGS) {
      const file = join(cli.queueFolder, 'state', name);
      writeFileSync(file, `\ufeff${readFileSync(file, 'utf8').replaceAll('\n', '\r\n')}`);
    }
    assert.equal((await cli.call('adopt', '--dry-run')).out, expected);
  });

  it('does not set due times from log times in the future', async () => {
    const state = join(cli.queueFolder, 'state');
    writeFileSync(join(state, 'executed.log'), '1,9999-12-31 23:59:59,5,0,Check the SDK version\n');
    writeFileSync(join(state, 'repeat_tasks.log'), '10,99999999999,1,0,daily,Look at AI trends\n');
    const { out } = await cli.call('adopt', '--yes');
    for (const name of ['executed.log', 'repeat_tasks.log'])
      assert.ok(out.includes(`${name}: 1 line cannot be read, skipped.`), out);
    assert.doesNotMatch((await cli.call('history')).out, /^(9999|5138)/m);
    assert.equal((await cli.shown(10))?.[0], 'unapproved');
  });

  it('cannot be adopted by a running task', async () => {
    cli.processes = { ...cli.processes, isInsideAttempt: () => true };
    const { code, err } = await cli.call('adopt', '--yes');
    assert.equal(code, 1);
    assert.match(err, /^A running task may not adopt a history/);
    assert.equal(cli.read(), golden('before/prompts.csv'));
  });

  for (const words of ['run', 'work --until-empty', 'next']) {
    it(`does not make "${words}" run anything again`, async () => {
      await cli.call('trust');
      const { code, err } = await cli.call(...words.split(' '));
      assert.equal(code, 1);
      assert.match(err, /has the history of queue_manager\.sh\. .* Until then nothing starts\.$/m);
    });
  }

  it('is offered by check until adopt or reset', async () => {
    const offer = /state {2}has the history of queue_manager\.sh\. Adopt it with "claude-queue adopt"/m;
    const first = await cli.call('check');
    assert.equal(first.code, 1);
    assert.match(first.out, offer);
    await cli.call('adopt', '--yes');
    assert.doesNotMatch((await cli.call('check')).out, offer);
    rmSync(join(cli.queueFolder, 'state'), { recursive: true });
    cpSync(join(FIXTURE, 'before'), cli.queueFolder, { recursive: true });
    await cli.call('reset');
    assert.doesNotMatch((await cli.call('check')).out, offer);
  });

  it('is offered by init', async () => {
    const there = await cli.call('init');
    assert.equal(there.code, 1);
    assert.match(there.err, /already exists; nothing was changed\. .*claude-queue adopt/);
    rmSync(cli.queueFile);
    const made = await cli.call('init');
    assert.equal(made.code, 0);
    assert.match(made.out, /claude-queue adopt/);
  });
});
