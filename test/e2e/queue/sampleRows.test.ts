import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPlace } from '../../support/queue/queuePlace';

const HEADER =
  'id,priority,working_dir,prompt,status,scheduled_time,dependencies,repeat,repeat_interval,retry_count,max_retries';
/** The sample rows of the format's own document, where they are in `/home/ken/Spr_ws`. */
const rowsIn = (folder: string): readonly [string, string, string] => [
  `1,high,${folder}/spresense,"SDKバージョン確認",pending,,,no,,0,3`,
  `10,high,${folder},"AI技術動向調査",pending,,,yes,daily,0,5`,
  `20,medium,${folder},"レポート生成",pending,2025-12-15 09:00,10,no,,0,3`,
];

describe("The format's own sample rows", () => {
  it('load unchanged; only their directories are missing', async () => {
    const { queue, home } = await openPlace();
    const missing = join(home.folder, 'Spr_ws');
    const file = [HEADER, ...rowsIn(missing), ''].join('\n');
    writeFileSync(queue.file, file);
    const { code, stdout } = await queue.run('check');
    const lines = stdout.trim().split('\n');
    assert.equal(code, 1);
    assert.equal(lines.at(-1), '3 problems.', stdout);
    for (const [index, folder] of [join(missing, 'spresense'), missing, missing].entries()) {
      assert.match(
        lines[index] ?? '',
        new RegExp(`:${index + 2}:1 .*working directory ${folder} .*does not exist`),
      );
    }
    assert.equal(readFileSync(queue.file, 'utf8'), file);
  });

  it('are given in order in NEXT_TASK.md', async () => {
    const { queue, home } = await openPlace();
    const rows = rowsIn(join(home.folder, 'Spr_ws'));
    writeFileSync(queue.file, [HEADER, ...rows, ''].join('\n'));
    const nextTask = join(queue.folder, 'claude_queue', 'NEXT_TASK.md');
    const handedOut: string[] = [];
    for (const prompt of ['SDKバージョン確認', 'AI技術動向調査', 'レポート生成']) {
      assert.equal((await queue.run('next')).code, 0);
      const page = readFileSync(nextTask, 'utf8');
      assert.ok(page.includes(`\n${prompt}\n`), page);
      handedOut.push(/# Next task: (\d+)/.exec(page)?.[1] ?? '');
      assert.equal((await queue.run('next')).code, 0);
      assert.equal(readFileSync(nextTask, 'utf8'), page);
      assert.equal((await queue.run('done')).code, 0);
    }
    assert.deepEqual(handedOut, ['1', '10', '20']);
    assert.equal((await queue.run('next')).code, 4);
    assert.equal(
      queue.read(),
      [
        HEADER,
        rows[0].replace('pending', 'completed'),
        rows[1],
        rows[2].replace('pending', 'completed'),
        '',
      ].join('\n'),
    );
  });

  for (const [name, order] of [
    ['as they stand', [0, 1, 2]],
    ['with row 20 first in the file', [2, 1, 0]],
  ] as const) {
    it(`run in a queue ${name}: row 20 after its daily row 10`, async () => {
      const place = await openPlace();
      const { queue } = place;
      const folder = join(place.home.folder, 'Spr_ws');
      mkdirSync(join(folder, 'spresense'), { recursive: true });
      const rows = rowsIn(folder);
      const file = [HEADER, ...order.map((index) => rows[index]), ''].join('\n');
      writeFileSync(queue.file, file);
      await queue.run('trust');
      const { code, stdout } = await queue.run('work --until-empty');
      assert.equal(code, 0, stdout);
      const asked = place.reported();
      assert.deepEqual(asked.toSorted(), ['AI技術動向調査', 'SDKバージョン確認', 'レポート生成'].toSorted());
      assert.ok(asked.indexOf('AI技術動向調査') < asked.indexOf('レポート生成'), asked.join(', '));
      // The daily row is pending again, for tomorrow.
      const ended = file
        .replace('"SDKバージョン確認",pending', '"SDKバージョン確認",completed')
        .replace('"レポート生成",pending', '"レポート生成",completed');
      assert.equal(queue.read(), ended);
      const { tasks } = await queue.status();
      assert.equal(tasks.find(({ id }) => id === 10)?.shown, 'scheduled');
    });
  }
});
