import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CheckBefore } from '../../../src/domain/task/attempt';
import { GitRepository } from '../../support/machine/gitRepository';
import { text, tool } from '../../support/claude/replies';
import { openPlace, type Place, type QueueFolder } from '../../support/queue/queuePlace';
import type { RowCells } from '../../support/queue/rows';
import { until } from '../../support/until';

const SAYS =
  'This check passed before the attempt as well: it shows that nothing broke, not that the task was done.';

const sh = (code: string): string => JSON.stringify(['sh', '-c', code]);
const COPY = sh('cp -R "$CLAUDE_QUEUE_WORKING_DIR/deps" .');
const ROW: RowCells = { id: 1, prompt: 'Write it', allowed_tools: 'Bash' };

/** Returns the copies of files in the temporary folder. */
function listCopies(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith('claude-queue-copy-'));
}

/** Opens a queue in a repository with an ignored folder, where Claude writes `written.txt`. */
async function openRepository(): Promise<Place> {
  const place = await openPlace({
    respond: (turn) =>
      turn.toolResults === 0
        ? tool('Bash', { command: 'touch written.txt', description: 'w' })
        : text('Done.'),
  });
  const { folder } = place.queue;
  const repository = GitRepository.init(folder);
  writeFileSync(join(folder, '.gitignore'), 'claude_queue/\ndeps/\n');
  writeFileSync(join(folder, 'kept.txt'), 'kept\n');
  repository.commitAll('first');
  mkdirSync(join(folder, 'deps'));
  writeFileSync(join(folder, 'deps/lib'), 'lib\n');
  return place;
}

async function readBefore(queue: QueueFolder, id: number): Promise<Partial<CheckBefore> | undefined> {
  const { stdout } = await queue.run('history --json');
  const { attempts } = JSON.parse(stdout) as {
    readonly attempts: readonly {
      readonly id: number;
      readonly check: { readonly before?: CheckBefore } | null;
    }[];
  };
  return attempts.find((attempt) => attempt.id === id)?.check?.before;
}

describe('A check that also runs on the files before an attempt', () => {
  it('says in the history, the log and the task whether it passed there', async () => {
    const { queue } = await openRepository();
    queue.writeRules('verifyBefore: true', `verifySetup: ${COPY}`);
    await queue.trust([
      { ...ROW, id: 1, verify: sh('cat deps/lib kept.txt') },
      { ...ROW, id: 2, prompt: 'And again', dependencies: 1, verify: sh('rm -r deps') },
    ]);
    const { code, stdout } = await queue.run('work --until-empty');
    assert.equal(code, 0, stdout);
    assert.ok(stdout.includes(SAYS), stdout);
    const first = await queue.task(1);
    assert.deepEqual([first.status, first.lastMessage], ['completed', `Done, and its check passed. ${SAYS}`]);
    assert.equal((await readBefore(queue, 1))?.result, 'passed');
    const log = (await queue.run('log 1')).stdout;
    assert.ok(log.includes(SAYS), log);
    assert.ok(
      (await queue.run('report')).stdout.includes('Its check passed, and before the attempt as well'),
    );
    // The check of the second task has removed what the set-up copies.
    const second = await queue.task(2);
    assert.equal(second.status, 'completed');
    assert.match(second.lastMessage ?? '', /It is unknown .*: the set-up failed with exit code 1\.$/);
    assert.deepEqual((await readBefore(queue, 2))?.cause, 'setup');
    assert.deepEqual(listCopies(), []);
  });

  it('is proof where it failed there, and needs approval for its set-up', async () => {
    const { queue } = await openRepository();
    queue.write([{ ...ROW, verify: sh('cat deps/lib written.txt') }]);
    await queue.approve('--all');
    queue.writeRules('verifyBefore: true', `verifySetup: ${COPY}`);
    assert.equal((await queue.task(1)).shown, 'unapproved');
    const listed = (await queue.run('approve')).stdout;
    assert.match(
      listed,
      /the check also runs on the files before, set up by sh -c cp -R "\$CLAUDE_QUEUE_WORKING_DIR\/deps" \./,
    );
    await queue.run('approve --all');
    queue.writeRules('verifyBefore: true', `verifySetup: ${sh('touch /tmp/never')}`);
    assert.equal((await queue.task(1)).shown, 'unapproved');
    queue.writeRules('verifyBefore: true', `verifySetup: ${COPY}`);
    const added = await queue.run(['add', '--verify', '["cat","deps/lib"]', 'Another']);
    assert.equal(added.stderr, '', 'its set-up is approved with the first task');
    const { code, stdout } = await queue.run('run --id 1');
    assert.equal(code, 0, stdout);
    assert.equal((await readBefore(queue, 1))?.result, 'failed');
    assert.match((await queue.run('history')).stdout, /success/);
    assert.deepEqual(listCopies(), []);
  });

  it('is not approved with a task that names only the check', async () => {
    const { queue } = await openRepository();
    queue.write([]);
    queue.writeRules('verifyBefore: true', `verifySetup: ${COPY}`);
    const added = await queue.run(['add', '--verify', '["cat","kept.txt"]', 'Another']);
    assert.match(added.stderr, /^Task 1 needs approval: its check is set up by sh -c cp -R /);
    assert.equal((await queue.task(1)).shown, 'unapproved');
  });

  it('leaves no copy when its worker is killed and another one starts', async () => {
    const { queue } = await openRepository();
    queue.writeRules('verifyBefore: true');
    await queue.trust([{ ...ROW, verify: sh('test -e written.txt || { touch began; sleep 600; }') }]);
    const worker = queue.start('work');
    const copy = await until('the check runs in a copy', () =>
      listCopies().find((name) => existsSync(join(tmpdir(), name, 'began'))),
    );
    worker.kill('SIGKILL');
    await worker.ended;
    assert.ok(listCopies().includes(copy));
    const { code, stdout } = await queue.run('work --until-empty');
    assert.equal(code, 0, stdout);
    assert.equal(listCopies().includes(copy), false);
  });
});
