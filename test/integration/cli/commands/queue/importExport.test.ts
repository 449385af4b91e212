import assert from 'node:assert/strict';
import { chmodSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRedisQueue } from '../../../../../src/queue/openQueue';
import { onFullDisk } from '../../../../support/machine/fullDisk';
import { startRedis, type RedisServer } from '../../../../support/redis/redisServer';
import { CliHarness, type Answer } from '../../cliHarness';

const HEADER = 'id,prompt,working_dir,status,dependencies,Ticket';
const TEXT = `${HEADER}\n4,"Two\nlines, ""quoted""",/place/a,,,表 😀\n5,Next,/place/b,completed,4,\n6,,/c,,,\n`;

describe('A queue in Redis', () => {
  let cli: CliHarness;
  let redis: RedisServer;
  const call = (...args: string[]): Promise<Answer> => cli.call('--redis', redis.url, ...args);
  const write = (text: string): void => {
    writeFileSync(join(cli.workspace, 'tasks.csv'), text);
  };

  beforeEach(async () => {
    cli = new CliHarness();
    redis = await startRedis();
    write(TEXT);
  });

  afterEach(async () => {
    await redis.stop();
    cli.remove();
  });

  it('takes the rows of a CSV file and writes them to another one', async () => {
    const { code, out } = await call('import', 'tasks.csv');
    assert.equal(code, 0);
    assert.deepEqual(out.split('\n'), [
      'Imported 3 rows from tasks.csv.',
      `Invalid: 1 row. See "claude-queue --redis ${redis.url} check".`,
      `Unapproved: 1 task. See "claude-queue --redis ${redis.url} approve".`,
    ]);
    assert.equal((await call('export')).out, TEXT);
    assert.equal((await call('export', 'copy.csv')).out, 'Exported the queue to copy.csv.');
    const copy = (): string => readFileSync(join(cli.workspace, 'copy.csv'), 'utf8');
    assert.equal(copy(), TEXT);
    assert.equal((await call('cancel', '4')).code, 0);
    const again = await call('export', 'copy.csv');
    assert.equal(again.code, 1);
    assert.match(again.err, /copy\.csv already exists\. .* --force/);
    assert.equal(copy(), TEXT);
    assert.equal((await call('export', 'copy.csv', '--force')).code, 0);
    const unnamed = await call('export', '');
    assert.equal(unnamed.code, 64);
    assert.match(unnamed.err, /^The name of the file is empty\. /);
    assert.equal(copy(), TEXT.replace('/place/a,,', '/place/a,cancelled,'));
  });

  it('lets a row without a readable id be removed by its place', async () => {
    await call('import', 'tasks.csv');
    const queue = await openRedisQueue({
      server: { host: '127.0.0.1', port: redis.port, db: 0 },
      queue: 'default',
      machine: { id: 'here', isAlive: () => true },
      rows: () => ({ timeZone: 'UTC', folder: '/place', home: '/home/me', allowBypass: false }),
    });
    const old = { columns: ['id', 'prompt'], rows: [['x', 'From long ago']] };
    await queue.importRows(old, { renumber: false }, 'old');
    await queue.close();
    assert.match((await call('list')).out, /, row 4, id +invalid +The id "x" is not a whole number/);
    assert.deepEqual(await call('rm', '--row', '4'), {
      code: 0,
      out: 'Removed row 4, with id "x": From long ago',
      err: '',
    });
    assert.equal((await call('export')).out, TEXT);
    assert.match((await call('rm', '--row', '1')).err, /^Row 1 is the only one of task 4\. Name the task/);
    for (const args of [[], ['4', '--row', '1'], ['--row', 'x']])
      assert.equal((await call('rm', ...args)).code, 64, args.join(' '));
    assert.match(
      (await cli.call('rm', '--row', '1')).err,
      /is a file\. This command is for a queue in Redis/,
    );
  });

  it('refuses taken ids with their list, and gives others on demand', async () => {
    await call('import', 'tasks.csv');
    const { code, err } = await call('import', 'tasks.csv');
    assert.equal(code, 1);
    assert.match(err, /^Ids 4-6 are taken in the queue\. Nothing was imported\./);
    assert.match(
      (await call('import', 'tasks.csv', '--renumber')).out,
      /^Imported 3 rows from tasks\.csv, with ids 7 to 9\./,
    );
    assert.match((await call('export')).out, /\n8,Next,\/place\/b,completed,7,\n/);
  });

  it('takes no row without an id of its own, which nobody could remove, but gives it one on demand', async () => {
    const refused = async (ids: readonly string[], message: RegExp): Promise<void> => {
      write(`id,prompt,working_dir\n${ids.map((id) => `${id},Do it,/a\n`).join('')}`);
      const { code, err } = await call('import', 'tasks.csv');
      assert.equal(code, 64);
      assert.match(err, message);
      assert.match(err, / Nothing was imported\. Give all rows new ids with --renumber\.$/);
    };
    await refused(['1', '2', '1'], /^tasks\.csv:4 Id 1 is also on line 2\./);
    await refused(['1', ''], /^tasks\.csv:3 The id is missing\./);
    await refused(['01'], /^tasks\.csv:2 The id "01" is not a whole number above 0/);
    write('id,prompt,working_dir,dependencies\n1,a,/a,\n1,b,/a,\nx,c,/a,\n,d,/a,\n5,e,/a,2\n2,f,/a,\n');
    assert.match((await call('import', 'tasks.csv', '--renumber')).out, /with ids 1 to 6\./);
    assert.match((await call('export')).out, /\n3,c,\/a,\n4,d,\/a,\n5,e,\/a,6\n6,f,\/a,\n$/);
    write('id,prompt,working_dir,dependencies\n1,a,/a,\n1,b,/a,\n3,c,/a,1\n');
    const { err } = await call('import', 'tasks.csv', '--renumber');
    assert.match(err, /^tasks\.csv:4 It depends on task 1, but several rows .* Nothing was imported\.$/);
  });

  it('takes a relative working directory for that of the file, by the name of its repository if it has one', async () => {
    mkdirSync(join(cli.workspace, 'claude_queue'), { recursive: true });
    const own = join('claude_queue', 'prompts.csv');
    writeFileSync(
      join(cli.workspace, own),
      'id,prompt,working_dir\n1,a,.\n2,b,sub\n3,c,/place\n4,d,repo:other\n5,e,\n',
    );
    const { out } = await call('import', own);
    assert.match(out, /^Relative working directories are those of this machine now: 2 rows\.$/m);
    assert.match(out, /^Invalid: 1 row\./m);
    const { workspace } = cli;
    const rows = (await call('export')).out.split('\n').slice(1, 6);
    assert.deepEqual(rows, [
      `1,a,${workspace}`,
      `2,b,${workspace}/sub`,
      '3,c,/place',
      '4,d,repo:other',
      '5,e,',
    ]);
    write('id,prompt,working_dir\n6,f,sub\n');
    mkdirSync(join(cli.workspace, 'sub'));
    cli.env['CLAUDE_QUEUE_REPOSITORIES'] = `{"web": "${workspace}"}`;
    await call('import', 'tasks.csv');
    assert.match((await call('export')).out, /^6,f,repo:web\/sub$/m);
  });

  it('says in which time zone it reads times that name none', async () => {
    write('id,prompt,working_dir,scheduled_time\n1,Do it,/a,2026-03-02 09:00\n');
    cli.timeZone = 'Asia/Tokyo';
    assert.match(
      (await call('import', 'tasks.csv')).out,
      /Times without a zone are in the queue's time zone, UTC\./,
    );
    write('id,prompt,working_dir,scheduled_time\n2,Do it,/a,2026-03-02T09:00+09:00\n3,Do it,/a,\n');
    assert.doesNotMatch((await call('import', 'tasks.csv')).out, /zone/);
  });

  it('is neither changed nor written to a file by a task that runs', async () => {
    cli.processes = { ...cli.processes, isInsideAttempt: () => true };
    for (const command of [
      ['import', 'tasks.csv'],
      ['export', 'tasks.csv', '--force'],
      ['settings', 'tasks.csv'],
    ]) {
      const { code, err } = await call(...command);
      assert.equal(code, 1);
      assert.match(err, /^A running task may not .*\. Only you can, outside of an attempt\.$/);
    }
    assert.equal(readFileSync(join(cli.workspace, 'tasks.csv'), 'utf8'), TEXT);
    assert.equal((await call('export')).out.split('\n').length, 2);
  });

  it('is not changed by a file that is missing or not whole', async () => {
    assert.match((await call('import', 'other.csv')).err, /There is no file other\.csv/);
    write('id,prompt,working_dir\n1,"Do it,/a\n');
    const { code, err } = await call('import', 'tasks.csv');
    assert.equal(code, 1);
    assert.match(err, /^tasks\.csv:2:3 This quote is never closed\..* Nothing was imported\.$/);
    assert.doesNotMatch((await call('export')).out, /Do it/);
  });
});

