import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { isAbout, openPlace } from '../../support/queue/queuePlace';
import type { Status } from '../../support/queue/queuePlace';
import { hang, limit, text } from '../../support/claude/replies';

describe('reset', () => {
  it('archives the whole history, keeps pauses and budgets, and is refused while a task runs', async () => {
    const place = await openPlace({ respond: (turn) => (isAbout(turn, 'Hang') ? hang() : text('Done.')) });
    const { queue } = place;
    await queue.trust([{ id: 1, prompt: 'Do it' }]);
    assert.equal((await queue.run('work --until-empty')).code, 0);
    writeFileSync(queue.file, `${queue.read()}2,low,.,Hang,pending,,,no,,0,3\n`);
    const running = queue.start('run');
    await place.api.waitForTurn((turn) => isAbout(turn, 'Hang'));
    const refused = await queue.run('reset');
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /Task 2 is running/);
    assert.equal((await queue.run('stop --now')).code, 0);
    assert.equal((await running.ended).code, 1);

    const before = historyOf(queue.stateFiles(), queue.state);
    const rows = queue.read();
    const { code, stdout } = await queue.run('reset');
    assert.equal(code, 0);
    const archive = /Attempts, logs and outputs are now in (.*)\. Pauses,/.exec(stdout)?.[1] ?? '';
    assert.equal(relative(join(queue.state, 'archive'), archive), basename(archive));
    const after = historyOf(queue.stateFiles(), archive);
    for (const [name, contents] of before) {
      if (name === '.gitignore') continue;
      if (name === 'journal') assert.ok(after.get(name)?.startsWith(contents), 'the journal is kept');
      else assert.equal(after.get(name), contents, name);
    }
    assert.ok(before.has('executed.log') && before.has('outputs/task-1-attempt-1.jsonl'));
    assert.deepEqual(
      readdirSync(queue.state).filter((name) => !name.startsWith('step.lock')),
      // The new history, and what keeps older programs from start one of their own.
      ['.gitignore', 'archive', 'journal', 'journal.2', 'outputs'],
    );
    assert.deepEqual(readdirSync(join(queue.state, 'outputs')), []);
    assert.equal(queue.read(), rows);
    assert.deepEqual(
      (await queue.status()).tasks.map((task) => [task.status, task.lastOutcome]),
      [
        ['completed', 'success'],
        ['pending', 'cancelled'],
      ],
    );
    const status = await queue.run('status');
    assert.match(status.stdout, /2 of 20 attempts in the last hour/);
    assert.match((await queue.run('history')).stdout, /^No attempt has ended yet/);
    const output = await queue.run('attach 1');
    assert.equal(output.code, 1);
    assert.match(
      output.stderr,
      /Task 1 has no output here: its attempts were archived\. .* in state\/archive/,
    );
  });
});

/** Files of the history below a folder, by their name there. */
function historyOf(files: ReadonlyMap<string, string>, folder: string): Map<string, string> {
  const named = [...files].map(([file, contents]) => [relative(folder, file), contents] as const);
  return new Map(named.filter(([name]) => !name.startsWith('..') && !name.startsWith('step.lock')));
}

describe('init', () => {
  it('makes a usable queue file, and never changes an existing one', async () => {
    const { queue } = await openPlace();
    assert.equal((await queue.run('status')).code, 1, 'there is no queue yet');
    assert.equal((await queue.run('init')).code, 0);
    const made = queue.read();
    assert.equal(made.split('\n')[0]?.split(',').length, 11);
    assert.equal((await queue.run('check')).code, 0);
    assert.equal((await queue.run(['add', 'Say hello'])).code, 0);
    const added = queue.read();
    const again = await queue.run('init');
    assert.equal(again.code, 1);
    assert.match(again.stderr, /already exists; nothing was changed/);
    assert.equal(queue.read(), added);
    assert.equal(added, `${made}1,medium,.,Say hello,pending,,,no,,0,3\n`);
  });
});

