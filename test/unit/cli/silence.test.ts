import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Desk, EVENING } from './desk';
import { CRONTAB, installProgram, openSchedulingDesk } from './schedulers';

const MINUTE = 60_000;

let desk: Desk;
let programs: string;
let table: string;

/** A start by the timer; there is nothing to run, or a limit is in the way. */
async function startByTimer(): Promise<void> {
  await desk.call('work', '--until-empty', '--alone', '--scheduled');
}

describe('A timer that is installed', () => {
  beforeEach(async () => {
    ({ desk, programs, table } = openSchedulingDesk());
    installProgram(programs, 'crontab', CRONTAB);
    await desk.call('hold');
    assert.equal((await desk.call('schedule', '--every', '30m')).code, 0);
  });
  afterEach(() => desk.remove());

  it('is late when it started nothing within 5 minutes of its first time', async () => {
    desk.now = EVENING + 35 * MINUTE;
    assert.doesNotMatch((await desk.call('status')).out, /The timer/);
    assert.doesNotMatch((await desk.call('status', '--check')).err, /The timer/);
    desk.now += 1;
    const sentence =
      /^The timer \(crontab\) should have started a worker at 18:30 and did not\. Look with "claude-queue schedule"/m;
    assert.match((await desk.call('status')).out, sentence);
    const status = await desk.call('status', '--check');
    assert.equal(status.code, 1);
    assert.match(status.err, /^The timer \(crontab\) should have started a worker at 18:30 and did not\.$/m);
    const check = await desk.call('check');
    assert.equal(check.code, 1);
    assert.match(check.out, /^worker {2}The timer \(crontab\) should have started/m);
    const quiet = await desk.call('check', '--quiet');
    assert.equal(quiet.code, 1);
    assert.match(
      quiet.out,
      /^claude-queue: The timer \(crontab\) should have started a worker at 18:30 and did not[^\n]*$/,
    );
  });

  it('is in time after each start that it makes, also when that finds nothing to do', async () => {
    desk.now = EVENING + 36 * MINUTE;
    await startByTimer();
    assert.doesNotMatch((await desk.call('status')).out, /The timer/);
    desk.now = EVENING + 65 * MINUTE;
    assert.doesNotMatch((await desk.call('status')).out, /The timer/);
    desk.now += 1;
    assert.match(
      (await desk.call('status')).out,
      /^The timer \(crontab\) should have started a worker at 19:00/m,
    );
  });

  it('keeps due tasks from being reported while it is in time', async () => {
    await desk.approve('1');
    await desk.call('resume');
    assert.doesNotMatch((await desk.call('status')).out, /is due/);
    desk.now = EVENING + 36 * MINUTE;
    assert.match((await desk.call('status')).out, /^1 task is due and no worker is running\./m);
  });

  it('is expected no more once it is removed', async () => {
    await desk.call('schedule', '--remove');
    desk.now = EVENING + 36 * MINUTE;
    assert.doesNotMatch((await desk.call('status')).out, /The timer/);
  });

  it('is known from its first start on when an older version installed it', async () => {
    rmSync(`${desk.queueFolder}/state`, { recursive: true });
    desk.now = EVENING + 60 * MINUTE;
    assert.doesNotMatch((await desk.call('status')).out, /The timer/);
    await startByTimer();
    desk.now = EVENING + 96 * MINUTE;
    assert.match(
      (await desk.call('status')).out,
      /^The timer \(crontab\) should have started a worker at 19:30/m,
    );
  });

  it('is expected every 4.5 hours from midnight when that was chosen', async () => {
    const { out } = await desk.call('schedule', '--every', '4.5h');
    assert.match(
      out,
      /^Scheduled by crontab, by this machine's clock: 0 0,9,18 \* \* \* and 30 4,13,22 \* \* \*$/m,
    );
    assert.match((await desk.call('schedule')).out, /: 0 0,9,18 \* \* \* and 30 4,13,22 \* \* \*$/m);
    desk.now = Date.parse('2026-11-20T22:35:00Z');
    assert.doesNotMatch((await desk.call('status')).out, /The timer/);
    desk.now += 1;
    assert.match(
      (await desk.call('status')).out,
      /^The timer \(crontab\) should have started a worker at 22:30/m,
    );
  });
});

