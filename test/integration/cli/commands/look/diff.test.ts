import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openKeptTrees } from '../../../../../src/app/context/openKeptTrees';
import type { Attempt } from '../../../../../src/domain/task/attempt';
import { createDiffMeasure } from '../../../../../src/platform/git/changeMeasure';
import { MOST_FILES } from '../../../../../src/platform/git/fileLook';
import { GitRepository } from '../../../../support/machine/gitRepository';
import { CliHarness, EVENING, type Answer } from '../../cliHarness';
import { openCliQueue, startAttempt } from '../../fileQueue';
import { live, MINUTE_MS } from '../../lived';

const NEVER = new AbortController().signal;
const DIFF = { files: 1, insertions: 1, deletions: 1 };

describe('diff', () => {
  let cli: CliHarness;
  let repository: GitRepository;

  beforeEach(() => {
    cli = new CliHarness();
    cli.env['PATH'] = process.env['PATH'] ?? '';
    cli.write('1,high,.,First,pending,,,no,,0,3');
    repository = GitRepository.init(join(cli.workspace));
    write('a.txt', 'one\ntwo\n');
    repository.commitAll('first');
  });
  afterEach(() => cli.remove());

  function write(name: string, content: string): void {
    writeFileSync(join(cli.workspace, name), content);
  }

  /** Keeps what `work` changes as that of the task's first attempt. */
  async function keep(work: () => void, folder = cli.workspace): Promise<void> {
    const options = { environment: cli.env, except: [cli.queueFolder], longestMs: 3_600_000 };
    const measure = await createDiffMeasure(options)(folder, NEVER);
    try {
      work();
      const change = await measure.end();
      if (change === undefined) throw new Error('The change is not known.');
      const trees = openKeptTrees({ queueFile: cli.queueFile, host: { env: cli.env } as never });
      await trees.keep({ id: 1, number: 1, startedAt: EVENING }, change, NEVER);
    } finally {
      measure.drop();
    }
  }

  const run = (end: Partial<Attempt> = {}): Promise<void> => live(cli, { tookMs: MINUTE_MS, ...end });
  const refusal = ({ code, out, err }: Answer): readonly unknown[] => [code, out, err];

  it('is a patch, or a line for each file', async () => {
    await keep(() => {
      write('a.txt', 'one\n2\n');
    });
    await run({ diff: DIFF });
    const { code, out, err } = await cli.call('diff', '1');
    assert.deepEqual([code, err], [0, '']);
    assert.match(
      out,
      /^diff --git a\/a\.txt b\/a\.txt\nindex \w+\.\.\w+ 100644\n--- a\/a\.txt\n\+\+\+ b\/a\.txt\n@@ -1,2 \+1,2 @@\n one\n-two\n\+2\n$/,
    );
    assert.equal((await cli.call('diff', '1', '--attempt', '1')).out, out);
    const stat = await cli.call('diff', '1', '--stat');
    assert.equal(stat.out, ' a.txt | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n');
    const json = await cli.call('diff', '1', '--json');
    const files = [{ path: 'a.txt', status: 'modified' }];
    assert.deepEqual(JSON.parse(json.out), { id: 1, attempt: 1, files, leftOut: [] });
    assert.equal((await cli.call('diff', '1', '--json', '--stat')).code, 64);
  });

  it('has colours where other commands have them', async () => {
    await keep(() => {
      write('a.txt', 'one\n2\n');
    });
    await run({ diff: DIFF });
    const { out } = await cli.call('--color', 'always', 'diff', '1');
    const hunk =
      '\u001b[36m@@ -1,2 +1,2 @@\u001b[39m\n one\n\u001b[31m-two\u001b[39m\n\u001b[32m+2\u001b[39m';
    assert.ok(out.endsWith(`\n${hunk}`), out);
    const stat = await cli.call('--color', 'always', 'diff', '1', '--stat');
    assert.ok(stat.out.startsWith(' a.txt | 2 \u001b[32m+\u001b[39m\u001b[31m-\u001b[39m\n'), stat.out);
  });

  it('shows in a terminal what would control it or be invisible', async () => {
    await keep(() => {
      write('a.txt', 'one\r\n\u001b]0;title\u0007\u001b[2J\u202etwo\n');
      write('pic.bin', '\u0000\u001b[2J');
      write('--- \u001b[2J', '-- a\n');
    });
    await run({ diff: DIFF });
    cli.columns = 60;
    const { out } = await cli.call('diff', '1');
    assert.ok(out.includes('\n-one\n'), out);
    assert.ok(out.includes('\n+one^M\n'), out);
    assert.ok(out.includes('\n+\\u001b]0;title\\u0007\\u001b[2J\\u202etwo\n'), out);
    assert.ok(out.includes('\nBinary files /dev/null and b/pic.bin differ'), out);
    const stat = await cli.call('diff', '1', '--stat');
    for (const text of [out, stat.out]) assert.doesNotMatch(text, /[^\n\P{C}]/u);
    assert.match(stat.out, /^ a\.txt +\| /m);
  });

  it('names what is left out after the patch', async () => {
    await keep(() => {
      write('a.txt', 'one\n2\n');
      write('large.bin', '');
      truncateSync(join(cli.workspace, 'large.bin'), 11_000_000);
      const other = join(cli.workspace, 'other');
      mkdirSync(other);
      GitRepository.init(other);
      writeFileSync(join(other, 'b.txt'), 'b\n');
      new GitRepository(other).commitAll('other');
    });
    await run({ diff: DIFF });
    const { code, out, err } = await cli.call('diff', '1');
    assert.equal(code, 0);
    assert.doesNotMatch(out, /large|other/);
    assert.deepEqual(err.split('\n'), [
      'large.bin changed too, but has or had more than 10 MB.',
      'other/ is a repository of its own: changes in it are not known.',
    ]);
    const { leftOut } = JSON.parse((await cli.call('diff', '1', '--json')).out) as { leftOut: unknown };
    assert.deepEqual(leftOut, [
      { path: 'large.bin', why: 'large' },
      { path: 'other/', why: 'repository' },
    ]);
  });

  it('names what is left out where no other file changed', async () => {
    mkdirSync(join(cli.workspace, 'other'));
    GitRepository.init(join(cli.workspace, 'other'));
    await keep(() => {
      write('other/b.txt', 'b\n');
    });
    await run({ diff: { files: 0, insertions: 0, deletions: 0 }, isDiffPartial: true });
    const text = 'other/ is a repository of its own: changes in it are not known.';
    assert.deepEqual(refusal(await cli.call('diff', '1')), [0, '', text]);
    assert.match(
      (await cli.call('history', '1', '--attempt', '1')).out,
      /\nchanged +unknown: "claude-queue diff 1 --attempt 1"/,
    );
  });

  it('names files from the top of the repository, also where a task runs below it', async () => {
    mkdirSync(join(cli.workspace, 'sub'));
    await keep(
      () => {
        write('sub/b.txt', 'b\n');
        write('sub/large.bin', '');
        truncateSync(join(cli.workspace, 'sub/large.bin'), 11_000_000);
        write('a.txt', 'not in the folder of the task\n');
      },
      join(cli.workspace, 'sub'),
    );
    await run({ diff: DIFF });
    const { out } = await cli.call('diff', '1', '--json');
    const files = [{ path: 'sub/b.txt', status: 'added' }];
    const leftOut = [{ path: 'sub/large.bin', why: 'large' }];
    assert.deepEqual(JSON.parse(out), { id: 1, attempt: 1, files, leftOut });
  });

  it('is empty where no file changed', async () => {
    await run({ diff: { files: 0, insertions: 0, deletions: 0 } });
    const text = 'Attempt 1 of task 1 changed no file that git sees.';
    assert.deepEqual(refusal(await cli.call('diff', '1')), [0, '', text]);
    assert.deepEqual(JSON.parse((await cli.call('diff', '1', '--json')).out), {
      ...{ id: 1, attempt: 1, files: [], leftOut: [] },
    });
  });

  it('says why there is nothing to show', async () => {
    const none = 'No attempt of task 1 has ended yet.';
    assert.deepEqual(refusal(await cli.call('diff', '1')), [1, '', none]);
    assert.deepEqual(refusal(await cli.call('diff', '7')), [1, '', 'There is no task 7.']);
    await run();
    const { err } = await cli.call('diff', '1');
    assert.match(err, /^It is not known which files attempt 1 .* outside a git/);
    assert.ok(err.includes(`more than ${MOST_FILES.toLocaleString('en')} new or changed files`), err);
    const other = 'The history has no attempt 2 of task 1.';
    assert.deepEqual(refusal(await cli.call('diff', '1', '--attempt', '2')), [1, '', other]);
    assert.equal((await cli.call('reset')).code, 0);
    assert.match((await cli.call('diff', '1')).err, /^The attempts of task 1 were moved to state\/archive\./);
  });

  it('says that changes are known to be, but not kept here', async () => {
    await run({ diff: DIFF });
    const { code, err } = await cli.call('diff', '1');
    assert.equal(code, 1);
    assert.match(err, /^The changes of attempt 1 of task 1 are not kept here: it ran on another machine/);
  });

  it('says that the latest attempt has not ended, or died with its worker', async () => {
    await keep(() => {
      write('a.txt', 'one\n2\n');
    });
    await run({ outcome: 'error', reason: 'timeout', code: 1, diff: DIFF });
    const queue = await openCliQueue(cli);
    await startAttempt(cli, queue, cli.self());
    await queue.close();
    const running = 'Attempt 2 of task 1 is running. Its changes are shown once it has ended.';
    const first = await cli.call('diff', '1');
    assert.deepEqual([first.code, first.err], [0, running]);
    assert.match(first.out, /^\+2$/m);
    assert.equal((await cli.call('diff', '1', '--attempt', '1')).err, '');
    assert.deepEqual(refusal(await cli.call('diff', '1', '--attempt', '2')), [1, '', running]);
    cli.processes = { ...cli.processes, isAlive: () => false };
    const died = 'It is not known which files attempt 2 of task 1 changed: its worker died.';
    assert.equal((await cli.call('diff', '1')).err, died);
    assert.deepEqual(refusal(await cli.call('diff', '1', '--attempt', '2')), [1, '', died]);
  });

  it('says so when git is missing, or fails', async () => {
    await keep(() => {
      write('a.txt', 'one\n2\n');
    });
    await run({ diff: DIFF });
    const path = cli.env['PATH'] ?? '';
    cli.env['PATH'] = join(cli.folder, 'empty');
    const missing = 'git could not read the changes of attempt 1 of task 1: it is not on the PATH.';
    for (const form of [[], ['--stat'], ['--json']])
      assert.deepEqual(refusal(await cli.call('diff', '1', ...form)), [1, '', missing]);
    cli.env['PATH'] = path;
    const trees = join(cli.env['XDG_STATE_HOME'] ?? '', 'claude-queue/trees');
    const [queue = ''] = readdirSync(trees);
    rmSync(join(trees, queue, 'sha1.git/objects/pack'), { recursive: true });
    const failed = await cli.call('diff', '1');
    assert.deepEqual([failed.code, failed.out], [1, '']);
    assert.match(
      failed.err,
      /^git could not read the changes of attempt 1 of task 1: fatal: bad object \w+$/,
    );
    rmSync(trees, { recursive: true });
    assert.match((await cli.call('diff', '1')).err, /are not kept here/);
  });
});
