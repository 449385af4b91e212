import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { WorkerChoice } from '../../../../src/domain/queue/view';
import { formatMinute } from '../../../../src/domain/time/localTime';
import { machineZone } from '../../../../src/platform/timeZones';
import { machineId } from '../../../../src/platform/processes/machine';
import { CliHarness, EVENING } from '../cliHarness';
import { openCliQueue } from '../fileQueue';
import { CRONTAB, installProgram } from '../../../support/machine/schedulers';
import { openSchedulingCli } from '../schedulers';

const MINUTE = 60_000;

let cli: CliHarness;
let programs: string;
let table: string;

/** A start by the timer; there is nothing to run, or a limit is in the way. */
async function startByTimer(): Promise<void> {
  await cli.call('work', '--until-empty', '--alone', '--scheduled');
}

describe('An installed timer', () => {
  beforeEach(async () => {
    ({ cli, programs, table } = openSchedulingCli());
    installProgram(programs, 'crontab', CRONTAB);
    await cli.call('hold');
    assert.equal((await cli.call('schedule', '--every', '30m')).code, 0);
  });
  afterEach(() => cli.remove());

  it('is late if it started nothing within 5 minutes of its first time', async () => {
    cli.now = EVENING + 35 * MINUTE;
    assert.doesNotMatch((await cli.call('status')).out, /The timer/);
    assert.doesNotMatch((await cli.call('status', '--check')).err, /The timer/);
    cli.now += 1;
    const sentence =
      /^The timer \(crontab\) should have started a worker at 18:30 and did not\. Check with "claude-queue schedule"/m;
    assert.match((await cli.call('status')).out, sentence);
    const status = await cli.call('status', '--check');
    assert.equal(status.code, 1);
    assert.match(status.err, /^The timer \(crontab\) should have started a worker at 18:30 and did not\.$/m);
    const check = await cli.call('check');
    assert.equal(check.code, 1);
    assert.match(check.out, /^worker {2}The timer \(crontab\) should have started/m);
    const quiet = await cli.call('check', '--quiet');
    assert.equal(quiet.code, 1);
    assert.match(
      quiet.out,
      /^claude-queue: The timer \(crontab\) should have started a worker at 18:30 and did not[^\n]*$/,
    );
  });

  it('is on time after each start, also one that finds nothing to do', async () => {
    cli.now = EVENING + 36 * MINUTE;
    await startByTimer();
    assert.doesNotMatch((await cli.call('status')).out, /The timer/);
    cli.now = EVENING + 65 * MINUTE;
    assert.doesNotMatch((await cli.call('status')).out, /The timer/);
    cli.now += 1;
    assert.match(
      (await cli.call('status')).out,
      /^The timer \(crontab\) should have started a worker at 19:00/m,
    );
  });

  it('is not late because its worker runs for longer than its interval, also if it starts no second one', async () => {
    await cli.approve('1');
    await cli.call('resume');
    Object.assign(cli.env, { FAKE_SCRIPT: 'ok', PATH: `${programs}:${dirname(process.execPath)}` });
    cli.now = EVENING + 30 * MINUTE;
    let during = Promise.resolve('');
    cli.onLine = (text) => {
      if (!text.includes('Task 1 (')) return;
      cli.now += 3 * 60 * MINUTE;
      cli.onLine = () => undefined;
      during = cli.call('status').then(({ out }) => out);
    };
    await startByTimer();
    assert.match(await during, /1 +running/);
    assert.doesNotMatch(await during, /The timer/);
    assert.doesNotMatch((await cli.call('status')).out, /The timer/, 'after its end');
    cli.now = EVENING + 245 * MINUTE + 1;
    assert.match(
      (await cli.call('status')).out,
      /^The timer \(crontab\) should have started a worker at 22:00/m,
    );
  });

  // On any machine, the time comes sooner in one of these zones than in the machine's.
  for (const zone of ['Asia/Tokyo', 'America/Los_Angeles']) {
    it(`is on time by the machine's clock, also in a shell whose TZ is ${zone}`, async () => {
      const hour = Number(formatMinute(EVENING + 12 * 60 * MINUTE, machineZone()).slice(11, 13));
      await cli.call('schedule', '--cron', `0 ${String(hour)} * * *`);
      const { TZ } = process.env;
      process.env['TZ'] = zone;
      try {
        cli.now = EVENING + 11 * 60 * MINUTE;
        assert.doesNotMatch((await cli.call('status')).out, /The timer/);
        cli.now = EVENING + 13 * 60 * MINUTE;
        assert.match(
          (await cli.call('status')).out,
          /^The timer \(crontab\) should have started a worker at 06:00/m,
        );
      } finally {
        if (TZ === undefined) delete process.env['TZ'];
        else process.env['TZ'] = TZ;
      }
    });
  }

  it('of another machine is late by that clock', async () => {
    const queue = await openCliQueue(cli);
    const elsewhere = { machine: 'mars/0123456789ab', timeZone: 'Asia/Tokyo' };
    await queue.recordTimer({ by: 'crontab', crons: ['0 12 * * *'], ...elsewhere }, 'timer');
    await queue.close();
    cli.now = Date.parse('2026-11-21T03:05:00Z');
    assert.doesNotMatch((await cli.call('status')).out, /The timer/);
    cli.now += 1;
    assert.match(
      (await cli.call('status')).out,
      /^The timer \(crontab\) should have started a worker at 03:00/m,
    );
  });

  it('prevents a report of due tasks while it is on time', async () => {
    await cli.approve('1');
    await cli.call('resume');
    assert.doesNotMatch((await cli.call('status')).out, /is due/);
    cli.now = EVENING + 36 * MINUTE;
    assert.match((await cli.call('status')).out, /^1 task is due and no worker is running\./m);
  });

  it('whose worker cannot start has its due tasks reported', async () => {
    await cli.call('resume');
    await cli.call('add', 'One');
    cli.now = EVENING + 30 * MINUTE;
    cli.env['CLAUDE_QUEUE_CLAUDE'] = '/nowhere/claude';
    await startByTimer();
    const isDue = /tasks? (?:is|are) due and no worker is running/;
    assert.doesNotMatch((await cli.call('status')).out, isDue, 'it may still start');
    cli.now += 5 * MINUTE - 1;
    assert.doesNotMatch((await cli.call('status')).out, isDue);
    cli.now += 1;
    assert.match((await cli.call('status')).out, isDue);
    assert.match((await cli.call('status', '--check')).err, isDue);
  });

  it('whose worker cannot start has its due tasks reported beside a dead worker, which is named', async () => {
    await cli.approve('1');
    await cli.call('resume');
    const dead = { pid: 999_999_999, startedAt: 'then' };
    const queue = await openCliQueue(cli);
    const owner = { kind: 'process', worker: 'w5', machine: machineId(), process: dead } as const;
    await queue.register({ owner, since: cli.now }, { alone: false }, 'enlist-w5');
    await queue.close();
    cli.env['CLAUDE_QUEUE_CLAUDE'] = '/nowhere/claude';
    for (const minutes of [30, 60, 90]) {
      cli.now = EVENING + minutes * MINUTE;
      await startByTimer();
    }
    cli.now += 5 * MINUTE;
    const { out } = await cli.call('status');
    assert.match(out, / No worker is running\. Worker w5 died\. /);
    assert.match(out, /^1 task is due and no worker is running\./m);
    assert.match((await cli.call('status', '--check')).err, /^1 task is due and no worker is running\.$/m);
    const check = (await cli.call('check')).out;
    assert.match(check, /^note {2}worker {2}Worker w5 died\.$/m);
    assert.match(check, /^note {2}worker {2}1 task is due and no worker is running\./m);
  });

  it('is not late after its removal', async () => {
    await cli.call('schedule', '--remove');
    cli.now = EVENING + 36 * MINUTE;
    assert.doesNotMatch((await cli.call('status')).out, /The timer/);
  });

  it('is recorded at its first start if an older version installed it', async () => {
    rmSync(`${cli.queueFolder}/state`, { recursive: true });
    cli.now = EVENING + 60 * MINUTE;
    assert.doesNotMatch((await cli.call('status')).out, /The timer/);
    await startByTimer();
    cli.now = EVENING + 96 * MINUTE;
    assert.match(
      (await cli.call('status')).out,
      /^The timer \(crontab\) should have started a worker at 19:30/m,
    );
  });

  for (const [how, notice] of [
    ['at its next start', startByTimer],
    ['once the user looks at it', async (): Promise<unknown> => cli.call('schedule')],
  ] as const) {
    it(`is expected at the times that the user wrote into the crontab, ${how}`, async () => {
      writeFileSync(table, readFileSync(table, 'utf8').replace('*/30 * ', '0 */6 '));
      cli.now = EVENING + 36 * MINUTE;
      await notice();
      cli.now = EVENING + 5 * 60 * MINUTE;
      assert.doesNotMatch((await cli.call('status')).out, /The timer/);
      cli.now = EVENING + 365 * MINUTE + 1;
      assert.match(
        (await cli.call('status')).out,
        /^The timer \(crontab\) should have started a worker at 00:00/m,
      );
    });
  }

  it('starts every 4.5 hours from midnight if that was chosen', async () => {
    const { out } = await cli.call('schedule', '--every', '4.5h');
    assert.match(
      out,
      /^Scheduled by crontab, by this machine's clock: 0 0,9,18 \* \* \* and 30 4,13,22 \* \* \*$/m,
    );
    assert.match((await cli.call('schedule')).out, /: 0 0,9,18 \* \* \* and 30 4,13,22 \* \* \*$/m);
    cli.now = Date.parse('2026-11-20T22:35:00Z');
    assert.doesNotMatch((await cli.call('status')).out, /The timer/);
    cli.now += 1;
    assert.match(
      (await cli.call('status')).out,
      /^The timer \(crontab\) should have started a worker at 22:30/m,
    );
  });
});

