import assert from 'node:assert/strict';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { machineId } from '../../../../../src/platform/processes/machine';
import { type Answer, type CliHarness, FakeKeyboard } from '../../cliHarness';
import { live, MINUTE_MS } from '../../lived';
import { TaskRepository } from './taskRepository';

describe("undo of changes that may be not the task's", () => {
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
  const attempt = (work: () => void): Promise<void> => world.attempt(work);

  it('is refused where another attempt ran at the same time in the folder, above or below it', async () => {
    mkdirSync(path('sub'));
    mkdirSync(join(cli.folder, 'other'));
    cli.write(
      '1,critical,.,First,pending,,,no,,0,3',
      '2,high,sub,Second,pending,,,no,,0,3',
      '3,medium,../other,Third,pending,,,no,,0,3',
      '4,low,.,Fourth,pending,,,no,,0,3',
    );
    const startedAt = cli.now;
    await attempt(() => {
      write('a.txt', 'two\n');
      write('sub/other.txt', 'by task 2\n');
    });
    for (let times = 0; times < 2; times++) await live(cli, { tookMs: 1_000, startedAt });
    await live(cli, { tookMs: 1_000 });
    const { code, err } = await cli.call('undo', '1', '--yes');
    assert.deepEqual(
      [code, err.split('\n')],
      [
        1,
        [
          `Nothing was undone: other attempts ran in ${cli.workspace}, above or below it at the same time.`,
          '  Attempt 1 of task 2',
          'It is not known which of them changed a file.',
        ],
      ],
    );
    assert.equal(readFileSync(path('sub/other.txt'), 'utf8'), 'by task 2\n');
  });

  it('is refused where it would remove a file that is older than the task', async () => {
    write('.gitignore', '.env\n');
    world.repository.commitAll('ignore');
    write('.env', 'mine\n');
    cli.now = Date.now() + MINUTE_MS;
    await attempt(() => {
      write('b.txt', 'bb\n');
      renameSync(path('.env'), path('env.local'));
    });
    const head = (id: number): string =>
      `Nothing was undone: these files are older than task ${String(id)}. It moved them, or git did not see them before. ` +
      `Restore the other files by hand: "claude-queue diff ${String(id)}" shows their changes.`;
    const before = look();
    const moved = await cli.call('undo', '1', '--yes');
    assert.deepEqual([moved.code, moved.err.split('\n')], [1, [head(1), '  env.local']]);
    assert.deepEqual(look(), before);
    renameSync(path('env.local'), path('.env'));
    await attempt(() => {
      write('.gitignore', 'logs\n');
    });
    write('.gitignore', 'mine\n');
    const seen = await cli.call('undo', '2', '--yes');
    const changed = 'Nothing was undone: these files have changed since task 2.';
    assert.deepEqual([seen.code, seen.err.split('\n')], [1, [changed, '  .gitignore', head(2), '  .env']]);
    const { overlaps, older } = JSON.parse((await cli.call('undo', '2', '--yes', '--json')).out) as {
      overlaps: string[];
      older: string[];
    };
    assert.deepEqual([overlaps, older], [['.env', '.gitignore'], ['.env']]);
    assert.equal(readFileSync(path('.env'), 'utf8'), 'mine\n');
  });

  it('takes the renaming of an older file back', async () => {
    cli.now = Date.now() + MINUTE_MS;
    await attempt(() => {
      mkdirSync(path('new'));
      renameSync(path('b.txt'), path('new/c.txt'));
    });
    assert.equal((await cli.call('undo', '1', '--yes')).code, 0);
    assert.deepEqual([readFileSync(path('b.txt'), 'utf8'), existsSync(path('new/c.txt'))], ['b\n', false]);
  });

  it('keeps every file that it replaces or removes, for 30 days', async () => {
    await attempt(() => {
      write('a.txt', 'two\n');
      write('new/deep/notes.md', 'by the user\n');
      rmSync(path('b.txt'));
      rmSync(path('link'));
      symlinkSync('b.txt', path('link'));
    });
    const { out } = await cli.call('undo', '1', '--yes');
    const kept = join(world.stateFolder, 'undo/kept');
    const [name = ''] = readdirSync(kept);
    const folder = join(kept, name);
    assert.equal(out.split('\n').at(-1), `Replaced and removed files are kept for 30 days in ${folder}`);
    const files = ['a.txt', 'new/deep/notes.md'].map((file) => readFileSync(join(folder, file), 'utf8'));
    assert.deepEqual(
      [...files, readlinkSync(join(folder, 'link')), readdirSync(folder).sort()],
      ['two\n', 'by the user\n', 'b.txt', ['a.txt', 'link', 'new']],
    );
    const modes = [kept, folder, join(folder, 'new'), join(folder, 'a.txt')].map(
      (each) => lstatSync(each).mode,
    );
    assert.deepEqual(
      modes.map((mode) => mode & 0o777),
      [0o700, 0o700, 0o700, 0o600],
    );
    const days = (count: number): Date => new Date(Date.now() - count * 24 * 60 * MINUTE_MS);
    utimesSync(folder, days(29), days(29));
    await cli.call('status');
    assert.deepEqual(readdirSync(kept), [name]);
    utimesSync(folder, days(31), days(31));
    await cli.call('status');
    assert.deepEqual(readdirSync(kept), []);
  });

  it('asks on a terminal before it writes, and needs --yes without one', async () => {
    await attempt(() => {
      write('a.txt', 'two\n');
      write('notes.md', 'by the user\n');
    });
    const done = look();
    const alone = await cli.call('undo', '1');
    assert.deepEqual([alone.code, look()], [64, done]);
    const answerWith = (answer: string): Promise<Answer> => {
      const keyboard = new FakeKeyboard();
      cli.keyboard = keyboard;
      cli.onLine = (text) => {
        if (text.startsWith('Undo these changes?')) setImmediate(() => keyboard.press(`${answer}\n`));
      };
      return cli.call('undo', '1');
    };
    const no = await answerWith('');
    assert.deepEqual([no.code, look()], [4, done]);
    assert.deepEqual(no.out.split('\n'), [
      'Would undo attempt 1 of task 1: 2 files.',
      '  restored  a.txt',
      '  removed   notes.md',
      `These are all changes in ${cli.workspace} while task 1 ran, by anybody.`,
      'Undo these changes? [y/N]',
      'Nothing was changed.',
    ]);
    assert.equal((await cli.call('undo', '1', '--json')).code, 64);
    assert.equal((await answerWith('y')).code, 0);
    assert.equal(existsSync(path('notes.md')), false);
  });

  /** Leaves an undo of task 7 behind, whose process has ended, with a plan that cannot be read. */
  function leaveUndo(folder: string, more: object = {}): string {
    const journal = join(world.stateFolder, 'undo');
    const id = '00000000-0000-4000-8000-000000000000';
    const intent = { id, queue: 'q', task: 7, numbers: [1], folder, machine: machineId(), process: null };
    mkdirSync(join(journal, id), { recursive: true });
    writeFileSync(join(journal, `${id}.json`), JSON.stringify({ ...intent, ...more }));
    return join(journal, id, 'plan');
  }

  it('is not stopped by an undo elsewhere that cannot be ended, but by one in its folder', async () => {
    await attempt(() => {
      write('a.txt', 'two\n');
    });
    const other = join(cli.folder, 'other');
    writeFileSync(leaveUndo(other), 'damaged');
    const warned =
      /^The undo of task 7 in .+ could not be ended: The plan of an undo .+ is damaged\. .+ remove .+\.json\.$/;
    const status = await cli.call('status');
    assert.equal(status.code, 0);
    assert.match(status.err, warned);
    leaveUndo(cli.workspace);
    const here = await cli.call('undo', '1', '--yes');
    assert.equal(here.code, 1);
    assert.match(here.err.split('\n')[1] ?? '', warned);
    assert.equal(readFileSync(path('a.txt'), 'utf8'), 'two\n');
    leaveUndo(other);
    assert.equal((await cli.call('undo', '1', '--yes')).code, 0);
  });

  it('ends an undo of another machine once it is 10 minutes old', async () => {
    await attempt(() => {
      write('a.txt', 'two\n');
    });
    const process = { pid: 4711, startedAt: 'then' };
    leaveUndo(cli.workspace, { machine: 'another', process, startedAt: cli.now - 9 * MINUTE_MS });
    assert.match((await cli.call('undo', '1', '--yes')).err, /^Another undo is running in /);
    leaveUndo(cli.workspace, { machine: 'another', process, startedAt: cli.now - 10 * MINUTE_MS });
    assert.equal((await cli.call('undo', '1', '--yes')).code, 0);
  });
});
