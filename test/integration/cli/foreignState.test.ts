import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { RUN_MARK_VARIABLE } from '../../../src/platform/processes/processes';
import { until } from '../../support/until';
import { CliHarness } from './cliHarness';

const ROW = '1,high,.,Do it,pending,,,no,,0,3';

/** Every command that would use what the state folder holds. */
const COMMANDS: readonly (readonly string[])[] = [
  ['status'],
  ['history'],
  ['rehearse'],
  ['approve', '--all'],
  ['trust'],
  ['add', 'More'],
  ['next'],
  ['hold'],
  ['stop'],
  ['run'],
  ['work', '--until-empty'],
];

const open = new Set<CliHarness>();

function openCli(...rows: readonly string[]): CliHarness {
  const cli = new CliHarness();
  open.add(cli);
  cli.installClaude('ok');
  cli.write(...rows);
  return cli;
}

afterEach('no desk outlives its test', () => {
  for (const cli of open) cli.remove();
  open.clear();
});

/** A queue whose task has run, and failed with words that its author chose. */
async function openTheirs(): Promise<CliHarness> {
  const theirs = openCli(ROW);
  await theirs.call('trust');
  const { code } = await theirs.call('run');
  assert.equal(code, 0);
  return theirs;
}

function stateOf(cli: CliHarness): string {
  return join(cli.queueFolder, 'state');
}

/** Everything of their folder but what they keep as users. */
function copyFolder(theirs: CliHarness, ours: CliHarness): void {
  cpSync(stateOf(theirs), stateOf(ours), { recursive: true });
}

async function assertRefused(cli: CliHarness, expected: RegExp): Promise<void> {
  for (const command of COMMANDS) {
    const { code, out, err } = await cli.call(...command);
    assert.equal(code, 1, `${command.join(' ')}: ${out}`);
    assert.match(err, expected, command.join(' '));
  }
  const { code, out } = await cli.call('check');
  assert.equal(code, 1);
  assert.match(out, expected);
}

describe('A foreign state folder', () => {
  it('is named by every command, and nothing starts', async () => {
    const [theirs, ours] = [await openTheirs(), openCli(ROW)];
    copyFolder(theirs, ours);
    await assertRefused(ours, /state contains a history that was not made by you on this machine/);
  });

  it('is summarized by adopt without its texts, and counts after --yes', async () => {
    const theirs = await openTheirs();
    const ours = openCli(ROW);
    copyFolder(theirs, ours);
    assert.equal((await ours.call('adopt')).code, 64);
    const listed = await ours.call('adopt', '--dry-run');
    assert.equal(listed.code, 0);
    assert.match(listed.out, /^1 attempt, from 18:00 to 18:00\.$/m);
    assert.equal((await ours.call('status')).code, 1);
    assert.equal((await ours.call('adopt', '--yes')).code, 0);
    const { out } = await ours.call('history');
    assert.match(out, /success/);
    assert.match((await ours.call('adopt')).out, /^There is nothing to adopt in /);
  });

  it('is archived whole by reset, and a new history starts', async () => {
    const ours = openCli(ROW);
    copyFolder(await openTheirs(), ours);
    const { code, out } = await ours.call('reset');
    assert.equal(code, 0, out);
    const [archive = ''] = readdirSync(join(stateOf(ours), 'archive'));
    const put = readdirSync(join(stateOf(ours), 'archive', archive)).sort();
    assert.deepEqual(put, ['executed.log', 'journal', 'outputs']);
    assert.equal((await ours.approve('--all')).code, 0);
    assert.equal((await ours.call('run')).code, 0);
    assert.match((await ours.call('history')).out, /success/);
  });

  it('of a moved folder is shown with its old place, and adopted with its times', async () => {
    const ours = await openTheirs();
    const moved = join(ours.folder, 'moved');
    renameSync(ours.workspace, moved);
    const queue = ['--queue', join(moved, 'claude_queue', 'prompts.csv')];
    mkdirSync(ours.workspace);
    const { err } = await ours.call(...queue, 'status');
    assert.ok(err.includes(`the history of ${stateOf(ours)}: it was moved or copied from there`), err);
    assert.equal((await ours.call(...queue, 'adopt', '--yes')).code, 0);
    assert.equal((await ours.call(...queue, 'status')).code, 0);
  });

  it('is neither adopted nor archived by a running task', async () => {
    const ours = openCli(ROW);
    copyFolder(await openTheirs(), ours);
    ours.env[RUN_MARK_VARIABLE] = 'a-run';
    for (const command of [['adopt', '--yes'], ['reset']]) {
      const { code, err } = await ours.call(...command);
      assert.deepEqual([code, err.startsWith('A running task may not ')], [1, true], err);
    }
  });

  it('is refused while git tracks it', async () => {
    const ours = await openTheirs();
    ours.env['PATH'] = process.env['PATH'] ?? '';
    const git = (...args: string[]): void => {
      execFileSync('git', args, { cwd: ours.workspace, stdio: 'ignore' });
    };
    git('init', '-q');
    git('add', '-f', 'claude_queue');
    await assertRefused(ours, /git tracks files in \S+state/);
    git('rm', '-rq', '--cached', 'claude_queue/state');
    assert.equal((await ours.call('status')).code, 0);
  });

  it('is refused when it belongs to another user', async () => {
    const ours = await openTheirs();
    const { getuid } = process;
    assert.ok(getuid !== undefined);
    process.getuid = () => getuid() + 1;
    try {
      await assertRefused(ours, /state belongs to another user \(uid \d+\)/);
    } finally {
      process.getuid = getuid;
    }
    assert.equal((await ours.call('status')).code, 0);
  });
});

