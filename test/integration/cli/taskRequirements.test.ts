import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeLacks, TaskRequirements } from '../../../src/app/checks/taskRequirements';
import { paint } from '../../support/queue/viewModels';
import { CliHarness } from './cliHarness';

const HEADER =
  'id,priority,working_dir,prompt,status,scheduled_time,dependencies,repeat,repeat_interval,retry_count,max_retries,verify';

describe('A missing requirement of a row', () => {
  let cli: CliHarness;
  beforeEach(() => {
    cli = new CliHarness();
  });
  afterEach(() => cli.remove());

  function writeChecks(): void {
    cli.writeFile(
      'prompts.csv',
      [
        HEADER,
        '1,high,/nope,Elsewhere,pending,,,no,,0,3,',
        '2,high,.,No program,pending,,,no,,0,3,"[""no-such-program"",""x""]"',
        '3,high,.,Built by the task,pending,,,no,,0,3,"[""./build/test""]"',
        '4,high,.,Is there,pending,,,no,,0,3,"[""/bin/sh"",""-c"",""true""]"',
        '5,high,.,Done,completed,,,no,,0,3,"[""no-such-program""]"',
        '',
      ].join('\n'),
    );
  }

  it('is reported by check: directory and verify program as problems, what the task may make as a note', async () => {
    writeChecks();
    const { code, out } = await cli.call('check');
    assert.equal(code, 1);
    assert.match(
      out,
      /prompts\.csv:2:1 {2}The working directory \/nope of task 1 does not exist\. Create it/,
    );
    assert.match(
      out,
      /prompts\.csv:3:1 {2}The verify program no-such-program of task 2 is not on the PATH\. Install it/,
    );
    assert.match(
      out,
      /^note .*The verify program \.\/build\/test of task 3 does not exist at .*unless the task/m,
    );
    assert.doesNotMatch(out, /task [45]\b/);
  });

  it('that is a link is shown with its target, by add, edit and check', async () => {
    cli.write('1,high,.,Do it,pending,,,no,,0,3');
    const real = join(cli.folder, 'real');
    mkdirSync(real);
    symlinkSync(real, join(cli.workspace, 'work'));
    const reported = (id: number): string =>
      `The working directory ${join(cli.workspace, 'work')} of task ${String(id)} is a link to ${real}.`;
    assert.equal((await cli.call('add', 'There', '--dir', 'work')).err, reported(2));
    assert.equal((await cli.call('edit', '1', '--dir', 'work')).err, reported(1));
    const { out } = await cli.call('check');
    assert.ok(out.includes(reported(1)) && out.includes(reported(2)), out);
  });

  it('is reported by simulate for each task that starts, but not where a link leads', async () => {
    writeChecks();
    mkdirSync(join(cli.folder, 'real'));
    symlinkSync(join(cli.folder, 'real'), join(cli.workspace, 'work'));
    await cli.call('add', 'There', '--dir', 'work');
    await cli.call('trust');
    const { out } = await cli.call('simulate', '--json');
    const { reviews } = JSON.parse(out) as { reviews: { id: number; text: string }[] };
    assert.deepEqual(
      reviews.map(({ id }) => id),
      [1, 2, 3],
    );
    assert.match(reviews[0]?.text ?? '', /^The working directory \/nope of task 1 does not exist\./);
    assert.match(
      reviews[1]?.text ?? '',
      /^The verify program no-such-program of task 2 is not on the PATH\./,
    );
  });

  it('is reported by rehearse', async () => {
    writeChecks();
    await cli.call('trust');
    const { out } = await cli.call('rehearse');
    assert.match(
      out,
      /^Need something that is missing on this machine:$[^]*\/nope of task 1[^]*no-such-program/m,
    );
    const { out: json } = await cli.call('rehearse', '--json');
    const { tasks } = JSON.parse(json) as { tasks: { id: number; lacks: string[] }[] };
    assert.deepEqual(
      tasks.map(({ id, lacks }) => [id, lacks.length]),
      [
        [1, 1],
        [2, 1],
        [3, 1],
        [4, 0],
      ],
    );
  });

  it('is reported by add and edit, and the row is written', async () => {
    cli.writeFile('prompts.csv', `${HEADER}\n`);
    const added = await cli.call('add', 'Do it', '--dir', '/nope', '--verify', '["no-such-program"]');
    assert.equal(added.code, 0);
    assert.match(added.out, /^Added task 1 to /);
    assert.match(
      added.err,
      /\/nope of task 1 does not exist\.[^]*no-such-program of task 1 is not on the PATH/,
    );
    const edited = await cli.call('edit', '1', '--dir', '.', '--verify', '["/bin/sh","-c","true"]');
    assert.deepEqual([edited.code, edited.err], [0, '']);
    assert.match((await cli.call('edit', '1', '--dir', '/gone')).err, /\/gone of task 1 does not exist\./);
  });

  it('is found for many rows with one reading of the queue', async () => {
    let readings = 0;
    const view = {
      tasks: paint([1, 2, 3].map(() => ({ fields: { workingDir: '/nope' } }))).tasks.map(({ task }) => task),
    };
    const queue = {
      read: () => {
        readings += 1;
        return Promise.resolve(view);
      },
    };
    const lacks = await describeLacks({ host: { env: {} } }, queue, [1, 3]);
    assert.deepEqual(
      lacks.map((lack) => /of task (\d)/.exec(lack)?.[1]),
      ['1', '3'],
    );
    assert.equal(readings, 1);
  });

  it('is no program at a path, in the working directory or on the PATH', async () => {
    const folder = cli.workspace;
    mkdirSync(join(folder, 'bin'));
    for (const [name, mode] of [
      ['run', 0o755],
      ['plain', 0o644],
    ] as const) {
      writeFileSync(join(folder, 'bin', name), '');
      chmodSync(join(folder, 'bin', name), mode);
    }
    const needs = new TaskRequirements({ PATH: join(folder, 'bin') });
    const lacks = async (program: string): Promise<string[]> =>
      (await needs.find({ id: 1, workingDir: folder, verify: [program] })).map(({ state }) => state);
    for (const program of ['run', './bin/run', 'bin/run', join(folder, 'bin', 'run')])
      assert.deepEqual(await lacks(program), [], program);
    for (const program of ['plain', 'other', join(folder, 'bin', 'plain')])
      assert.deepEqual(await lacks(program), ['problem'], program);
    assert.deepEqual(await lacks('./bin/other'), ['note']);
  });
});
