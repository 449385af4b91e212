import assert from 'node:assert/strict';
import { readFileSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { CLI } from '../../support/machine/cli';
import { GitRepository } from '../../support/machine/gitRepository';
import { start, type Ended } from '../../support/machine/processes';
import { startRedis } from '../../support/redis/redisServer';
import { text, tool } from '../../support/claude/replies';
import type { Reply } from '../../support/claude/replies';
import { openPlace } from '../../support/queue/queuePlace';
import type { Place, QueueFolder } from '../../support/queue/queuePlace';
import { LONG_ROW, openLongPlace, waitForTool } from '../attempts/runningTool';

/** Not UTF-8, with a line end of Windows. */
const LATIN = Buffer.from('caf\xe9\r\nna\xefve\r\n', 'latin1');
const BINARY = Buffer.from(Array.from({ length: 3000 }, (_, index) => (index * 7) % 256));
const CRLF = Buffer.from('one\r\ntwo\r\nthree\r\n');

/** Changes files as a program does that Claude starts. */
const CHANGER = `
printf 'caf\\351s\\r\\nna\\357ve\\n' > latin.txt
printf 'one\\ntwo\\r\\nthree\\r\\n' > crlf.txt
head -c 2000 /dev/zero > picture.bin
printf '\\000\\001' > new.bin
head -c 11000000 /dev/zero > huge.bin
rm old.txt
mkdir sub
mv moved.txt 'sub/mo ved ü.txt'
`;

const ROW = { id: 1, prompt: 'Change the files', allowed_tools: 'Bash|Edit|Write|Read' };

/** Makes a repository of the queue's folder: with a branch, a stash, and files of several kinds. */
function makeRepository({ folder }: QueueFolder): GitRepository {
  const repository = GitRepository.init(folder);
  const write = (name: string, content: string | Buffer): void => writeFileSync(join(folder, name), content);
  write('.gitignore', 'claude_queue/\nstarted\n');
  write('latin.txt', LATIN);
  write('crlf.txt', CRLF);
  write('picture.bin', BINARY);
  write('old.txt', 'old\n');
  write('moved.txt', 'a\nb\nc\nd\n');
  write('plain.txt', 'a\nb\n');
  write('sub.txt', 'x\n');
  write('change.sh', CHANGER);
  repository.git('config', 'core.autocrlf', 'false');
  repository.git('add', '-A');
  repository.git('commit', '-qm', 'first');
  repository.git('branch', 'other');
  write('sub.txt', 'stashed\n');
  repository.git('stash', '-q');
  // Work of the user's that is not committed, staged or not.
  write('plain.txt', 'a\nb\nmine\n');
  write('staged.txt', 'staged\n');
  repository.git('add', 'staged.txt');
  for (const name of repository.git('ls-files').trim().split('\n'))
    utimesSync(join(folder, name), 1_000, 1_000);
  repository.git('status');
  return repository;
}

/** Content of every file below a folder, by path. */
function bytesBelow(folder: string, isMeant: (path: string) => boolean = () => true): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    files
      .map((file) => [relative(folder, file), file] as const)
      .filter(([path]) => isMeant(path))
      .sort()
      .map(([path, file]) => [path, readFileSync(file, 'latin1')]),
  );
}

/** The user's files: without the repository, the queue, and the file that is too large for a diff. */
const isOwn = (path: string): boolean => !/^(?:\.git|claude_queue|huge\.bin)(?:\/|$)/.test(path);

/** Prints a diff to a file by a shell. */
function printTo(file: string, words: string, { folder, env }: QueueFolder): Promise<Ended> {
  const command = `exec "$0" "$@" > '${file}'`;
  return start('/bin/sh', ['-c', command, process.execPath, CLI, ...words.split(' ')], { cwd: folder, env })
    .ended;
}

