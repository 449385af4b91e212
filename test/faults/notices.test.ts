import assert from 'node:assert/strict';
import { isLong, report, seed } from '../support/fuzz';
import type { Ended } from '../support/machine/processes';
import { FaultFolder, openQueue, sendNotices } from './faultQueue';
import { startChild } from './program';

/** No program makes more changes to the disk. */
const MOST_CALLS = 2_000;

const AT_A_TIME = 3;

/** In `npm test` every second change, and those between with the next seed; in the long form all. */
const STRIDE = isLong ? 1 : 2;

describe('Notices of a process that is killed', () => {
  for (const act of ['kill', 'half'] as const) {
    it(`are each sent at least once and recorded once (${act} at a change of the disk)`, async () => {
      const template = new FaultFolder(3);
      let points = 0;
      try {
        for (let at = 1 + (seed % STRIDE); at < MOST_CALLS; at += AT_A_TIME * STRIDE) {
          const tries = Array.from({ length: AT_A_TIME }, (_, index) =>
            killAt(at + index * STRIDE, act, template),
          );
          const killed = (await Promise.all(tries)).filter((one) => one).length;
          points += killed;
          if (killed < AT_A_TIME) break;
        }
      } finally {
        template.remove();
      }
      assert.ok(points > 10, `only ${String(points)} points were hit`);
      report(`${String(points)} places at which a sender was killed (${act})`);
    }).timeout(900_000);
  }
});

describe('Notices of two processes', () => {
  it('are each sent once between them', async () => {
    for (let round = 0; round < (isLong ? 20 : 2); round += 1) {
      const place = new FaultFolder(6);
      try {
        const children = ['one', 'two'].map((name) =>
          startChild({ file: place.file, name, play: 'notices' }),
        );
        const ended = await Promise.all(children.map((child) => child.ended));
        for (const { stdout, stderr } of ended) assert.match(stdout, /^through$/m, stdout + stderr);
        const queue = await openQueue(place.file);
        const reported = [...ended.flatMap(shownBy), ...(await sendNotices(queue, 'last', () => undefined))];
        await queue.close();
        assert.equal(new Set(reported).size, reported.length, 'a notice was sent twice');
        await checkShown(place, reported);
      } finally {
        place.remove();
      }
    }
  }).timeout(300_000);
});

async function killAt(at: number, act: 'kill' | 'half', template: FaultFolder): Promise<boolean> {
  const place = template.copy();
  try {
    const ended = await startChild({ file: place.file, name: 'child', play: 'notices', at, act }).ended;
    const where = `${act} at change ${String(at)}: ${ended.stdout}${ended.stderr}`;
    place.ageLock();
    const queue = await openQueue(place.file);
    const last = await sendNotices(queue, 'last', () => undefined);
    assert.deepEqual(await sendNotices(queue, 'again', () => undefined), [], where);
    await queue.close();
    await checkShown(place, [...shownBy(ended), ...last]).catch((error: unknown) => {
      throw new Error(where, { cause: error });
    });
    return !/^through$/m.test(ended.stdout);
  } finally {
    place.remove();
  }
}

function shownBy({ stdout }: Ended): string[] {
  return [...stdout.matchAll(/^notified (.+)$/gm)].map(([, key = '']) => key);
}

/** Checks that the user was notified of every failed attempt, and that each is recorded as sent once. */
async function checkShown(place: FaultFolder, reported: readonly string[]): Promise<void> {
  const queue = await openQueue(place.file);
  const failed = await queue.attempts({ outcome: 'error' });
  await queue.close();
  const keys = failed.map(({ id, power, number }) => ['failed', id, power, number].join(':'));
  for (const key of keys) assert.ok(reported.includes(key), `${key} was never sent`);
  const recorded = sentIn(place.log('journal'));
  for (const key of keys) {
    assert.equal(recorded.filter((one) => one === key).length, 1, `${key} was not recorded once`);
  }
}

/** Keys that the journal records as sent. */
function sentIn(journal: string): string[] {
  return journal.split('\n').flatMap((line) => {
    const events = eventsOf(line);
    return events.flatMap((event) => (event.kind === 'sent' ? (event.keys ?? []) : []));
  });
}

interface Recorded {
  readonly kind: string;
  readonly keys?: readonly string[];
}

function eventsOf(line: string): readonly Recorded[] {
  try {
    const { entry } = JSON.parse(line) as { entry?: { events?: readonly Recorded[] } };
    return entry?.events ?? [];
  } catch (error) {
    // A line that was cut in half counts for nobody.
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
