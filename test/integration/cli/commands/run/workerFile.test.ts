import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type CliHarness, HEADER, openWorkCli } from '../../cliHarness';
import { openCliQueue, registerWorker } from '../../fileQueue';

const ROWS = [
  `${HEADER},user,tags`,
  '1,high,.,Do it,pending,,,no,,0,3,anna,web',
  '2,high,.,Do it,pending,,,no,,0,3,ben,web',
  '3,low,.,Do it,pending,,,no,,0,3,cleo,web',
  '4,low,.,Do it,pending,,,no,,0,3,cleo,docs',
];

describe('A worker with a worker file', () => {
  let cli: CliHarness;
  beforeEach(async () => {
    cli = await openWorkCli();
    cli.writeFile('prompts.csv', `${ROWS.join('\n')}\n`);
    await cli.call('trust');
  });
  afterEach(() => cli.remove());

  async function work(text: string, ...options: string[]): Promise<string> {
    cli.writeFile('worker.yaml', text);
    const { out, err } = await cli.call(
      ...['work', '--until-empty', '--worker', 'claude_queue/worker.yaml', ...options],
    );
    return `${out}${err}`;
  }
  const order = (out: string): string[] => [...out.matchAll(/Task (\d) ended/g)].map(([, id = '']) => id);

  it('serves its users first, and steals only from those it names', async () => {
    const out = await work('worker:\n  assigned_users: [cleo]\n  steal_targets: [ben]\n');
    assert.deepEqual(order(out), ['3', '4', '2'], out);
    assert.equal((await cli.shown(1))?.[0], 'ready');
  });

  it('takes the tasks of its tags, unless an option says otherwise', async () => {
    const text = 'worker:\n  id: builder-7\n  tags: [docs]\n  steal_targets: [cleo]\n';
    assert.deepEqual(order(await work(text)), ['4']);
    assert.deepEqual(order(await work(text, '--tags', 'web')), ['3']);
  });

  it('counts with --alone as of another pool than a worker that takes tasks of other users', async () => {
    const queue = await openCliQueue(cli);
    await registerWorker(cli, queue, '@anna,@ben');
    await queue.close();
    const ofCleo = 'worker:\n  assigned_users: [cleo]\n  steal_targets: []\n';
    assert.deepEqual(order(await work(ofCleo, '--alone')), ['3', '4']);
    const same = await work('worker:\n  assigned_users: [ben]\n  steal_targets: [anna]\n', '--alone');
    assert.match(same, /^Worker \d+ \(@anna,@ben\) is already running\.$/m);
  });

  it('has the name of the file', async () => {
    await cli.call('hold', 'lunch');
    let status = '';
    cli.onLine = (line) => {
      if (!line.includes('Waiting') || status !== '') return;
      status = 'asked';
      void cli.call('status').then(({ out }) => {
        status = out;
        cli.end.abort();
      });
    };
    cli.writeFile('worker.yaml', 'worker: { id: builder-7, tags: [web] }\n');
    await cli.call('work', '--worker', 'claude_queue/worker.yaml');
    assert.match(status, /Worker builder-7 \(#web\) is running\./);
  });

  it('is refused with the place of each mistake', async () => {
    const file = join(cli.queueFolder, 'worker.yaml');
    const text = '# ours\nworker:\n  id: 5\n  pol_interval_seconds: 1\nredis:\n  password: sesame\n';
    cli.env['CLAUDE_QUEUE_SLOTS'] = 'many';
    const out = await work(text);
    assert.deepEqual(
      out.split('\n').map((line) => line.split(' ', 3).slice(0, 3).join(' ')),
      [
        'Invalid settings of',
        `${file}:4:3  worker`,
        `${file}:3:3  worker.id`,
        'environment  CLAUDE_QUEUE_SLOTS',
        `${file}:6:3  redis.password`,
      ],
    );
    assert.doesNotMatch(out, /sesame/);
    const missing = await cli.call('work', '--worker', 'nowhere.yaml');
    assert.deepEqual(
      [missing.code, missing.err.replace(cli.workspace, '')],
      [64, 'The worker file /nowhere.yaml does not exist. Name one that does.'],
    );
  });

  it('for a Redis server does not work on a queue file that the command names', async () => {
    cli.writeFile('worker.yaml', 'redis:\n  host: localhost\n');
    const { err } = await cli.call(
      ...['--queue', 'claude_queue/prompts.csv', 'work', '--worker', 'claude_queue/worker.yaml'],
    );
    assert.match(err, /name a Redis server \(redis\.host\), and --queue names a file/);
  });
});
