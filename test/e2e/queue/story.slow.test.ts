import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signal } from '../../support/machine/processTable';
import { isAbout, openPlace } from '../../support/queue/queuePlace';
import type { Place } from '../../support/queue/queuePlace';
import { SOON_SECONDS, limit, text, tool } from '../../support/claude/replies';
import type { Reply } from '../../support/claude/replies';
import type { Turn } from '../../support/claude/turn';
import { until } from '../../support/until';

const WAITING = 'cat go';

/** Typed by hand: two wait for another, one comes daily. */
const TYPED = [
  'id,priority,working_dir,prompt,status,scheduled_time,dependencies,repeat,repeat_interval,retry_count,max_retries,allowed_tools,verify',
  '1,high,.,Collect the data,pending,,,no,,0,3,,',
  '2,medium,.,Analyse it,pending,,1,no,,0,3,,',
  '3,medium,.,Look at the news,pending,,,yes,daily,0,3,,',
  '4,medium,.,Write the report,pending,,,no,,0,3,,',
  '5,medium,.,Try the compiler,pending,,,no,,0,1,,"[""false""]"',
  '6,medium,.,Publish the package,pending,,,no,,0,3,,',
  '7,medium,.,Run the long check,pending,,,no,,0,3,Bash,',
  '8,low,.,Translate the manual,pending,,4,no,,0,3,,',
  '',
].join('\n');

/** The report meets the limit in the middle, the package is refused a tool, and the check takes as long as it is let. */
function openEvening(): Promise<Place> {
  let isReached = false;
  const answer = (turn: Turn): Reply => {
    if (isAbout(turn, 'Run the long check')) {
      const command = `mkfifo go; touch started; ${WAITING}`;
      return turn.toolResults === 0 ? tool('Bash', { command, timeout: 600_000 }) : text('Checked.');
    }
    if (isAbout(turn, 'Publish the package') && turn.toolResults === 0) {
      return tool('Bash', { command: 'python3 -c "print(1)"' });
    }
    if (!isAbout(turn, 'Write the report')) return text('Done.');
    if (turn.toolResults === 0) return tool('Glob', { pattern: '*.md' });
    if (isReached) return text('Written.');
    isReached = true;
    return limit({ kind: 'five_hour', resetInSeconds: SOON_SECONDS });
  };
  return openPlace({ respond: answer });
}

describe('An evening of real processes', () => {
  it('survives a limit, a frozen machine and hand edits without losing anything', async () => {
    const place = await openEvening();
    const { queue } = place;
    writeFileSync(queue.file, TYPED);
    await queue.run('trust');
    const worker = queue.start('work --until-empty');
    await worker.waitForLine(/Waiting[^:]*: 5-hour usage window used up/);
    await place.api.waitForTurn((turn) => isAbout(turn, 'Run the long check'));
    await until('the long check runs', () => existsSync(join(queue.folder, 'started')));

    const asleep = place.processes();
    assert.ok(
      asleep.some(({ pid }) => pid === worker.pid) && asleep.some(({ command }) => command.includes(WAITING)),
    );
    for (const each of asleep) signal(each, 'SIGSTOP');
    assert.equal((await queue.task(7)).shown, 'running', 'who sleeps is not dead');
    const other = await queue.run('run');
    assert.equal(other.code, 4, other.stdout);
    assert.match(other.stdout + other.stderr, /worker \d+ is running task 7/);
    writeFileSync(queue.file, queue.read().replace('Translate the manual', 'Translate all of it'));
    for (const each of asleep) signal(each, 'SIGCONT');
    writeFileSync(join(queue.folder, 'go'), '');

    const { code, stdout } = await worker.ended;
    assert.equal(code, 1, stdout);
    const { tasks } = await queue.status();
    assert.deepEqual(
      tasks.map(({ id, status, retryCount }) => [id, status, retryCount]),
      [
        [1, 'completed', 0],
        [2, 'completed', 0],
        [3, 'pending', 0],
        [4, 'completed', 0],
        [5, 'failed', 1],
        [6, 'review', 0],
        [7, 'completed', 0],
        [8, 'completed', 0],
      ],
    );
    checkFiles(place);
    checkTurns(place);
  });
});

/** The file as it was typed and edited, with what became of each row, and each end in its log once. */
function checkFiles({ queue }: Place): void {
  const become = (text: string, id: number, status: string): string =>
    text.replace(new RegExp(`^(${String(id)},.*?),pending,`, 'm'), `$1,${status},`);
  const done = [1, 2, 4, 7, 8].reduce((csv, id) => become(csv, id, 'completed'), TYPED);
  const expected = become(become(done, 5, 'failed'), 6, 'review')
    .replace('Translate the manual', 'Translate all of it')
    .replace('no,,0,1,', 'no,,1,1,');
  assert.equal(queue.read(), expected);
  const idsIn = (log: string): number[] => log.trimEnd().split('\n').map(parseFloat);
  assert.deepEqual(idsIn(queue.log('executed')), [1, 2, 3, 4, 7, 8]);
  assert.deepEqual(idsIn(queue.log('quota_exceeded')), [4]);
  assert.deepEqual(idsIn(queue.log('retry_tasks')), [5]);
  assert.deepEqual(idsIn(queue.log('repeat_tasks')), [3]);
}

/** Checks that the stopped task kept its session, the frozen one ran once, and the edited one ran as edited. */
function checkTurns(place: Place): void {
  assert.equal(new Set(place.turnsOf('Write the report').map(({ session }) => session)).size, 1);
  const check = place.turnsOf('Run the long check');
  assert.deepEqual(
    check.map(({ toolResults }) => toolResults),
    [0, 1],
  );
  assert.equal(place.turnsOf('Translate all of it').length, 1);
  assert.deepEqual(place.turnsOf('Translate the manual'), []);
}