describe('A queue without a timer', () => {
  beforeEach(() => {
    cli = new CliHarness();
    cli.installClaude('ok');
    cli.write('1,high,.,Do it,pending,2026-11-20 19:00,,no,,0,3');
  });
  afterEach(() => cli.remove());

  it('reports a task as soon as it is due and no worker is running', async () => {
    await cli.approve('1');
    cli.now = EVENING + 60 * MINUTE - 1;
    assert.equal((await cli.call('status', '--check')).code, 0);
    assert.deepEqual(await cli.call('check', '--quiet'), { code: 0, out: '', err: '' });
    cli.now += 1;
    const { code, err } = await cli.call('status', '--check');
    assert.deepEqual([code, err], [1, '1 task is due and no worker is running.']);
    assert.deepEqual(await cli.call('check', '--quiet'), {
      code: 1,
      out: 'claude-queue: 1 task is due and no worker is running',
      err: '',
    });
  });

  it('reports a due task that no running worker takes, also while that keeps the machine awake', async () => {
    await cli.approve('1');
    cli.now += 60 * MINUTE;
    const queue = await openCliQueue(cli);
    const owner = { kind: 'process', worker: 'w5', machine: machineId(), process: cli.self() } as const;
    const worker = { owner, since: cli.now };
    const take = async (takes: WorkerChoice): Promise<string> => {
      const awake = { ...worker, takes, keepsAwake: true } as const;
      await queue.register(awake, { alone: false }, `enlist ${JSON.stringify(takes)}`);
      return (await cli.call('status', '--check')).err;
    };
    const line = '1 task is due and no running worker takes it.';
    assert.equal(await take({ priorities: ['critical'] }), line);
    assert.equal(await take({ users: ['anna'], stealFrom: [] }), line);
    assert.match((await cli.call('status')).out, /no running worker takes it\. Start another worker with/);
    assert.equal(await take({ priorities: ['high'] }), '');
    assert.equal(await take({ users: ['anna'] }), '');
    await queue.close();
  });

  it('reports a due repeating task although its last attempt awaits review', async () => {
    cli.env['CLAUDE_QUEUE_SELF_REPORT'] = 'required';
    cli.write('1,high,.,Do it,pending,,,yes,1h,0,3');
    await cli.approve('1');
    await cli.call('run', '--id', '1');
    assert.match((await cli.call('status', '--check')).out, /1 +review/);
    cli.now += 2 * 60 * MINUTE;
    assert.match((await cli.call('status', '--check')).err, /^1 task is due and no worker is running\.$/m);
  });

  it('prints nothing in a shell prompt in a folder without a queue', async () => {
    cli.env['PATH'] = '';
    assert.deepEqual(await cli.call('--queue', 'other.csv', 'check', '--quiet'), {
      code: 0,
      out: '',
      err: '',
    });
  });

  it('starts no program for a shell prompt', async () => {
    writeFileSync(`${cli.folder}/notes`, '');
    await cli.call('check', '--quiet');
    assert.equal(readFileSync(`${cli.folder}/notes`, 'utf8'), '');
  });

  for (const [row, words] of [
    ['1,high,.,Do it,pending,,9,no,,0,3\n9,high,.,x,failed,,,no,,0,3', '1 task is stuck'],
    ['1,high,.,Do it,pending,,,no,,0,3', '1 task is late'],
  ] as const) {
    it(`makes "status --check" exit 1 when ${words}`, async () => {
      cli.write(row);
      await cli.call('trust');
      cli.now = EVENING + 31 * MINUTE;
      const { code, err } = await cli.call('status', '--check');
      assert.equal(code, 1);
      assert.ok(err.split('\n').includes(`${words}.`), err);
    });
  }
});

