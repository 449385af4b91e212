import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPlace } from '../../support/queue/queuePlace';
import type { QueueFolder } from '../../support/queue/queuePlace';
import { composeCsv } from '../../support/queue/rows';
import { until } from '../../support/until';

const TASKS = 16;
const FOLDERS = 3;

const rows = Array.from({ length: TASKS }, (_, index) => ({
  id: index + 1,
  prompt: `Do number <${index + 1}>`,
  working_dir: `part${index % FOLDERS}`,
}));

/** Edits of the user in another program. Each reads and writes the whole file, as editors do. */
const EDITS: readonly {
  readonly afterTasks: number;
  readonly edit: (text: string) => string;
  readonly how: 'in place' | 'by a rename';
}[] = [
  {
    afterTasks: 2,
    how: 'in place',
    edit: (text) => text.replace('Do number <14>', 'Do "number" <14>, please'.replaceAll('"', '""')),
  },
  { afterTasks: 4, how: 'by a rename', edit: (text) => text.replace('\n16,medium,', '\n16,critical,') },
  {
    afterTasks: 6,
    how: 'in place',
    edit: (text) => `${text}77,low,part0,Do number <77>,pending,,,no,,0,3\n`,
  },
  {
    afterTasks: 8,
    how: 'by a rename',
    edit: (text) => `${text}78,low,part1,Do number <78>,pending,,15,no,,0,3`,
  },
];

describe('Two workers on one queue', () => {
  it('run each of sixteen tasks exactly once while the user edits the file', async () => {
    const place = await openPlace({
      env: {
        CLAUDE_QUEUE_MAX_PER_HOUR: '1000',
        CLAUDE_QUEUE_MAX_PER_DAY: '1000',
        CLAUDE_QUEUE_MAX_RUNNING: '2',
      },
    });
    const { queue } = place;
    for (let part = 0; part < FOLDERS; part += 1) mkdirSync(join(queue.folder, `part${part}`));
    let expected = composeCsv(rows).replace('Do number <14>', '"Do number <14>"');
    writeFileSync(queue.file, expected);
    await queue.run('trust');
    const workers = [0, 1].map(() => queue.start('work --until-empty'));
    for (const { afterTasks, edit, how } of EDITS) {
      await until(`${afterTasks} tasks were asked for`, () => place.api.turns().length >= afterTasks);
      save(queue, edit, how);
      expected = edit(expected);
    }
    const ends = await Promise.all(workers.map(({ ended }) => ended));
    assert.deepEqual(
      ends.map(({ code }) => code),
      [0, 0],
      ends.map(({ stdout, stderr }) => stdout + stderr).join('\n'),
    );

    const asked = place.api.turns().map(({ lastUserText }) => numberIn(lastUserText));
    const everyOne = [...rows.map(({ id }) => id), 77, 78];
    assert.deepEqual(
      asked.toSorted((a, b) => a - b),
      everyOne,
    );
    assert.deepEqual(
      loggedIds(queue).toSorted((a, b) => a - b),
      everyOne,
    );
    assert.equal(place.turnsOf('Do "number" <14>, please').length, 1);
    assert.ok(asked.indexOf(16) < asked.indexOf(15), 'the task that was made critical came first');
    assert.equal(queue.read(), expected.replaceAll(',pending,', ',completed,'));
    const shares = ends.map(({ stdout }) => Number(/Ran (\d+) attempt/.exec(stdout)?.[1]));
    assert.equal(
      shares.reduce((sum, share) => sum + share, 0),
      everyOne.length,
    );
    assert.ok(
      shares.every((share) => share > 0),
      `both worked: ${shares.join(' and ')}`,
    );
  });
});

function save({ file }: QueueFolder, edit: (text: string) => string, how: 'in place' | 'by a rename'): void {
  if (how === 'in place') {
    writeFileSync(file, edit(readFileSync(file, 'utf8')));
    return;
  }
  const beside = `${file}.edited`;
  writeFileSync(beside, edit(readFileSync(file, 'utf8')));
  renameSync(beside, file);
}

function numberIn(text: string): number {
  return Number(/<(\d+)>/.exec(text)?.[1]);
}

function loggedIds(queue: QueueFolder): number[] {
  return queue
    .log('executed')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Number(line.split(',', 1)[0]));
}