describe('A hard link in the state folder', () => {
  for (const name of ['executed.log', 'journal', 'windows/1.json']) {
    it(`in the place of ${name} is reported, and nothing is written to the shared file`, async () => {
      const ours = openCli(ROW);
      const profile = join(ours.env['HOME'] ?? '', '.profile');
      writeFileSync(profile, '# mine\n');
      mkdirSync(join(stateOf(ours), 'windows'), { recursive: true });
      linkSync(profile, join(stateOf(ours), name));
      for (const command of ['trust', 'run']) {
        const { code, err } = await ours.call(command);
        assert.equal(code, 1, command);
        assert.ok(err.includes(`${join(stateOf(ours), name)} is a hard link:`), err);
      }
      assert.equal(readFileSync(profile, 'utf8'), '# mine\n');
    });
  }

  it('that an interrupted reset left is ignored', async () => {
    const ours = await openTheirs();
    mkdirSync(join(stateOf(ours), 'archive', 'x'), { recursive: true });
    linkSync(join(stateOf(ours), 'journal'), join(stateOf(ours), 'archive', 'x', 'journal'));
    assert.equal((await ours.call('hold')).code, 0);
  });
});

describe('A file that the program did not make', () => {
  const put: Readonly<Record<string, (cli: CliHarness) => void>> = {
    'a state that is a file': (cli) => writeFileSync(stateOf(cli), ''),
    'outputs that are a file': (cli) => writeState(cli, 'outputs'),
    'an archive that is a file': (cli) => writeState(cli, 'archive'),
    'windows that are a file': (cli) => writeState(cli, 'windows'),
    'a journal that is a folder': (cli) => mkdirSync(join(stateOf(cli), 'journal'), { recursive: true }),
    'a draft of the journal that is a folder': (cli) =>
      mkdirSync(join(stateOf(cli), '.journal.2.x.tmp'), { recursive: true }),
    'a journal larger than any memory': (cli) => truncateSync(writeState(cli, 'journal'), 2 ** 40),
    'a queue file larger than any memory': ({ queueFile }) => truncateSync(queueFile, 2 ** 40),
    'a queue file larger than a call reads': ({ queueFile }) => truncateSync(queueFile, 3 * 2 ** 30),
  };

  function writeState(cli: CliHarness, name: string): string {
    mkdirSync(stateOf(cli), { recursive: true });
    writeFileSync(join(stateOf(cli), name), '');
    return join(stateOf(cli), name);
  }

  for (const [name, make] of Object.entries(put)) {
    it(`is reported by every command, and nothing starts: ${name}`, async () => {
      const ours = openCli(ROW);
      make(ours);
      await assertRefused(ours, /Move it away, then try again\.$/m);
    });
  }

  it('is reported by every command, and nothing starts: folders in folders without end', async () => {
    const ours = openCli(ROW);
    const part = 'a'.repeat(200);
    const deep = join(stateOf(ours), ...Array<string>(18).fill(part));
    mkdirSync(deep, { recursive: true });
    execFileSync('mkdir', ['-p', join(part, part, part)], { cwd: deep });
    try {
      await assertRefused(ours, /Move them away, then try again\.$/m);
    } finally {
      // Node does not remove a path of this length.
      execFileSync('rm', ['-rf', stateOf(ours)]);
    }
  });

  it('is kept if only its name looks temporary', async () => {
    const ours = openCli(ROW);
    const names = ['.prompts.csv.x.tmp', '.prompts.csv.aaaa.bbbb.spare'].map((name) =>
      join(ours.queueFolder, name),
    );
    for (const name of names) mkdirSync(name);
    assert.equal((await ours.call('trust')).code, 0);
    assert.equal((await ours.call('run')).code, 0);
    assert.ok(names.every((name) => existsSync(name)));
  });
});