describe('check', () => {
  it('finds each kind of problem, with its line and column, and changes nothing', async () => {
    const { queue } = await openPlace();
    const header =
      'id,priority,working_dir,prompt,status,scheduled_time,dependencies,repeat,repeat_interval,retry_count,max_retries';
    const rows: readonly (readonly [row: string, column: number, says: RegExp])[] = [
      ['1,urgent,.,Prompt,pending,,,no,,0,3', 3, /priority "urgent"/],
      ['2,high,.,Prompt,pending,tomorrow,,no,,0,3', 25, /time "tomorrow"/],
      ['3,high,.,Prompt,paused,,,no,,0,3', 17, /status "paused"/],
      ['4,high,.,Prompt,pending,,99,no,,0,3', 26, /Depends on 99, which does not exist/],
      ['5,high,.,Prompt,pending,,6,no,,0,3', 26, /Depends on itself: 5 → 6 → 5/],
      ['6,high,.,Prompt,pending,,5,no,,0,3', 26, /Depends on itself: 5 → 6 → 5/],
      [',high,.,Prompt,pending,,,no,,0,3', 1, /id is missing/],
      ['8,high,,Prompt,pending,,,no,,0,3', 8, /working directory is missing/],
      ['9,high,.,,pending,,,no,,0,3', 10, /prompt is missing/],
      ['10,high,.,Prompt,pending,,,no,,0', 1, /has 10 cells, but the header names 11/],
      ['11,high,.,Prompt,pending,,,yes,sometimes,0,3', 32, /interval "sometimes"/],
      ['12,high,.,Prompt,pending,,,no,,0,3', 1, /Id 12 is on lines 13 and 14/],
      ['12,high,.,Prompt,pending,,,no,,0,3', 1, /Id 12 is on lines 13 and 14/],
      [
        '13,high,nowhere,Prompt,pending,,,no,,0,3',
        1,
        /working directory .*nowhere of task 13 does not exist/,
      ],
      ['14,high,.,Prompt,pending,,,maybe,,0,3', 28, /"maybe"\. Use yes or no/],
    ];
    const file = [header, ...rows.map(([row]) => row), ''].join('\n');
    writeFileSync(queue.file, file);
    const { code, stdout } = await queue.run('check --json');
    assert.equal(code, 1);
    const { problems } = JSON.parse(stdout) as { problems: { where: string; message: string }[] };
    for (const [index, [row, column, says]] of rows.entries()) {
      const found = problems.filter(({ where }) => where === `${queue.file}:${index + 2}:${column}`);
      assert.ok(
        found.some(({ message }) => says.test(message)),
        `${row}: ${JSON.stringify(problems, null, 1)}`,
      );
    }
    assert.equal(problems.length, rows.length);
    assert.equal(queue.read(), file);
    assert.equal((await queue.run('check')).stdout.trim().split('\n').at(-1), `${rows.length} problems.`);

    writeFileSync(queue.file, `${header}\n1,high,.,"Never closed,pending,,,no,,0,3\n`);
    const broken = await queue.run('check');
    assert.equal(broken.code, 1);
    assert.match(broken.stdout, /prompts\.csv:2:10 .*never closed/);
  });

  it('finds missing programs and invalid settings', async () => {
    const { queue } = await openPlace({ signIn: 'none' });
    assert.equal((await queue.run('init')).code, 0);
    assert.match((await queue.run('check')).stdout, /not signed in/);
    const missing = await queue.run('check', { CLAUDE_QUEUE_CLAUDE: '/nowhere/claude' });
    assert.match(missing.stdout, /There is no program at \/nowhere\/claude/);
    const config = join(queue.folder, 'claude_queue', 'config.yaml');
    writeFileSync(config, 'maxPerHour: many\nmaxPerhour: 3\n');
    const wrong = await queue.run('check');
    assert.equal(wrong.code, 1);
    assert.match(wrong.stdout, /config\.yaml:1:1 {2}maxPerHour must be a whole number/);
    assert.match(
      wrong.stdout,
      /config\.yaml:2:1 {2}There is no setting "maxPerhour"\. Did you mean maxPerHour\?/,
    );
    const refused = await queue.run('work --until-empty');
    assert.deepEqual([refused.code, existsSync(join(queue.state, 'executed.log'))], [64, false]);
    assert.match(refused.stderr, /Invalid settings/);
    assert.equal(readFileSync(config, 'utf8').length, 31);
  });
});

describe('status --json', () => {
  it('keeps its fields, with an open gate and with a closed one', async () => {
    const { queue } = await openPlace({ respond: () => limit({ kind: 'five_hour', resetInSeconds: 600 }) });
    await queue.trust([
      { id: 1, prompt: 'One', priority: 4 },
      { id: 2, prompt: 'Two', dependencies: 1 },
      { id: 3, prompt: 'Three', priority: 'soon' },
    ]);
    const open = await queue.status();
    assert.deepEqual(open.gate, { state: 'open', until: null, reason: 'none' });
    assert.deepEqual([open.next, open.hold], [1, null]);
    assert.deepEqual(
      open.tasks.map(({ id, shown, reason }) => [id, shown, reason]),
      [
        [1, 'ready', ''],
        [2, 'blocked', 'waits for 1'],
      ],
    );
    assert.deepEqual(wordsOf(open), [
      ['high', 'high'],
      ['medium', 'medium'],
    ]);
    assert.deepEqual(
      open.problems.map(({ line, column }) => [line, column]),
      [[4, 3]],
    );

    const earliest = Date.now() + 595_000;
    assert.equal((await queue.run('run')).code, 2);
    const closed = await queue.status();
    assert.deepEqual([closed.gate.state, closed.gate.reason, closed.next], ['closed', 'five_hour', null]);
    const until = Date.parse(closed.gate.until ?? '');
    assert.ok(until >= earliest && until <= Date.now() + 600_000, closed.gate.until ?? '');
    assert.equal(new Date(until).toISOString(), closed.gate.until);
    const { gates } = closed as Status & { gates: Record<string, unknown>[] };
    assert.deepEqual(
      gates.map(({ kind, model, state }) => [kind, model, state]),
      [['five_hour', null, 'closed']],
    );
    assert.equal(closed.tasks[0]?.shown, 'waiting');
  });
});

function wordsOf(status: Status): unknown[] {
  return status.tasks.map((task) => {
    const { priority, effectivePriority } = task as unknown as Record<string, unknown>;
    return [priority, effectivePriority];
  });
}
