import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { formatTable } from '../../../../../src/app/actions/rows/exportRows';
import { parseTable } from '../../../../../src/app/actions/rows/importRows';
import { BASIC_COLUMNS, COLUMNS } from '../../../../../src/queue/row/columns';
import { RedisQueue } from '../../../../../src/queue/redis/redisQueue';
import { MOST_ROWS, type RowTable } from '../../../../../src/queue/rowTable';
import type { Snapshot } from '../../../../../src/queue/taskQueue';
import { FileSystemUnderTest } from '../../../../conformance/fileSystemUnderTest';
import { TestClock, TestMachine } from '../../../../conformance/systemUnderTest';
import { fuzzed, seed } from '../../../../support/fuzz';
import { startRedis, type RedisServer } from '../../../../support/redis/redisServer';

const ROWS = { timeZone: 'UTC', folder: '/place', home: '/home/me', allowBypass: false };

const HEADER = BASIC_COLUMNS.join(',');
const KEEP = { renumber: false };

describe('The rows of a queue in Redis', () => {
  const clock = new TestClock();
  const machine = new TestMachine();
  let redis: RedisServer;
  const opened: RedisQueue[] = [];

  before(async () => {
    redis = await startRedis();
  });

  after(() => redis.stop());

  afterEach(async () => {
    for (const queue of opened.splice(0)) await queue.close();
  });

  async function open(name: string = randomUUID()): Promise<RedisQueue> {
    const server = { host: '127.0.0.1', port: redis.port, db: 0 };
    const queue = await RedisQueue.open({ server, queue: name, machine, rows: () => ROWS, clock });
    opened.push(queue);
    return queue;
  }

  async function exported(queue: RedisQueue): Promise<string> {
    return formatTable(await queue.exportRows());
  }

  function table(...lines: string[]): RowTable {
    return parseTable('tasks.csv', Buffer.from(lines.map((line) => `${line}\n`).join('')));
  }

  it(`are the same cells in the same order after import and export (FUZZ_SEED=${String(seed)})`, async () => {
    const check = async (bytes: Buffer): Promise<void> => {
      const queue = await open();
      const given = parseTable('tasks.csv', bytes);
      await queue.importRows(given, KEEP, 'import');
      const text = await exported(queue);
      assert.deepEqual(withoutCase(parseTable('again.csv', Buffer.from(text))), withoutCase(given));
      const other = await open();
      await other.importRows(parseTable('again.csv', Buffer.from(text)), KEEP, 'import');
      assert.equal(await exported(other), text);
      assert.deepEqual(lookOf(await other.read()), lookOf(await queue.read()));
      for (const one of opened.splice(0)) await one.close();
    };
    await fc.assert(fc.asyncProperty(anyFile, check), fuzzed(30, 3_000));
  });

  it(`mean what they mean in a file, on the way there and back (FUZZ_SEED=${String(seed)})`, async () => {
    const check = async (bytes: Buffer): Promise<void> => {
      const text = bytes.toString();
      const before = await FileSystemUnderTest.open(clock, machine, text);
      const queue = await open();
      await queue.importRows(parseTable('tasks.csv', bytes), KEEP, 'import');
      const after = await FileSystemUnderTest.open(clock, machine, await exported(queue));
      const meant = lookOf(await before.queue.read());
      assert.deepEqual(lookOf(await queue.read()), meant);
      assert.deepEqual(lookOf(await after.queue.read()), meant);
      await before.close();
      await after.close();
      for (const one of opened.splice(0)) await one.close();
    };
    await fc.assert(fc.asyncProperty(anyFile, check), fuzzed(15, 1_000));
  });

  it('show how their tasks are now, in columns that are added where they are needed', async () => {
    const queue = await open();
    await queue.importRows(table('id,working_dir,prompt', '1,/a,One', '2,/b,Two', '3,/c'), KEEP, 'import');
    assert.equal(await exported(queue), 'id,working_dir,prompt\n1,/a,One\n2,/b,Two\n3,/c\n');
    await queue.command(2, 'cancel', 'cancel');
    assert.equal(
      await exported(queue),
      'id,working_dir,prompt,status\n1,/a,One,\n2,/b,Two,cancelled\n3,/c,\n',
    );
  });

  it('keep a text that means the same', async () => {
    const queue = await open();
    const text = 'id,working_dir,prompt,status,retry_count\n1,/a,One,Pending,\n2,/b,Two,,01\n';
    await queue.importRows(parseTable('tasks.csv', Buffer.from(text)), KEEP, 'import');
    assert.equal(await exported(queue), text);
    await queue.command(1, 'cancel', 'cancel');
    assert.equal(await exported(queue), text.replace('Pending', 'cancelled'));
  });

  it('are added once, however often the call is repeated, and all or none of them', async () => {
    const queue = await open();
    const given = table(HEADER, '1,,/a,One,completed,,,no,,2,3', '2,,/b,Two,running,,1,no,,0,3');
    assert.deepEqual(await queue.importRows(given, KEEP, 'one'), [1, 2]);
    assert.deepEqual(await queue.importRows(given, KEEP, 'one'), [1, 2]);
    const { tasks } = await queue.read();
    assert.deepEqual(
      tasks.map(({ state: { id, status, retryCount } }) => [id, status, retryCount]),
      [
        [1, 'completed', 2],
        [2, 'pending', 0],
      ],
    );
    const more = table(HEADER, '5,,/a,Five,,,,no,,0,3', '2,,/a,Again,,,,no,,0,3', '1,,/a,Again,,,,no,,0,3');
    const before = await exported(queue);
    await assert.rejects(queue.importRows(more, KEEP, 'two'), {
      reason: 'conflict',
      message: /^Ids 1-2 are taken in the queue\. Nothing was imported\. .*--renumber\.$/,
    });
    assert.equal(await exported(queue), before);
  });

  it('get new ids on demand, which the dependencies between them follow', async () => {
    const queue = await open();
    await queue.importRows(table(HEADER, '1,,/a,One,,,,no,,0,3', '9,,/a,Nine,,,,no,,0,3'), KEEP, 'one');
    const given = table(
      HEADER,
      '3,,/a,A,,,1|9,no,,0,3',
      '1,,/a,B,,,,no,,0,3',
      'x,,/a,C,,,1,no,,0,3',
      '7,soon,/a,D,,, 3 | 1,no,,0,3',
      '7,,/a,E,,,one,no,,0,3',
    );
    assert.deepEqual(await queue.importRows(given, { renumber: true }, 'two'), [10, 11, 12, 13, 14]);
    const { columns, rows } = await queue.exportRows();
    const [id, dependencies] = [columns.indexOf('id'), columns.indexOf('dependencies')];
    assert.deepEqual(
      rows.slice(2).map((texts) => [texts[id], texts[dependencies]]),
      [
        ['10', '11|9'],
        ['11', ''],
        ['12', '11'],
        ['13', '10|11'],
        ['14', 'one'],
      ],
    );
    assert.deepEqual(
      (await queue.read()).tasks.map(({ definition }) => definition.id),
      [1, 9, 10, 11, 12],
    );
  });

  it('are put into the columns of the queue, and their other columns after those', async () => {
    const queue = await open();
    await queue.importRows(table('id,note,working_dir,prompt', '1,mine,/a,One'), KEEP, 'one');
    await queue.importRows(
      table('Prompt,ID,Working_dir,Ticket,NOTE', 'Two,2,/b,T-2,yours', 'Three,3,/c', 'Four,4,/d,T-4,,more'),
      KEEP,
      'two',
    );
    assert.equal(
      await exported(queue),
      [
        'id,note,working_dir,prompt,Ticket',
        '1,mine,/a,One,',
        '2,yours,/b,Two,T-2',
        '3,,/c,Three,,',
        '4,,/d,Four,T-4,more',
        '',
      ].join('\n'),
    );
    const { tasks, invalidIds } = await queue.read();
    assert.deepEqual(
      tasks.map(({ definition }) => definition.id),
      [1, 2],
    );
    assert.deepEqual([...invalidIds], [3, 4]);
  });

  it('count as they say where the queue knows the task from a row that was removed', async () => {
    const queue = await open();
    const given = table(HEADER, '1,,/a,One,completed,,,no,,0,3');
    await queue.importRows(table(HEADER, '1,,/a,One,,,,no,,0,3'), KEEP, 'one');
    await queue.remove([1], 'two');
    await queue.importRows(given, KEEP, 'three');
    assert.equal((await queue.read()).tasks[0]?.state.status, 'completed');
  });

  it('are refused if the file has no valid header, ends inside a cell or is not UTF-8', () => {
    const refused = (bytes: Buffer | string, message: RegExp): void => {
      assert.throws(() => parseTable('tasks.csv', Buffer.from(bytes)), {
        reason: 'queue-incomplete',
        message,
      });
    };
    refused('', /^tasks\.csv:1:1 The file is empty/);
    refused('id,prompt\n1,x\n', /^tasks\.csv:1:1 The header lacks working_dir/);
    refused('id,prompt,working_dir\n1,"x,/a\n', /^tasks\.csv:2:3 This quote is never closed/);
    const bytes = Buffer.from('id,prompt,working_dir\n1,\u00e9,/a\n', 'latin1');
    refused(bytes, /^tasks\.csv:2:3 This cell contains bytes that are not UTF-8.* Nothing was imported\./);
  });

  it('are refused if the queue would have too many, and only then', async () => {
    const queue = await open();
    const rows = Array.from({ length: MOST_ROWS + 1 }, () => []);
    const many = queue.importRows({ columns: ['id'], rows }, KEEP, 'one');
    await assert.rejects(many, { reason: 'usage', message: /more than 250000 rows/ });
    await queue.importRows({ columns: ['id'], rows: rows.slice(1) }, KEEP, 'two');
    assert.equal((await queue.exportRows()).rows.length, MOST_ROWS);
  });
});

