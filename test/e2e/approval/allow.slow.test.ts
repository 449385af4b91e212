import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPlace } from '../../support/queue/queuePlace';
import type { Place } from '../../support/queue/queuePlace';
import { text, tool } from '../../support/claude/replies';
import type { Reply } from '../../support/claude/replies';

/** Brackets, commas, spaces and a semicolon: all that a list of rules could be split at. */
const COMMAND = `python3 -c "open('made.txt', 'w').write('x'); print(1), Bash"`;

interface Refusals {
  readonly attempt: number | null;
  readonly refusals: readonly {
    readonly rule: string | null;
    readonly number: number | null;
    readonly why: string;
    readonly hasNotHelped: boolean;
  }[];
}

describe('Tools that Claude was refused', () => {
  let outside: string;
  let place: Place;
  beforeEach(async () => {
    outside = mkdtempSync(join(tmpdir(), 'outside-'));
    const file = join(outside, 'a (1), b.txt');
    const make = tool('Bash', { command: COMMAND, description: 'make' });
    const write = tool('Write', { file_path: file, content: 'y' });
    const look = tool('Bash', { command: 'cat *.txt | python3', description: 'look' });
    const first: readonly Reply[] = [make, write, look, text('Finished, as far as I could.')];
    const again: readonly Reply[] = [make, write, text('Done.')];
    place = await openPlace({ respond: ({ number }) => [...first, ...again][number - 1] ?? text('Done.') });
    await place.queue.trust([{ id: 1, prompt: 'Make it' }]);
    assert.equal((await place.queue.run('work --until-empty')).code, 0);
    assert.equal((await place.queue.task(1)).shown, 'review');
  });
  afterEach(() => rmSync(outside, { recursive: true, force: true }));

  const list = async (): Promise<Refusals> =>
    JSON.parse((await place.queue.run('allow 1 --json')).stdout) as Refusals;

  it('are allowed for that task in one step; the task resumes its session and completes', async () => {
    const { queue } = place;
    const { refusals } = await list();
    assert.deepEqual(
      refusals.map(({ number, rule }) => [number, rule?.replace(outside, '')]),
      [
        [1, String.raw`Bash(python3 -c "open\('made.txt', 'w'\).write\('x'\); print\(1\), Bash")`],
        [2, 'Edit(//a (1), b.txt)'],
        [null, undefined],
      ],
    );
    const { stdout } = await queue.run('allow 1');
    assert.match(stdout, /^Task 1, attempt 1: refused 3 actions\.\n {2}1 {2}Bash\(python3/);
    assert.match(stdout, /no rule: .*\nAllow with "claude-queue allow 1 --rule 1,2" or --all/);

    const allowed = await queue.run('allow 1 --all');
    assert.equal(allowed.code, 0, allowed.stderr);
    assert.match(allowed.stdout, /Task 1 is pending again\./);
    assert.equal((await queue.run('work --until-empty')).code, 0);
    assert.equal((await queue.task(1)).shown, 'completed');
    assert.ok(existsSync(join(queue.folder, 'made.txt')) && existsSync(join(outside, 'a (1), b.txt')));
    assert.equal(new Set(place.turnsOf('Make it').map(({ session }) => session)).size, 1);
  });

  it('stay refused if not chosen, and for an edited task', async () => {
    const { queue } = place;
    assert.equal((await queue.run('allow 1 --rule 7')).code, 64);
    assert.equal((await queue.run('allow 1 --rule 2')).code, 0);
    assert.equal((await queue.run('work --until-empty')).code, 0);
    assert.equal((await queue.task(1)).shown, 'review');
    const allowed = (await list()).refusals.map(({ rule, hasNotHelped }) => [
      rule?.slice(0, 5),
      hasNotHelped,
    ]);
    assert.deepEqual(allowed, [['Bash(', false]]);
    assert.equal(existsSync(join(queue.folder, 'made.txt')), false);
    assert.ok(existsSync(join(outside, 'a (1), b.txt')));

    assert.equal((await queue.run(['edit', '1', '--prompt', 'Make another'])).code, 0);
    assert.match((await queue.run('allow 1')).stdout, /^Task 1 has not run yet in its present form\./);
  });
});