describe('A crontab that starts queue_manager.sh', () => {
  let line: string;
  const others = '0 1 * * * /opt/queue_manager.sh run\n# 0 2 * * * mine\n';

  beforeEach(() => {
    ({ cli, programs, table } = openSchedulingCli());
    installProgram(programs, 'crontab', CRONTAB);
    line = `*/30 * * * * ${cli.queueFolder}/queue_manager.sh run >> ${cli.queueFolder}/state/cron.log 2>&1`;
    writeFileSync(table, `${others}${line}\n`);
  });
  afterEach(() => cli.remove());

  const read = (): string => readFileSync(table, 'utf8');

  it('for the same folder is a problem of check', async () => {
    const { code, out } = await cli.call('check');
    assert.equal(code, 1);
    assert.ok(out.includes(`crontab  starts queue_manager.sh for this queue: ${line} Replace it with`), out);
  });

  it('for another folder is no problem', async () => {
    writeFileSync(table, `${others}${line.replaceAll('claude_queue/', 'claude_queue2/')}\n`);
    assert.doesNotMatch((await cli.call('check')).out, /queue_manager/);
  });

  it('is replaced by schedule with --yes; other lines stay', async () => {
    const { code, out } = await cli.call('schedule', '--every', '30m', '--yes');
    assert.equal(code, 0);
    assert.ok(out.includes(`Removed from the crontab:\n  ${line}`), out);
    const after = read();
    assert.ok(after.startsWith(others), after);
    assert.ok(!after.includes(line), after);
    assert.doesNotMatch((await cli.call('check')).out, /starts queue_manager/);
  });

  it('stays without a yes, and schedule reports it', async () => {
    const { code, err } = await cli.call('schedule', '--every', '30m');
    assert.equal(code, 0);
    assert.ok(err.includes(line) && err.includes('--yes'), err);
    assert.ok(read().includes(line));
  });
});