describe('diff', () => {
  let place: Place;
  let queue: QueueFolder;
  let repository: GitRepository;

  beforeEach(async () => {
    place = await openPlace({
      respond: (turn): Reply => {
        const plain = join(queue.folder, 'plain.txt');
        const answers: readonly Reply[] = [
          tool('Bash', { command: 'sh change.sh', description: 'change' }),
          tool('Read', { file_path: plain }),
          tool('Edit', { file_path: plain, old_string: 'b\n', new_string: 'B\n' }),
          tool('Write', { file_path: join(queue.folder, 'written.txt'), content: 'ü\n' }),
        ];
        return answers[turn.toolResults] ?? text('Done.');
      },
    });
    ({ queue } = place);
    repository = makeRepository(queue);
  });

  it('prints a patch that takes back every byte that an attempt changed', async () => {
    await queue.trust([ROW]);
    const before = bytesBelow(queue.folder, isOwn);
    const { code, stdout } = await queue.run('work --until-empty');
    assert.equal(code, 0, stdout);
    assert.notDeepEqual(bytesBelow(queue.folder, isOwn), before);

    const patch = join(place.home.folder, 'p.patch');
    const printed = await printTo(patch, 'diff 1', queue);
    assert.deepEqual(
      [printed.code, printed.stderr],
      [0, 'huge.bin changed too, but has or had more than 10 MB.\n'],
    );
    repository.git('apply', '-R', '--whitespace=nowarn', patch);
    assert.deepEqual(bytesBelow(queue.folder, isOwn), before);
    // And forward again, by the same patch.
    repository.git('apply', '--whitespace=nowarn', patch);
    assert.equal(readFileSync(join(queue.folder, 'latin.txt'), 'latin1'), 'cafés\r\nnaïve\n');
  });

  it('changes no byte of the repository, and neither does the attempt', async () => {
    await queue.trust([ROW]);
    const before = bytesBelow(join(queue.folder, '.git'));
    assert.ok(before.has('index') && before.has('refs/stash'));
    assert.equal((await queue.run('work --until-empty')).code, 0);
    for (const words of ['diff 1', 'diff 1 --stat', 'diff 1 --json', '--color always diff 1'])
      assert.equal((await queue.run(words)).code, 0);
    assert.deepEqual(bytesBelow(join(queue.folder, '.git')), before);
  });

  it('has the names and sizes of the changed files, and a state for each', async () => {
    await queue.trust([ROW]);
    assert.equal((await queue.run('work --until-empty')).code, 0);
    const { stdout } = await queue.run('diff 1 --json');
    assert.deepEqual(JSON.parse(stdout), {
      id: 1,
      attempt: 1,
      files: [
        { path: 'crlf.txt', status: 'modified' },
        { path: 'latin.txt', status: 'modified' },
        { path: 'moved.txt', status: 'deleted' },
        { path: 'new.bin', status: 'added' },
        { path: 'old.txt', status: 'deleted' },
        { path: 'picture.bin', status: 'modified' },
        { path: 'plain.txt', status: 'modified' },
        { path: 'sub/mo ved ü.txt', status: 'added' },
        { path: 'written.txt', status: 'added' },
      ],
      leftOut: [{ path: 'huge.bin', why: 'large' }],
    });
    const stat = (await queue.run('diff 1 --stat')).stdout;
    assert.match(stat, /^ plain\.txt +\| +2 \+-$/m);
    assert.match(stat, /^ moved\.txt => sub\/mo ved ü\.txt +\| +0$/m);
    assert.match(stat, /^ picture\.bin +\| +Bin 3000 -> 2000 bytes$/m);
    assert.match(stat, /^ 8 files changed, \d+ insertions\(\+\), \d+ deletions\(-\)\n$/m);
    assert.match(
      (await queue.run('show 1')).stdout,
      /^changed +at least \+\d+ -\d+ in 9 files: "claude-queue diff 1"$/m,
    );
  });

  it('prints the changes of an attempt at a queue in Redis', async () => {
    const redis = await startRedis();
    try {
      const call = (...words: readonly string[]): Promise<Ended> =>
        queue.run(['--redis', redis.url, ...words]);
      const added = await call(
        'add',
        'Change the files',
        '--dir',
        queue.folder,
        '--allow',
        ROW.allowed_tools,
      );
      assert.equal(added.code, 0, added.stderr);
      assert.match((await call('diff', '1')).stderr, /^No attempt of task 1 has ended yet\.$/m);
      const { code, stdout } = await call('work', '--until-empty');
      assert.equal(code, 0, stdout);
      const { stdout: patch } = await call('diff', '1');
      assert.match(patch, /^\+B$/m);
    } finally {
      await redis.stop();
    }
  });
});

describe('A worker that is killed in the middle of an attempt', () => {
  it('leaves the repository as it was, and its changes are said to be unknown', async () => {
    let folder = '';
    const place = await openLongPlace({
      onAgain: () => {
        writeFileSync(join(folder, 'plain.txt'), 'again\n');
      },
    });
    const { queue } = place;
    ({ folder } = queue);
    makeRepository(queue);
    await queue.trust([LONG_ROW]);
    const before = bytesBelow(join(folder, '.git'));
    const worker = queue.start('work');
    await waitForTool(place, worker);
    assert.match((await queue.run('diff 1')).stderr, /^Attempt 1 of task 1 is running\./);
    worker.kill('SIGKILL');
    await worker.ended;
    const unknown = 'It is not known which files attempt 1 of task 1 changed: its worker died.\n';
    const killed = await queue.run('diff 1');
    assert.deepEqual([killed.code, killed.stdout, killed.stderr], [1, '', unknown]);
    assert.deepEqual(bytesBelow(join(folder, '.git')), before);

    const { code, stdout } = await queue.run('work --until-empty');
    assert.equal(code, 0, stdout);
    assert.match((await queue.run('diff 1')).stdout, /^\+again$/m);
    const lost = await queue.run('diff 1 --attempt 1');
    assert.deepEqual([lost.code, lost.stdout, lost.stderr], [1, '', unknown]);
    assert.deepEqual(bytesBelow(join(folder, '.git')), before);
  });
});