describe('A named pipe', () => {
  const makePipe = (file: string): void => {
    rmSync(file, { force: true });
    execFileSync('mkfifo', [file]);
  };

  for (const name of ['prompts.csv', 'config.yaml', 'state/journal', 'state/executed.log']) {
    it(`in the place of ${name} stops no command, and is reported`, async () => {
      const ours = await openTheirs();
      makePipe(join(ours.queueFolder, name));
      for (const command of COMMANDS) {
        const { code, err } = await ours.call(...command);
        assert.ok([1, 64].includes(code), `${command.join(' ')}: ${String(code)}`);
        assert.ok(err.includes(`${join(ours.queueFolder, name)} is a named pipe, not a regular file.`), err);
      }
      const { out } = await ours.call('check');
      assert.ok(out.includes('is a named pipe'), out);
    });
  }

  it('in the place of NEXT_TASK.md is reported', async () => {
    const ours = await openTheirs();
    makePipe(join(ours.queueFolder, 'NEXT_TASK.md'));
    await ours.call('retry', '1');
    const { code, err } = await ours.call('next');
    assert.deepEqual([code, err.includes('NEXT_TASK.md is a named pipe')], [1, true], err);
  });

  it('in the place of an output prevents its attempt, and is reported', async () => {
    const ours = openCli(ROW);
    await ours.call('trust');
    mkdirSync(join(stateOf(ours), 'outputs'), { recursive: true });
    makePipe(join(stateOf(ours), 'outputs', 'task-1-attempt-1.jsonl'));
    const { out } = await ours.call('run');
    assert.match(out, /ended: transient \(output-unwritable\)/);
    assert.match(out, /task-1-attempt-1\.jsonl exists already/);
  });

  it('in the place of the approvals is reported', async () => {
    const ours = await openTheirs();
    const folder = join(ours.env['XDG_STATE_HOME'] ?? '', 'claude-queue', 'approvals');
    const [name = ''] = readdirSync(folder).filter((one) => /^\w+\.json$/.test(one));
    makePipe(join(folder, name));
    const { code, err } = await ours.call('status');
    assert.deepEqual([code, err.includes(`${name} is a named pipe`)], [1, true], err);
  });

  it('or a folder in the place of the queue file is not read', async () => {
    const ours = await openTheirs();
    rmSync(ours.queueFile);
    mkdirSync(ours.queueFile);
    const { code, err } = await ours.call('status');
    assert.deepEqual([code, err.includes('prompts.csv is a folder, not a regular file.')], [1, true], err);
  });
});

it('An output is readable by its user alone', async () => {
  const ours = await openTheirs();
  const [output = ''] = readdirSync(join(stateOf(ours), 'outputs'));
  assert.equal(statSync(join(stateOf(ours), 'outputs', output)).mode & 0o777, 0o600);
});

describe('A lock folder with a file in it', () => {
  it('is reported with a remedy', async () => {
    const ours = await openTheirs();
    const lock = join(stateOf(ours), 'step.lock');
    // The last step may keep it for a few milliseconds.
    await until('the lock is free', () => !existsSync(lock));
    mkdirSync(lock);
    writeFileSync(join(lock, 'theirs'), '');
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(lock, longAgo, longAgo);
    const { code, err } = await ours.call('hold');
    assert.equal(code, 1);
    assert.ok(
      err.includes(`${lock} is the lock of this program and must be an empty folder. Remove it`),
      err,
    );
  });
});

describe('A queue file without a valid row', () => {
  it('ends "work --until-empty" with the reason and exit code 1', async () => {
    const ours = await openTheirs();
    ours.writeFile('prompts.csv', 'id,working_dir,prompt\n1,.,"never closed\n');
    const { code, err } = await ours.call('work', '--until-empty');
    assert.equal(code, 1);
    assert.match(err, /line 2, column \d+: This quote is never closed/);
  });
});