describe('A queue in a file', () => {
  let cli: CliHarness;
  const write = (name: string, text: string): void => {
    writeFileSync(join(cli.workspace, name), text);
  };
  const rows = (): string[] => cli.read().trimEnd().split('\n').slice(1);

  beforeEach(async () => {
    cli = new CliHarness();
    await cli.call('init');
    await cli.call('add', 'Before');
  });
  afterEach(() => cli.remove());

  it('takes the open items of a check-list, unapproved and with their origin', async () => {
    write('TODO.md', '# Cellar\n- [ ] Tidy up\n  and sweep\n- [x] Paint\n- [ ] Lock up\n');
    const { code, out } = await cli.call('import', 'TODO.md');
    assert.equal(code, 0);
    assert.deepEqual(out.split('\n'), [
      'Imported 2 tasks from TODO.md (2 to 3).',
      'Left out, because they have ended: 1 row.',
      'They need approval: "claude-queue approve".',
    ]);
    assert.deepEqual(cli.read().split('\n').slice(2), [
      '2,medium,.,"Tidy up',
      'and sweep",pending,,,no,,0,3',
      '3,medium,.,Lock up,pending,,,no,,0,3',
      '',
    ]);
    assert.equal((await cli.shown(2))?.[0], 'unapproved');
    assert.match((await cli.call('approve')).out, /Task 3, in [^]*Lock up\n {4}\(imported from TODO\.md\)/);
  });

  it('takes the rows of a CSV file with new ids, in its order', async () => {
    write('tasks.csv', 'id,working_dir,prompt,status,dependencies,Ticket\n7,.,Last,,8|1,T\n8,.,First,,,T\n');
    const { out } = await cli.call('import', 'tasks.csv');
    assert.match(out, /^Imported 2 tasks from tasks\.csv \(2 to 3\)\.\nLeft out, .*: Ticket\./);
    assert.deepEqual(rows().slice(1), [
      '2,medium,.,Last,pending,,1|3,no,,0,3',
      '3,medium,.,First,pending,,,no,,0,3',
    ]);
  });

  it('says what of a file is not as it was: boxes that are not clear, and states', async () => {
    write('TODO.md', '- [ ] Tidy up\n- [-] Paint\n');
    assert.match(
      (await cli.call('import', 'TODO.md')).out,
      /\nLeft out, because their box is neither \[ \] nor \[x\]: line 2\.\n/,
    );
    write('tasks.csv', 'id,working_dir,prompt,status\n1,.,a,review\n2,.,b,failed\n3,.,c,pending\n');
    assert.match(
      (await cli.call('import', 'tasks.csv')).out,
      /\nPending as new tasks, though the file has them as failed, review: 2 rows\.\n/,
    );
  });

  it('takes nothing of a file with a wrong row', async () => {
    const before = cli.read();
    write('tasks.csv', 'id,working_dir,prompt,priority\n1,.,a,\n2,.,b,urgent\n');
    const { code, err } = await cli.call('import', 'tasks.csv');
    assert.equal(code, 1);
    assert.match(
      err,
      /^tasks\.csv:3, row 2: The priority "urgent" is not known\..*\nNothing was imported\.$/,
    );
    assert.equal(cli.read(), before);
    assert.match((await cli.call('import', 'other.md')).err, /There is no file other\.md/);
    assert.equal((await cli.call('import', '.')).err, '. is not a regular file. Name the file to import.');
  });

  it('takes nothing of a file in which a row depends on a cancelled one', async () => {
    const before = cli.read();
    write('tasks.csv', 'id,working_dir,prompt,status,dependencies\n1,.,a,cancelled,\n2,.,b,,1\n');
    const { code, err } = await cli.call('import', 'tasks.csv');
    assert.deepEqual(
      [code, err],
      [1, 'tasks.csv:3, row 2: It depends on row 1, which is cancelled.\nNothing was imported.'],
    );
    assert.equal(cli.read(), before);
  });

  it('is written as CSV, with the current status of its tasks', async () => {
    await cli.call('cancel', '1');
    const { out } = await cli.call('export');
    assert.match(out, /\n1,medium,\.,Before,cancelled,/);
    assert.equal((await cli.call('export', 'copy.csv')).code, 0);
    assert.equal(readFileSync(join(cli.workspace, 'copy.csv'), 'utf8'), cli.read());
    const itself = await cli.call('export', 'claude_queue/prompts.csv', '--force');
    assert.equal(itself.code, 64);
    assert.match(itself.err, /is the queue itself/);
  });

  it('replaces an export in one step, and leaves no part of a new one on a full disk', async () => {
    write('copy.csv', 'the last export');
    const copy = join(cli.workspace, 'copy.csv');
    for (const args of [['copy.csv', '--force'], ['new.csv']]) {
      const { code, err } = await onFullDisk(() => cli.call('export', ...args), 'write');
      assert.equal(code, 1);
      assert.match(err, /^(copy|new)\.csv was not written: the disk is full\. Make room, then try again\.$/);
    }
    assert.equal(readFileSync(copy, 'utf8'), 'the last export');
    assert.deepEqual(
      readdirSync(cli.workspace).filter((name) => name.includes('csv')),
      ['copy.csv'],
    );
    chmodSync(copy, 0o640);
    assert.equal((await cli.call('export', 'copy.csv', '--force')).code, 0);
    assert.deepEqual([readFileSync(copy, 'utf8'), statSync(copy).mode & 0o777], [cli.read(), 0o640]);
  });

  it('is not changed by an export over a hard link to it', async () => {
    const file = join(cli.queueFolder, 'prompts.csv');
    const text = cli.read().replaceAll(',', ';').replaceAll('\n', '\r\n');
    writeFileSync(file, text);
    linkSync(file, join(cli.workspace, 'linked.csv'));
    assert.equal((await cli.call('export', 'linked.csv', '--force')).code, 0);
    assert.equal(cli.read(), text);
    assert.match(readFileSync(join(cli.workspace, 'linked.csv'), 'utf8'), /^id,/);
  });

  it('is not written while it is not whole', async () => {
    writeFileSync(join(cli.queueFolder, 'prompts.csv'), 'id,prompt,working_dir\n1,"Do it,.\n');
    const { code, err } = await cli.call('export');
    assert.equal(code, 1);
    assert.match(err, /prompts\.csv:2:3 This quote is never closed\..* Nothing was exported\.$/);
  });
});
