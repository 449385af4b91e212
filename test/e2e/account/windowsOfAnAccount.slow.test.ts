import assert from 'node:assert/strict';
import { openPlace } from '../../support/queue/queuePlace';
import type { Place, QueueFolder } from '../../support/queue/queuePlace';

/** The stand-in says that the five hours end in two, and the week in three days. */
describe('The usage windows of an account', () => {
  let place: Place;
  let queue: QueueFolder;

  beforeEach(async () => {
    place = await openPlace();
    ({ queue } = place);
  });

  it('keep the reserve for critical tasks and for tasks that the user names', async () => {
    queue.writeRules('reserve: 0.2');
    await queue.trust([
      { id: 1, prompt: 'Begin', priority: 'high' },
      { id: 2, prompt: 'Tidy up', priority: 'high' },
      {
        id: 3,
        prompt: 'Put out the fire',
        priority: 'critical',
        dependencies: 1,
      },
    ]);
    place.api.setUsage({ fiveHour: 0.85, sevenDay: 0.1 });
    assert.equal((await queue.run('run')).code, 0);
    assert.equal((await queue.run('run')).code, 0);
    assert.deepEqual(place.reported(), ['Begin', 'Put out the fire']);
    const kept =
      /^85 % of the 5-hour usage window is used: the rest is reserved for critical tasks until (?:\d{4}-\d\d-\d\d )?\d\d:\d\d/;
    const waiting = await queue.task(2);
    assert.deepEqual([waiting.shown, kept.test(waiting.reason)], ['waiting', true], waiting.reason);
    assert.equal((await queue.run('run')).code, 2);
    const usage = await queue.run('usage');
    assert.match(
      usage.stdout,
      /^5-hour usage window: 85 % used, resets (?:\d{4}-\d\d-\d\d )?\d\d:\d\d(?::\d\d)? \(reported .* ago\)$/m,
    );
    assert.match(usage.stdout, /^weekly usage window: 10 % used/m);
    assert.match(usage.stdout, /^Reserve: 85 % of the 5-hour usage window is used/m);

    queue.writeRules('reserve: 0.1');
    assert.equal((await queue.run('work --until-empty')).code, 0);
    assert.deepEqual(place.reported(), ['Begin', 'Put out the fire', 'Tidy up']);
  });

  it('are used by leftover-capacity tasks in their last hour', async () => {
    await queue.trust([
      { id: 1, prompt: 'Polish everything', priority: 'critical', tags: 'spare' },
      { id: 2, prompt: 'Begin', priority: 'low', tags: '' },
    ]);
    const reason = async (): Promise<string> => (await queue.task(1)).reason;
    assert.match(await reason(), /^leftover capacity: usage is not known yet/);
    assert.equal((await queue.run('work --until-empty')).code, 0);
    assert.deepEqual(place.reported(), ['Begin']);
    assert.match(
      await reason(),
      /^leftover capacity: waits for the last hour of a 5-hour usage window, from (?:\d{4}-\d\d-\d\d )?\d\d:\d\d/,
    );

    queue.writeRules('spareBefore: 3h');
    assert.equal((await queue.run('work --until-empty')).code, 0);
    assert.deepEqual(place.reported(), ['Begin', 'Polish everything']);
  });

  it('are not used by leftover-capacity tasks when weekly usage is ahead of time', async () => {
    queue.writeRules('spareBefore: 3h');
    place.api.setUsage({ fiveHour: 0.2, sevenDay: 0.7 });
    await queue.trust([
      { id: 1, prompt: 'Begin', tags: '' },
      { id: 2, prompt: 'Polish everything', tags: 'spare' },
    ]);
    assert.equal((await queue.run('work --until-empty')).code, 0);
    assert.deepEqual(place.reported(), ['Begin']);
    assert.match((await queue.task(2)).reason, /^leftover capacity: the weekly usage is ahead of time/);
    assert.equal((await queue.run('run --id 2')).code, 0, 'its owner may still say so');
  });
});
