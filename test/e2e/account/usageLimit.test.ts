import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { isAbout, openPlace } from '../../support/queue/queuePlace';
import type { Place } from '../../support/queue/queuePlace';
import { SOON_SECONDS, limit, text, tool } from '../../support/claude/replies';
import { until } from '../../support/until';

const MINUTE_MS = 60_000;

/** Windows line ends, a BOM, blank lines, unknown columns, quotes that need not be, and columns in another order. */
const LINES = [
  '\uFEFFnote,id,priority,status,scheduled_time,retry_count,max_retries,working_dir,prompt,dependencies,repeat,repeat_interval,Ticket',
  '"keep, me",1,high,pending,,0,3,.,"Collect ""the"" data",,no,,A-1',
  '',
  ' spaced ,2,medium,"pending",2025-12-15 09:00,1,5,.,"Write the report,',
  'all of it",1,no,,"A-2"',
  '',
  'x,3,high,pending,,0,5,.,Look at the news,,yes,daily,',
  'ü,4,low,pending,,0,3,.,Send it off,2|3,no,,A-4',
  '',
  '',
];
const QUEUE = LINES.join('\r\n');

/** The report meets the limit in the middle of its work, once. */
async function openLimited(): Promise<Place> {
  let isReached = false;
  return openPlace({
    respond: (turn) => {
      if (!isAbout(turn, 'Write the report')) return text('Done.');
      if (turn.toolResults === 0) return tool('Glob', { pattern: '*.md' });
      if (isReached) return text('Written.');
      isReached = true;
      return limit({ kind: 'five_hour', resetInSeconds: SOON_SECONDS });
    },
  });
}

describe('A queue that hits the 5-hour limit', () => {
  it('continues by itself in the same session after the reset, with exact logs and no other change of the file', async () => {
    const place = await openLimited();
    const { queue } = place;
    writeFileSync(queue.file, QUEUE);
    await queue.run('trust');
    const worker = queue.start('work --until-empty');
    await worker.waitForLine(/Waiting[^:]*: 5-hour usage window used up/);
    const during = await queue.status();
    assert.deepEqual([during.gate.state, during.gate.reason], ['closed', 'five_hour']);
    const resetAt = Date.parse(during.gate.until ?? '');
    const shown = minuteOf(Math.ceil(resetAt / MINUTE_MS) * MINUTE_MS);
    const atLimit = QUEUE.replace('1,high,pending', '1,high,completed').replace('2025-12-15 09:00', shown);
    await until('the reset is in the file', () => queue.read() === atLimit);
    const { code, stdout } = await worker.ended;
    assert.equal(code, 0, stdout);

    assert.equal(
      queue.read(),
      QUEUE.replace('1,high,pending', '1,high,completed')
        .replace('2,medium,"pending"', '2,medium,"completed"')
        .replace('4,low,pending', '4,low,completed'),
    );
    const sessions = new Set(place.turnsOf('Write the report').map(({ session }) => session));
    assert.equal(sessions.size, 1);
    const order = place.reported();
    assert.match(order.at(-1) ?? '', /^Send it off$/);
    assert.equal((await queue.task(2)).retryCount, 1);

    const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`;
    assertLines(queue.log('quota_exceeded'), [`2,${time},\\d+,quota_exceeded,"Write the report, all of it"`]);
    assertLines(queue.log('repeat_tasks'), [String.raw`3,\d{10},\d+,0,daily,Look at the news`]);
    assertLines(queue.log('executed'), [
      `1,${time},\\d+,0,"Collect ""the"" data"`,
      `3,${time},\\d+,0,Look at the news`,
      `2,${time},\\d+,0,"Write the report, all of it"`,
      `4,${time},\\d+,0,Send it off`,
    ]);
    assert.equal(queue.log('retry_tasks'), '');
  });
});

/** Each record as the expression says, in this order, and nothing else. */
function assertLines(log: string, records: readonly string[]): void {
  assert.match(log, new RegExp(`^${records.map((record) => `${record}\n`).join('')}$`));
}

function minuteOf(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}
