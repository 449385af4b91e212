import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Attempt } from '../../../../../src/domain/task/attempt';
import { machineId } from '../../../../../src/platform/processes/machine';
import { GitRepository } from '../../../../support/machine/gitRepository';
import type { CliHarness } from '../../cliHarness';
import { openCliQueue, startAttempt } from '../../fileQueue';
import { live } from '../../lived';
import { TaskRepository } from './taskRepository';

describe('undo', () => {
  let world: TaskRepository;
  let cli: CliHarness;

  beforeEach(() => {
    world = new TaskRepository();
    ({ cli } = world);
  });
  afterEach(() => cli.remove());

  const path = (name: string): string => world.path(name);
  const look = (): string[] => world.look();
  const write = (name: string, content: string): void => {
    world.write(name, content);
  };
  const attempt = (work: () => void, end: Partial<Attempt> = {}): Promise<void> => world.attempt(work, end);

  it('lists each file in one line, so that a name cannot look like another file', async () => {
    await attempt(() => write('plain\n  restored  a.txt', 'x'));
    const { out } = await cli.call('undo', '1', '--dry-run');
    assert.match(out, /^ {2}removed {3}plain\\n {2}restored {2}a\.txt$/m);
    assert.equal(out.split('\n').filter((line) => line.startsWith('  ')).length, 1);
  });

  it('restores created, changed, deleted and renamed files, links and modes, also uncommitted ones', async () => {
    write('a.txt', 'one, and not committed\n');
    write('untracked.txt', 'mine\n');
    write('staged.txt', 'staged\n');
    world.repository.git('add', 'staged.txt');
    const before = look();
    await attempt(() => {
      write('a.txt', 'changed\n');
      write('untracked.txt', 'changed\n');
      rmSync(path('b.txt'));
      rmSync(path('old'), { recursive: true });
      write('old', 'a file now\n');
      rmSync(path('link'));
      symlinkSync('b.txt', path('link'));
      write('new/deep/d.txt', 'd\n');
      write('caf\u00e9/ \u2028 x', 'odd\n');
      chmodSync(path('staged.txt'), 0o755);
    });
    const done = look();
    const dry = await cli.call('undo', '--yes', '1', '--dry-run');
    assert.deepEqual([dry.code, look()], [0, done]);
    const { code, out, err } = await cli.call('undo', '--yes', '1');
    assert.deepEqual([code, err], [0, '']);
    const lines = out.split('\n');
    assert.deepEqual(dry.out.replace('Would undo', 'Undid').split('\n'), lines.slice(0, -1));
    assert.equal(lines.at(-4), `These are all changes in ${cli.workspace} while task 1 ran, by anybody.`);
    assert.match(out, /^Undid attempt 1 of task 1: 9 files\.\n {2}restored {2}a\.txt\n/);
    // The permissions of files that return are not known.
    const returned = before.map((line) =>
      /^(b\.txt|old\/c\.sh) /.test(line) ? line.replace('644', '600').replace('755', '700') : line,
    );
    assert.deepEqual(look(), returned);
    assert.match(lines.at(-3) ?? '', /^Files that return are readable only by you/);
    assert.deepEqual(readdirSync(join(world.stateFolder, 'undo')), ['kept']);
    const again = await cli.call('undo', '--yes', '1');
    assert.deepEqual([again.code, again.err], [1, 'The changes of attempt 1 of task 1 were undone already.']);
  });

  it('says of which restored files the permissions are not all known', async () => {
    chmodSync(path('a.txt'), 0o640);
    chmodSync(path('old/c.sh'), 0o750);
    await attempt(() => {
      chmodSync(path('a.txt'), 0o750);
      rmSync(path('old/c.sh'));
      symlinkSync('../a.txt', path('old/c.sh'));
    });
    const { out } = await cli.call('undo', '1', '--yes');
    const modes = ['a.txt', 'old/c.sh'].map((name) => (statSync(path(name)).mode & 0o777).toString(8));
    assert.deepEqual(modes, ['640', '700']);
    assert.deepEqual(out.split('\n').slice(4, 6), [
      'Files that return are readable only by you: their permissions were not kept.',
      'Check who may read a.txt: only whether it is executable was kept of its permissions.',
    ]);
  });

  it('takes back one task after others ran, and says so in the history', async () => {
    await attempt(() => {
      write('a.txt', 'two\n');
    });
    await attempt(() => {
      write('b.txt', 'other task\n');
    });
    const { code, out } = await cli.call('undo', '--yes', '1', '--json');
    assert.equal(code, 0);
    const { kept, ...result } = JSON.parse(out) as { kept: string };
    assert.equal(dirname(kept), join(world.stateFolder, 'undo/kept'));
    assert.deepEqual(result, {
      id: 1,
      attempts: [1],
      undone: true,
      top: cli.workspace,
      folder: cli.workspace,
      files: [{ path: 'a.txt', action: 'restored' }],
      overlaps: [],
      older: [],
      dependents: [],
    });
    assert.equal(
      readFileSync(path('a.txt'), 'utf8') + readFileSync(path('b.txt'), 'utf8'),
      'one\nother task\n',
    );
    assert.match((await cli.call('show', '1')).out, /undone/);
    const { attempts } = JSON.parse((await cli.call('history', '1', '--json')).out) as {
      attempts: { undoneAt: string | null }[];
    };
    assert.deepEqual(
      attempts.map(({ undoneAt }) => undoneAt),
      [new Date(cli.now).toISOString()],
    );
    assert.match((await cli.call('diff', '1')).err, /were undone/);
  });

  it('says before and after it which tasks run on what was undone', async () => {
    cli.write(
      '1,high,.,First,pending,,,no,,0,3',
      '2,low,.,Second,pending,,1,no,,0,3',
      '3,low,.,Third,pending,,2,no,,0,3',
    );
    await attempt(() => {
      write('a.txt', 'two\n');
    });
    const warning = 'Task 2 depends on task 1 and will run: cancel it, or retry task 1.';
    for (const option of ['--dry-run', '--yes']) {
      const { code, out } = await cli.call('undo', '1', option);
      assert.deepEqual([code, out.split('\n').at(-1)], [0, warning]);
    }
    assert.equal((await cli.call('retry', '1')).code, 0);
  });

  it('names every file that somebody changed since, and changes nothing', async () => {
    await attempt(() => {
      write('a.txt', 'two\n');
      write('b.txt', 'bb\n');
      write('n/new.txt', 'n\n');
      rmSync(path('old/c.sh'));
    });
    await attempt(() => {
      write('a.txt', 'three\n');
    });
    write('n/new.txt', 'mine\n');
    write('old/c.sh', 'mine\n');
    const before = look();
    const { code, out, err } = await cli.call('undo', '--yes', '1');
    assert.deepEqual([code, out], [1, '']);
    assert.deepEqual(err.split('\n'), [
      'Nothing was undone: these files have changed since task 1.',
      '  a.txt',
      '  n/new.txt',
      '  old/c.sh',
    ]);
    assert.deepEqual(look(), before);
    assert.equal((await cli.call('undo', '--yes', '2')).code, 0);
    assert.equal(readFileSync(path('a.txt'), 'utf8'), 'two\n');
  });

  it('leaves what an earlier row with this id did', async () => {
    await attempt(() => write('b.txt', 'earlier\n'), { power: 'earlier', outcome: 'error', code: 1 });
    cli.write('1,high,.,Other work,pending,,,no,,0,3');
    await attempt(() => write('a.txt', 'two\n'));
    assert.match((await cli.call('undo', '--yes', '1')).out, /^Undid attempt 2 of task 1: 1 file\./);
    assert.equal(readFileSync(path('a.txt'), 'utf8') + readFileSync(path('b.txt'), 'utf8'), 'one\nearlier\n');
  });

  it('takes several attempts of a task back together, unless somebody changed a file between them', async () => {
    const retried = { outcome: 'error', reason: 'error', code: 1 } as const;
    await attempt(() => {
      write('a.txt', 'two\n');
      write('b.txt', 'bb\n');
    }, retried);
    await attempt(() => {
      write('a.txt', 'three\n');
    });
    assert.match((await cli.call('undo', '--yes', '1')).out, /^Undid attempts 1, 2 of task 1: 2 files\./);
    assert.equal(readFileSync(path('a.txt'), 'utf8') + readFileSync(path('b.txt'), 'utf8'), 'one\nb\n');
    await attempt(() => {
      write('a.txt', 'four\n');
    }, retried);
    write('a.txt', 'mine\n');
    await attempt(() => {
      write('a.txt', 'five\n');
    });
    const { code, err } = await cli.call('undo', '--yes', '2');
    assert.deepEqual([code, err.split('\n').slice(1)], [1, ['  a.txt']]);
    assert.equal((await cli.call('undo', '--yes', '2', '--attempt', '2')).code, 0);
    assert.equal(readFileSync(path('a.txt'), 'utf8'), 'mine\n');
  });

  it('leaves folders that are older than the task, and those that have other files', async () => {
    mkdirSync(path('empty'));
    mkdirSync(path('used'));
    cli.now = Math.ceil(statSync(path('used')).birthtimeMs) + 1;
    await attempt(() => {
      write('empty/e.txt', 'e\n');
      write('used/u.txt', 'u\n');
    });
    write('used/mine.txt', 'mine\n');
    assert.equal((await cli.call('undo', '--yes', '1')).code, 0);
    assert.deepEqual([readdirSync(path('empty')), readdirSync(path('used'))], [[], ['mine.txt']]);
  });

  it('writes through no link that somebody put in the place of a folder', async () => {
    await attempt(() => {
      write('old/c.sh', 'changed\n');
      rmSync(path('b.txt'));
    });
    rmSync(path('old'), { recursive: true });
    const outside = join(cli.folder, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'c.sh'), 'changed\n', { mode: 0o755 });
    symlinkSync(outside, path('old'));
    const { code, err } = await cli.call('undo', '--yes', '1');
    assert.deepEqual([code, err.split('\n')[1]], [1, '  old/c.sh']);
    assert.deepEqual(
      [readFileSync(join(outside, 'c.sh'), 'utf8'), existsSync(path('b.txt'))],
      ['changed\n', false],
    );
  });

  it('is refused where not all changes are known', async () => {
    await attempt(() => {
      write('a.txt', 'two\n');
      write('large.bin', '');
      truncateSync(path('large.bin'), 11_000_000);
    });
    const { code, err } = await cli.call('undo', '--yes', '1');
    assert.deepEqual(
      [code, err.split('\n')],
      [
        1,
        [
          'Nothing was undone, because not all changes of task 1 are known.',
          'large.bin changed too, but has or had more than 10 MB.',
        ],
      ],
    );
    assert.equal(readFileSync(path('a.txt'), 'utf8'), 'two\n');
    await live(cli, { tookMs: 1_000 });
    assert.match(
      (await cli.call('undo', '--yes', '2')).err,
      /^It is not known which files attempt 1 of task 2 changed: .* Nothing was undone\.$/,
    );
    assert.match((await cli.call('undo', '--yes', '7')).err, /There is no task 7/);
  });

  it('names the option for one attempt where others of the task are not known', async () => {
    await live(cli, { tookMs: 1_000, outcome: 'error' });
    await attempt(() => write('a.txt', 'two\n'));
    const several = await cli.call('undo', '--yes', '1');
    assert.match(several.err, /To undo one attempt, run "claude-queue undo 1 --attempt N"\.$/);
    const one = await cli.call('undo', '--yes', '1', '--attempt', '1');
    assert.match(one.err, /Nothing was undone\.$/);
    assert.equal((await cli.call('undo', '--yes', '1', '--attempt', '2')).code, 0);
  });

  it('names a changed submodule once where it is refused', async () => {
    mkdirSync(path('lib'));
    const library = GitRepository.init(path('lib'));
    write('lib/l.txt', 'one\n');
    library.commitAll('first');
    world.repository.git('-c', 'advice.addEmbeddedRepo=false', 'add', 'lib');
    world.repository.git('commit', '-qm', 'lib');
    await attempt(() => {
      write('lib/l.txt', 'two\n');
      library.commitAll('second');
    });
    assert.equal(
      (await cli.call('undo', '--yes', '1')).err,
      [
        'Nothing was undone, because not all changes of task 1 are known.',
        'lib/ is a repository of its own: changes in it are not known.',
      ].join('\n'),
    );
  });

  it('is refused while a task runs in the folder, and inside an attempt', async () => {
    await attempt(() => {
      write('a.txt', 'two\n');
    });
    const queue = await openCliQueue(cli);
    await startAttempt(cli, queue, { pid: 4711, startedAt: 'then' });
    await queue.close();
    const { code, err } = await cli.call('undo', '--yes', '1');
    const text = `Task 2 is running in ${cli.workspace}. Undo task 1 once it has ended.`;
    assert.deepEqual([code, err], [1, text]);
    cli.env['CLAUDE_QUEUE_RUN'] = 'mark';
    assert.match((await cli.call('undo', '--yes', '1')).err, /A running task may not undo changes/);
    assert.equal(readFileSync(path('a.txt'), 'utf8'), 'two\n');
  });

  it('is refused while another undo runs there, and ends one whose process died', async () => {
    await attempt(() => {
      write('a.txt', 'two\n');
    });
    const journal = join(world.stateFolder, 'undo');
    const id = '00000000-0000-4000-8000-000000000000';
    const process = { pid: 4711, startedAt: 'then' };
    const intent = {
      id,
      queue: 'q',
      task: 3,
      numbers: [1],
      folder: cli.workspace,
      machine: machineId(),
      process,
    };
    mkdirSync(journal, { recursive: true });
    writeFileSync(
      join(journal, `${id}.json`),
      JSON.stringify({ ...intent, machine: 'another', startedAt: cli.now }),
    );
    assert.match((await cli.call('undo', '--yes', '1')).err, /^Another undo is running in /);
    writeFileSync(join(journal, `${id}.json`), JSON.stringify(intent));
    assert.equal((await cli.call('undo', '--yes', '1')).code, 0);
    assert.deepEqual(readdirSync(journal), ['kept']);
  });
});
