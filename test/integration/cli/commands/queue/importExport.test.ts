import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startRedis, type RedisServer } from '../../../../support/redis/redisServer';
import { CliHarness, type Answer } from '../../cliHarness';

const HEADER = 'id,prompt,working_dir,status,dependencies,Ticket';
const TEXT = `${HEADER}\n4,"Two\nlines, ""quoted""",/place/a,,,表 😀\n5,Next,/place/b,completed,4,\nx,Not a task,/c,,,\n`;

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
      'Invalid: 1 row. See "claude-queue check".',
      'Unapproved: 1 task. See "claude-queue approve".',
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
    assert.equal(copy(), TEXT.replace('/place/a,,', '/place/a,cancelled,'));
  });

  it('refuses taken ids with their list, and gives others on demand', async () => {
    await call('import', 'tasks.csv');
    const { code, err } = await call('import', 'tasks.csv');
    assert.equal(code, 1);
    assert.match(err, /^Ids 4-5 are taken in the queue\. Nothing was imported\./);
    assert.match(
      (await call('import', 'tasks.csv', '--renumber')).out,
      /^Imported 3 rows from tasks\.csv, with ids 6 to 7\./,
    );
    assert.match((await call('export')).out, /\n7,Next,\/place\/b,completed,6,\n/);
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
    ]) {
      const { code, err } = await call(...command);
      assert.equal(code, 1);
      assert.match(err, /^A running task may not .*\. Only you can, outside of an attempt\.$/);
    }
    assert.equal(readFileSync(join(cli.workspace, 'tasks.csv'), 'utf8'), TEXT);
    assert.equal((await call('export')).out.split('\n').length, 2);
  });

  it('is needed for both', async () => {
    cli.write('1,high,.,One,pending,,,no,,0,3');
    for (const command of [['import', 'tasks.csv'], ['export']]) {
      const { code, err } = await cli.call(...command);
      assert.equal(code, 64);
      assert.match(err, /is a file\. This command is for a queue in Redis: name it with --redis/);
    }
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
