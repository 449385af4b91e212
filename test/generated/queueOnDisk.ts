import assert from 'node:assert/strict';
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { parse } from 'csv-parse/sync';
import type { Clock } from '../../src/platform/clock';
import { openFileQueue } from '../../src/queue/openQueue';
import type { Machine, Snapshot, TaskQueue } from '../../src/queue/taskQueue';
import type { SaveHow } from './handEdits';
import { isRow, isWhole, parseSheet, textOf, unquote, withoutSharedCells, type Sheet } from './sheet';
import { checkReplay } from '../support/queue/replayed';
import { OWN_HISTORY } from '../support/queue/ownHistory';

/** Context in which rows are read. */
export const ROWS = {
  timeZone: 'UTC',
  folder: '/place',
  home: '/home/me',
  allowBypass: false,
  priorityRules: [{ tag: 'night', priority: 'low' }],
} as const;

/** Typed by hand. */
const TEXT = [
  'id,priority,working_dir,prompt,status,scheduled_time,dependencies,repeat,repeat_interval,retry_count,max_retries,user,tags,model,ticket',
  '1,high,/place/a,"Collect, then sort",pending,,,no,,0,3,ann,,,A-1',
  '2,,/place/b,Look at the news,pending,,,yes,daily,0,5,,night,opus,',
  '3,medium,/place/a,"Write it up',
  'in full",pending,2026-03-02 09:00,1|2,no,,0,2,ann,shop,,"kept, too"',
  '4,medium,/place/c,Send it off,pending,,1,no,,0,1,ann,,,',
  '5,medium,/place/d,Tidy up,pending,,,no,,0,3,ann,,,',
  '6,low,/place/d,Tidy up again,pending,,5,no,,0,3,bob,,,',
  '',
].join('\n');

const LOGS = ['executed.log', 'repeat_tasks.log', 'quota_exceeded.log', 'retry_tasks.log'];
const LATER_SECONDS = 3_600;
const MOST_OPENINGS = 3;

/** A queue file in a folder of its own, opened by several at once, as several processes would. */
export class QueueOnDisk {
  private folder = makeFolder();
  private openings: TaskQueue[] = [];
  private turn = 0;
  /** Openings of folders that a crash left behind. */
  private readonly left: { readonly folder: string; readonly openings: readonly TaskQueue[] }[] = [];

  constructor(
    private readonly clock: Clock,
    private readonly machine: Machine,
  ) {
    writeFileSync(this.file, TEXT);
    this.age();
  }

  get queue(): TaskQueue {
    const queue = this.openings[this.turn % this.openings.length];
    assert.ok(queue !== undefined);
    return queue;
  }

  /** The next calls go through this opening. */
  turnTo(opening: number): void {
    this.turn = opening;
  }

  /** One more opening; of those that there are, the oldest is closed where there are enough. */
  async open(): Promise<void> {
    const { file, clock, machine } = this;
    const warn = (message: string): void => {
      throw new Error(message);
    };
    this.openings.push(
      await openFileQueue({ file, rows: () => ROWS, machine, known: OWN_HISTORY, clock, warn }),
    );
    if (this.openings.length > MOST_OPENINGS) await this.openings.shift()?.close();
  }

  bytes(): Buffer {
    return readFileSync(this.file);
  }

  /** The owner saves, at a time at which nobody has to wait for the end of the save. */
  save(text: string, how: SaveHow): void {
    if (how === 'in place') writeFileSync(this.file, text);
    else {
      const beside = path.join(this.folder, 'their-editor.tmp');
      writeFileSync(beside, text);
      renameSync(beside, this.file);
    }
    this.age();
  }

  /** The machine dies: what the disk holds at this very moment is all that is left. */
  async crash(): Promise<void> {
    const folder = makeFolder();
    cpSync(this.folder, folder, { recursive: true, preserveTimestamps: true });
    rmSync(path.join(folder, 'state', 'step.lock'), { recursive: true, force: true });
    this.left.push({ folder: this.folder, openings: this.openings });
    this.folder = folder;
    this.openings = [];
    await this.open();
  }

  /** Writes everything that is still to be written to the file. */
  async settle(): Promise<void> {
    for (const queue of this.openings) await queue.close();
    await this.queue.sync();
    await checkReplay(this.queue);
  }

  async close(): Promise<void> {
    const all = [...this.left, { folder: this.folder, openings: this.openings }];
    for (const { folder, openings } of all) {
      for (const queue of openings) await queue.close();
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** Checks that the file is as its owner left it, except for the shared cells, which have the queue's state. */
  checkFile(owners: string, { tasks }: Snapshot): void {
    const text = this.bytes().toString();
    assert.equal(withoutSharedCells(text), withoutSharedCells(owners), 'a byte of the owner has changed');
    const sheet = parseSheet(text);
    // Nothing is written into a file in the middle of which somebody is typing.
    if (!isWhole(sheet)) return;
    const rows = sheet.lines.filter(isRow);
    const reported = new Map(rows.map((row) => [textOf(sheet, row, 'id')?.trim(), row]));
    for (const { definition, state, claim } of tasks) {
      const row = reported.get(String(definition.id));
      assert.ok(row !== undefined, `the row of ${String(definition.id)} is gone`);
      const says = (column: string): string | undefined => textOf(sheet, row, column)?.trim().toLowerCase();
      const status = claim === undefined ? state.status : 'running';
      assert.equal(
        says('status') === '' ? 'pending' : says('status'),
        status,
        `status of ${String(definition.id)}`,
      );
      const retries = says('retry_count');
      if (retries !== undefined)
        assert.equal(Number(retries), state.retryCount, `retries of ${String(definition.id)}`);
    }
    checkAsCsv(text, sheet);
  }

  /** Each line that an end left is in its log, once, and in order. */
  checkLogs(expected: ReadonlyMap<string, string>): void {
    for (const name of LOGS) {
      const file = path.join(this.folder, 'state', name);
      const text = statSync(file, { throwIfNoEntry: false }) === undefined ? '' : readFileSync(file, 'utf8');
      assert.equal(text, expected.get(name) ?? '', name);
    }
  }

  private get file(): string {
    return path.join(this.folder, 'prompts.csv');
  }

  private age(): void {
    const later = Date.now() / 1000 + LATER_SECONDS;
    utimesSync(this.file, later, later);
  }
}

function makeFolder(): string {
  return mkdtempSync(path.join(tmpdir(), 'claude-task-queue-generated-'));
}

/** Another program reads the same cells, where the quotes are as they may. */
function checkAsCsv(text: string, sheet: Sheet): void {
  const isRegular = sheet.lines.every(({ cells }) =>
    cells.every((cell) => /^([^"]*|"([^"]|"")*")$/.test(cell)),
  );
  if (!isRegular) return;
  const records: string[][] = parse(text, {
    bom: true,
    delimiter: sheet.delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
  });
  const rows = [sheet.header, ...sheet.lines].filter(isRow).map(({ cells }) => cells.map(unquote));
  assert.deepEqual(records, rows);
}
