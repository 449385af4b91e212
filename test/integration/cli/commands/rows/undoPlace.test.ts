import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CliHarness } from '../../cliHarness';
import { openCliQueue, startAttempt } from '../../fileQueue';
import { live } from '../../lived';
import { TaskRepository } from './taskRepository';

describe('undo in a queue whose rows name other folders since their attempts', () => {
  let world: TaskRepository;
  let cli: CliHarness;

  beforeEach(() => {
    world = new TaskRepository();
    ({ cli } = world);
    mkdirSync(join(cli.folder, 'other'));
  });
  afterEach(() => cli.remove());

  const textOf = (name: string): string => readFileSync(world.path(name), 'utf8');
  const changeFile = (): Promise<void> =>
    world.attempt(() => {
      world.write('a.txt', 'two\n');
    });
  const rowOf = (id: number, folder: string): string =>
    `${String(id)},medium,${folder},Do it,pending,,,no,,0,3`;

  it('restores the files where the attempt ran', async () => {
    await changeFile();
    cli.write(rowOf(1, '../other'));
    const shown = await cli.call('diff', '1');
    assert.match(shown.out, /^\+two$/m);
    const { code, out, err } = await cli.call('undo', '1', '--yes');
    assert.equal(code, 0, err);
    assert.match(out, /^Undid attempt 1 of task 1/);
    assert.equal(textOf('a.txt'), 'one\n');
  });

  it('is refused while an attempt runs in the folder, whatever the row of that one names', async () => {
    await changeFile();
    const queue = await openCliQueue(cli);
    await startAttempt(cli, queue, { pid: 4711, startedAt: 'then' });
    cli.write(rowOf(1, '.'), rowOf(2, '../other'));
    assert.equal((await queue.read()).tasks[1]?.definition.workingDir, join(cli.folder, 'other'));
    await queue.close();
    const { code, err } = await cli.call('undo', '--yes', '1');
    const text = `Task 2 is running in ${cli.workspace}. Undo task 1 once it has ended.`;
    assert.deepEqual([code, err, textOf('a.txt')], [1, text, 'two\n']);
  });

  it('is not refused while an attempt runs elsewhere, whatever the row of that one names', async () => {
    cli.write(rowOf(1, '.'), rowOf(2, '../other'));
    await changeFile();
    const queue = await openCliQueue(cli);
    await startAttempt(cli, queue, { pid: 4711, startedAt: 'then' });
    cli.write(rowOf(1, '.'), rowOf(2, '.'));
    await queue.close();
    assert.equal((await cli.call('undo', '--yes', '1')).code, 0);
  });

  it('is refused where another attempt ran in the folder at the same time, and names only that one', async () => {
    cli.write(rowOf(1, '.'), rowOf(2, '.'), rowOf(3, '../other'));
    const startedAt = cli.now;
    await changeFile();
    for (let times = 0; times < 2; times++) await live(cli, { tookMs: 1_000, startedAt });
    cli.write(rowOf(1, '.'), rowOf(2, '../other'), rowOf(3, '.'));
    const { code, err } = await cli.call('undo', '1', '--yes');
    assert.deepEqual(
      [code, err.split('\n').slice(0, -1)],
      [
        1,
        [
          `Nothing was undone: other attempts ran in ${cli.workspace}, above or below it at the same time.`,
          '  Attempt 1 of task 2',
        ],
      ],
    );
  });
});