/** Known columns are written in lower case. */
function withoutCase({ columns, rows }: RowTable): RowTable {
  return { columns: columns.map((name) => (isKnown(name) ? name.trim().toLowerCase() : name)), rows };
}

function isKnown(name: string): boolean {
  return COLUMNS.some((column) => column === name.trim().toLowerCase());
}

/** The parts of a snapshot that are the same in every store. */
function lookOf({ tasks, invalidIds }: Snapshot): unknown {
  return {
    tasks: tasks.map(({ definition, state: { firstSeenAt: _at, ...state } }) => ({ definition, state })),
    invalidIds: [...invalidIds].sort((a, b) => a - b),
  };
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const TEXTS = ['', 'x', ' spaced ', 'a,b', 'two\nlines', 'cr\r\nlf', '"', 'say "x"', '表 😀', '=1+1', '; \t'];

/** Valid texts and other texts, by column. */
const CELLS: Readonly<Record<string, readonly [readonly string[], readonly string[]]>> = {
  priority: [['high', 'LOW', '', '3'], ['soon']],
  working_dir: [['/place/a', 'b', '/c'], ['']],
  prompt: [['Do it', 'Two\nlines, "quoted"', '表 😀'], ['']],
  dependencies: [
    ['', '', '', '1', '2|3', ' 4 | 1'],
    ['99', 'one'],
  ],
  repeat: [['', 'no'], ['maybe']],
  repeat_interval: [['', 'daily', '30m'], []],
  status: [['', 'pending', 'Completed', 'failed', 'cancelled', 'review'], ['done']],
  scheduled_time: [['', '2026-03-02 09:00', '2026-03-03T08:30+09:00'], ['later']],
  retry_count: [['', '0', '02'], ['-1']],
  max_retries: [['', '5'], ['no']],
  tags: [['', 'a|b'], ['|']],
  user: [['', 'ann'], ['a|b']],
  note: [TEXTS, []],
};

const USED = Object.keys(CELLS).filter(isKnown);

const anyColumns = fc
  .record({
    names: fc.shuffledSubarray(['id', 'working_dir', 'prompt', ...USED.slice(3)], { minLength: 3 }),
    others: fc.array(
      fc.constantFrom('Ticket', 'note', 'note', '', '表', 'a;b;c;d;e;f;g;h;i;j;k;l;m', 'a,b'),
      {
        maxLength: 3,
      },
    ),
    isShouted: fc.boolean(),
  })
  .map(({ names, others, isShouted }) => {
    const all = [...new Set([...names, 'id', 'working_dir', 'prompt'])];
    return [...all.map((name) => (isShouted ? ` ${name.toUpperCase()}` : name)), ...others];
  });

/** A queue file: most rows are valid, some for a single reason not. */
const anyFile: fc.Arbitrary<Buffer> = anyColumns.chain((columns) => {
  const cell = (name: string): fc.Arbitrary<string | null> => {
    const [good, bad] = CELLS[name.trim().toLowerCase()] ?? CELLS['note'] ?? [[], []];
    const usual = name.trim().toLowerCase() === 'id' ? fc.constant(null) : fc.constantFrom(...good);
    return fc.oneof(
      { weight: 40, arbitrary: usual },
      { weight: 1, arbitrary: fc.constantFrom('1', '2', 'x', ...bad) },
    );
  };
  const shape = fc.constantFrom('whole', 'whole', 'whole', 'short', 'long', 'stray', 'nul');
  const file = fc.record({
    rows: fc.array(fc.record({ cells: fc.tuple(...columns.map(cell)), shape }), { maxLength: 6 }),
    end: fc.constantFrom('\n', '\r\n'),
    bom: fc.boolean(),
  });
  return file.map(({ rows, end, bom }) => {
    const lines = rows.map(({ cells, shape: one }, index) => {
      const texts = cells.map((text) => text ?? String(index + 1));
      return misshape(
        texts.map((text) => (/[",;\t\r\n]/.test(text) ? quoted(text) : text)),
        one,
      ).join(',');
    });
    const header = columns.map((name) => quoted(name)).join(',');
    return Buffer.from((bom ? '\ufeff' : '') + [header, ...lines, ''].join(end));
  });
});

/** Returns the cells of a row in which one thing is wrong. */
function misshape(cells: readonly string[], shape: string): readonly string[] {
  if (shape === 'short') return cells.slice(0, -1);
  if (shape === 'long') return [...cells, ''];
  const at = cells.findIndex((text) => text === 'Do it');
  if (shape === 'whole' || at < 0) return cells;
  return cells.with(at, shape === 'nul' ? 'nul\0' : 'say "it"');
}
