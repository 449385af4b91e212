import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { openPlace } from '../../support/queue/queuePlace';
import type { Place, QueueFolder, StatusTask } from '../../support/queue/queuePlace';

const ELEVEN =
  'id,priority,working_dir,prompt,status,scheduled_time,dependencies,repeat,repeat_interval,retry_count,max_retries';

/** Its owner types this, and lets all of it run. */
async function type(queue: QueueFolder, ...lines: readonly string[]): Promise<void> {
  writeFileSync(queue.file, `${lines.join('\n')}\n`);
  await queue.run('trust');
}

/** A task in `status --json`. */
type Reported = StatusTask & {
  readonly priority: string;
  readonly service: { readonly standing: string } | null;
};

async function report(queue: QueueFolder): Promise<ReadonlyMap<number, Reported>> {
  const { tasks } = await queue.status();
  return new Map(tasks.map((task) => [task.id, task as Reported]));
}

async function reasonOf(queue: QueueFolder, id: number): Promise<string> {
  return (await queue.task(id)).reason;
}

describe('A queue typed by hand', () => {
  let place: Place;
  let queue: QueueFolder;
  beforeEach(async () => {
    place = await openPlace();
    ({ queue } = place);
  });

  it('serves users in turn, and those of --users first', async () => {
    await type(
      queue,
      `${ELEVEN},user`,
      '1,,.,First of Ann,,,,,,,,ann',
      '2,,.,Second of Ann,,,,,,,,ann',
      '3,,.,First of Bob,,,,,,,,bob',
      '4,,.,Second of Bob,,,,,,,,bob',
    );
    const { stdout } = await queue.run('status');
    assert.match(stdout, /^> 1 +ready +medium +ann +First of Ann$/m);
    await queue.run('work --max-tasks 2');
    await queue.run('work --until-empty --users bob');
    assert.deepEqual(place.reported(), ['First of Ann', 'First of Bob', 'Second of Bob', 'Second of Ann']);
  });

  it('shows which task is past its deadline', async () => {
    await type(
      queue,
      `${ELEVEN},deadline`,
      '1,high,.,Too late,,,,,,,,2020-01-01 09:00',
      '2,high,.,In time,,,,,,,,2099-01-01 09:00',
      '3,low,.,Some time,,,,,,,,',
    );
    const tasks = await report(queue);
    const standings = [...tasks.values()].map(({ service }) => service?.standing);
    assert.deepEqual(standings, ['violated', 'in-time', 'in-time']);
    const { stdout } = await queue.run('status');
    assert.match(stdout, /1 violated/);
    await queue.run('work --max-tasks 1');
    assert.equal((await report(queue)).get(1)?.service, null, 'what has ended is not late any more');
  });

  it('gives a row without a priority the priority of the first matching rule', async () => {
    queue.writeRules(
      'priorityRules:',
      '  - { tag: night, priority: low }',
      '  - { user: ann, priority: critical }',
    );
    await type(
      queue,
      `${ELEVEN},user,tags`,
      '1,,.,By nobody’s rule,,,,,,,,,',
      '2,,.,At night,,,,,,,,ann,night|shop',
      '3,,.,Of Ann,,,,,,,,ann,',
      '4,high,.,Of Ann and sure,,,,,,,,ann,',
    );
    const priorities = [...(await report(queue)).values()].map(({ priority }) => priority);
    assert.deepEqual(priorities, ['medium', 'low', 'critical', 'high']);
  });

  it('runs in a pool only tasks of its priorities', async () => {
    queue.writeRules('pools:', '  fast: { priorities: [critical, high] }');
    await type(queue, ELEVEN, '1,medium,.,Some time,,,,,,,', '2,high,.,Soon,,,,,,,');
    const { code, stdout } = await queue.run('work --pool fast --until-empty');
    assert.equal(code, 0, stdout);
    assert.deepEqual(place.reported(), ['Soon']);
    assert.equal((await queue.task(1)).shown, 'ready');
    const unknown = await queue.run('work --pool slow --until-empty');
    assert.equal(unknown.code, 64);
    assert.match(unknown.stderr, /slow.*fast/s);
  });

  it('keeps low tasks waiting in quiet hours, and shows until when', async () => {
    queue.writeRules(
      'quietHours:',
      '  - { from: "00:00", to: "12:00", priorities: [low] }',
      '  - { from: "12:00", to: "24:00", priorities: [low] }',
    );
    await type(queue, ELEVEN, '1,low,.,Quietly,,,,,,,', '2,medium,.,Now,,,,,,,');
    await queue.run('work --until-empty');
    assert.deepEqual(place.reported(), ['Now']);
    assert.equal(await reasonOf(queue, 1), 'quiet hours for low, always');
  });

  it('pauses and resumes low tasks by command', async () => {
    await type(queue, ELEVEN, '1,low,.,Later,,,,,,,', '2,high,.,Now,,,,,,,');
    assert.equal((await queue.run(['hold', 'not before the evening', '--priority', 'low'])).code, 0);
    await queue.run('work --until-empty');
    assert.deepEqual(place.reported(), ['Now']);
    assert.match(await reasonOf(queue, 1), /low.*not before the evening/);
    assert.equal((await queue.run('resume --priority low')).code, 0);
    await queue.run('work --until-empty');
    assert.deepEqual(place.reported(), ['Now', 'Later']);
  });

  it('shows a dependency cycle as a path', async () => {
    await type(queue, ELEVEN, '3,,.,One,,,7,,,,', '7,,.,Other,,,3,,,,', '8,,.,Third,,,,,,,');
    const { code, stdout } = await queue.run('check');
    assert.equal(code, 1);
    assert.match(stdout, /prompts\.csv:2:\d+.*3 → 7 → 3/);
    await type(queue, ELEVEN, '3,,.,One,,,,,,,', '7,,.,Other,,,3,,,,', '8,,.,Third,,,,,,,');
    const before = queue.read();
    const edited = await queue.run('edit 3 --after 7');
    assert.notEqual(edited.code, 0);
    assert.match(edited.stderr, /3 → 7 → 3/);
    assert.equal(queue.read(), before);
  });

  it('distinguishes blocked from stuck tasks along a chain', async () => {
    await type(
      queue,
      ELEVEN,
      '1,,.,Has failed,failed,,,,,,',
      '2,,.,After it,,,1,,,,',
      '3,,.,After that,,,2,,,,',
      '4,,.,Still to come,,2099-01-01 09:00,,,,,',
      '5,,.,After what is to come,,,4,,,,',
    );
    const tasks = await report(queue);
    const reported = [2, 3, 5].map((id) => [tasks.get(id)?.shown, tasks.get(id)?.reason]);
    assert.deepEqual(reported, [
      ['stuck', 'waits for 1 (failed)'],
      ['stuck', 'waits for 2 (stuck)'],
      ['blocked', 'waits for 4'],
    ]);
    const { code } = await queue.run('work --until-empty');
    assert.equal(code, 4, 'nothing ran');
  });

  it('pauses after three tasks with the same failure', async () => {
    const rows = [1, 2, 3, 4, 5].map((id) => `${String(id)},,.,Task ${String(id)},,,,,,,1,"[""false""]"`);
    await type(queue, `${ELEVEN},verify`, ...rows);
    const { code, stdout } = await queue.run('work --until-empty');
    assert.equal(code, 1, stdout);
    assert.deepEqual(place.reported(), ['Task 1', 'Task 2', 'Task 3']);
    assert.match(await reasonOf(queue, 4), /^the same failure in 3 tasks in a row \(1, 2, 3\), the last: /);
    assert.equal((await queue.run('resume')).code, 0);
    assert.equal((await queue.task(4)).shown, 'ready');
  });

  it('starts no more tasks in an hour than maxPerHour, and shows when the next starts', async () => {
    queue.writeRules('maxPerHour: 1');
    await type(queue, ELEVEN, '1,,.,One,,,,,,,', '2,,.,Two,,,,,,,');
    await queue.run('run');
    const second = await queue.task(2);
    assert.equal(second.shown, 'waiting');
    assert.match(second.reason, /^at most 1 an hour, next at (?:\d{4}-\d\d-\d\d )?\d\d:\d\d(?::\d\d)?$/);
    const { code } = await queue.run('run');
    assert.equal(code, 2);
    assert.deepEqual(place.reported(), ['One']);
  });

  it('is paused after --max-tasks tasks, until the next worker starts', async () => {
    await type(queue, ELEVEN, '1,,.,One,,,,,,,', '2,,.,Two,,,,,,,');
    const { code, stdout } = await queue.run('work --max-tasks 1');
    assert.equal(code, 0, stdout);
    assert.match(await reasonOf(queue, 2), /--max-tasks 1/);
    assert.equal((await queue.run('work --until-empty')).code, 0);
    assert.deepEqual(place.reported(), ['One', 'Two']);
  });
});