describe('A queue without a timer', () => {
  beforeEach(() => {
    desk = new Desk();
    desk.installClaude('ok');
    desk.write('1,high,.,Do it,pending,2026-11-20 19:00,,no,,0,3');
  });
  afterEach(() => desk.remove());

  it('reports a task from the moment on at which it is due and no worker is running', async () => {
    await desk.approve('1');
    desk.now = EVENING + 60 * MINUTE - 1;
    assert.equal((await desk.call('status', '--check')).code, 0);
    assert.deepEqual(await desk.call('check', '--quiet'), { code: 0, out: '', err: '' });
    desk.now += 1;
    const { code, err } = await desk.call('status', '--check');
    assert.deepEqual([code, err], [1, '1 task is due and no worker is running.']);
    assert.deepEqual(await desk.call('check', '--quiet'), {
      code: 1,
      out: 'claude-queue: 1 task is due and no worker is running',
      err: '',
    });
  });

  it('reports a repeating task that is due although its last run awaits review', async () => {
    desk.env['CLAUDE_QUEUE_SELF_REPORT'] = 'required';
    desk.write('1,high,.,Do it,pending,,,yes,1h,0,3');
    await desk.approve('1');
    await desk.call('run', '--id', '1');
    assert.match((await desk.call('status', '--check')).out, /1 +review/);
    desk.now += 2 * 60 * MINUTE;
    assert.match((await desk.call('status', '--check')).err, /^1 task is due and no worker is running\.$/m);
  });

  it('makes no noise in a shell prompt in a folder without a queue', async () => {
    desk.env['PATH'] = '';
    assert.deepEqual(await desk.call('--queue', 'other.csv', 'check', '--quiet'), {
      code: 0,
      out: '',
      err: '',
    });
  });

  it('starts no program for a shell prompt', async () => {
    writeFileSync(`${desk.folder}/notes`, '');
    await desk.call('check', '--quiet');
    assert.equal(readFileSync(`${desk.folder}/notes`, 'utf8'), '');
  });

  for (const [row, words] of [
    ['1,high,.,Do it,pending,,9,no,,0,3\n9,high,.,x,failed,,,no,,0,3', '1 task is stuck'],
    ['1,high,.,Do it,pending,,,no,,0,3', '1 task is late'],
  ] as const) {
    it(`makes "status --check" exit 1 when ${words}`, async () => {
      desk.write(row);
      await desk.call('trust');
      desk.now = EVENING + 31 * MINUTE;
      const { code, err } = await desk.call('status', '--check');
      assert.equal(code, 1);
      assert.ok(err.split('\n').includes(`${words}.`), err);
    });
  }
});

describe('A crontab that starts queue_manager.sh', () => {
  let line: string;
  const others = '0 1 * * * /opt/queue_manager.sh run\n# 0 2 * * * mine\n';

  beforeEach(() => {
    ({ desk, programs, table } = openSchedulingDesk());
    installProgram(programs, 'crontab', CRONTAB);
    line = `*/30 * * * * ${desk.queueFolder}/queue_manager.sh run >> ${desk.queueFolder}/state/cron.log 2>&1`;
    writeFileSync(table, `${others}${line}\n`);
  });
  afterEach(() => desk.remove());

  const read = (): string => readFileSync(table, 'utf8');

  it('for the same folder is a problem that check names', async () => {
    const { code, out } = await desk.call('check');
    assert.equal(code, 1);
    assert.ok(out.includes(`crontab  starts queue_manager.sh for this queue: ${line} Replace it with`), out);
  });

  it('for another folder is none', async () => {
    writeFileSync(table, `${others}${line.replaceAll('claude_queue/', 'claude_queue2/')}\n`);
    assert.doesNotMatch((await desk.call('check')).out, /queue_manager/);
  });

  it('is replaced by schedule with --yes, and every other line stays', async () => {
    const { code, out } = await desk.call('schedule', '--every', '30m', '--yes');
    assert.equal(code, 0);
    assert.ok(out.includes(`Removed from the crontab:\n  ${line}`), out);
    const after = read();
    assert.ok(after.startsWith(others), after);
    assert.ok(!after.includes(line), after);
    assert.doesNotMatch((await desk.call('check')).out, /starts queue_manager/);
  });

  it('stays where nobody says yes, and schedule says so', async () => {
    const { code, err } = await desk.call('schedule', '--every', '30m');
    assert.equal(code, 0);
    assert.ok(err.includes(line) && err.includes('--yes'), err);
    assert.ok(read().includes(line));
  });
});
