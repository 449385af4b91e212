import assert from 'node:assert/strict';
import { readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import type { EpochMs } from '../../../src/domain/time/epoch';
import type { TaskId } from '../../../src/domain/task/task';
import { openFileQueue } from '../../../src/queue/openQueue';
import type { TaskQueue } from '../../../src/queue/taskQueue';
import { work } from '../../../src/worker/work';
import { Harness, HOUR_MS, MACHINE, MINUTE_MS, type ShortVerdict } from '../../support/queue/workerHarness';
import { after, at, checkEnds, scriptEvening, UNTIL_THE_LIMIT } from '../../support/queue/evening';
import { OWN_HISTORY } from '../../support/queue/ownHistory';
import { makeFolder } from '../queue/folder';

/** Typed by hand, in a spreadsheet on Windows. */
const TYPED = [
  '\uFEFFid,priority,working_dir,prompt,status,scheduled_time,dependencies,repeat,repeat_interval,retry_count,max_retries,note',
  '1,critical,.,Fix the build,pending,,,no,,0,3,',
  '2,high,.,"Collect the data, all of it",pending,,,no,,0,3,',
  '3,medium,.,Look at the news,pending,,,yes,daily,0,3,every day',
  '4,medium,.,Analyse the data,pending,,2,no,,0,3,',
  '5,medium,.,Try the new compiler,pending,,,no,,0,3,',
  '6,medium,.,Publish the package,pending,,,no,,0,3,',
  '7,medium,.,"Write the ""big"" report",pending,,,no,,0,3,mine',
  '8,medium,.,Send the report,pending,,7,no,,0,3,',
  '9,low,.,Tidy up,pending,,,no,,0,3,',
  '10,medium,.,Write the tests,pending,,,no,,0,3,',
  '11,medium,.,Translate the manual,pending,,,no,,0,3,',
  '12,medium,.,Update the dependencies,pending,,,no,,0,3,',
  '',
].join('\r\n');

const DAILY_SAMPLE = [
  'id,priority,working_dir,prompt,status,scheduled_time,dependencies,repeat,repeat_interval,retry_count,max_retries',
  '1,high,/home/ken/Spr_ws/spresense,"SDKバージョン確認",pending,,,no,,0,3',
  '10,high,/home/ken/Spr_ws,"AI技術動向調査",pending,,,yes,daily,0,5',
  '20,medium,/home/ken/Spr_ws,"レポート生成",pending,2025-12-15 09:00,10,no,,0,3',
  '',
].join('\n');

/** The run of a worker that is gone. */
const NEVER_ENDING = new Promise<ShortVerdict>(() => undefined);

describe('A queue of twelve typed rows', () => {
  let harness: Harness;
  let file: string;
  let queue: TaskQueue;
  const openings: TaskQueue[] = [];

  async function open(text: string, now?: EpochMs): Promise<void> {
    harness = new Harness({}, now, { folder: makeFolder() });
    file = path.join(harness.folder, 'prompts.csv');
    save(text);
    queue = await openAgain();
  }

  async function openAgain(): Promise<TaskQueue> {
    const rows = {
      timeZone: 'UTC',
      folder: harness.folder,
      home: harness.folder,
      allowBypass: false,
      priorityRules: [],
    };
    const machine = {
      id: MACHINE,
      isAlive: (identity: Parameters<typeof harness.processes.isAlive>[0]) =>
        harness.processes.isAlive(identity),
    };
    const warn = (message: string): void => assert.fail(message);
    const opened = await openFileQueue({
      file,
      rows: () => rows,
      machine,
      known: OWN_HISTORY,
      clock: harness.clock,
      warn,
    });
    openings.push(opened);
    return harness.clock.attended(opened);
  }

  /** Some editors write in place, others put a new file there. */
  function save(text: string, byRename = false): void {
    const target = byRename ? `${file}.new` : file;
    writeFileSync(target, text);
    const later = Date.now() / 1000 + 3_600;
    utimesSync(target, later, later);
    if (byRename) renameSync(target, file);
  }

  const read = (): string => readFileSync(file, 'utf8');

  const edit = (from: string, to: string, byRename = false): void => {
    const text = read();
    assert.ok(text.includes(from), `${from} is not in ${text}`);
    save(text.replace(from, to), byRename);
  };

  const linesIn = (log: string): string[] =>
    readFileSync(path.join(harness.folder, 'state', `${log}.log`), 'utf8')
      .trimEnd()
      .split('\n');

  afterEach(async () => {
    for (const opened of openings.splice(0)) await opened.close();
  });

  it('completes nine tasks through a limit, hand edits and a suspended machine', async () => {
    await open(TYPED);
    scriptEvening(harness);
    const stop = new AbortController();
    const working = work(harness.createWorker({ queue, lookAgainMs: MINUTE_MS }), {}, stop.signal);
    await harness.clock.runUntil(at('20:00'));
    assert.deepEqual(harness.diary, UNTIL_THE_LIMIT);
    await queue.sync();
    assert.ok(read().includes('pending,2026-11-20 22:10,'), 'the reset is in the row that met the limit');
    edit('Translate the manual', 'Translate the whole manual');
    edit('Look at the news,pending', 'Look at the news,Pending', true);
    await harness.clock.runUntil(at('22:15'));
    assert.deepEqual(harness.diary.slice(8), ['22:11 7']);
    edit('10,medium', '10,critical', true);
    await harness.clock.runUntil(at('22:40'));
    harness.clock.suspend(HOUR_MS);
    await harness.clock.runUntil(at('00:40'));
    assert.deepEqual(harness.diary.slice(9), [
      '22:31 10',
      '23:40 5',
      '23:45 12',
      '23:55 8',
      '00:05 11',
      '00:15 9',
    ]);
    stop.abort();
    assert.deepEqual(await harness.clock.run(working), { ran: 15, failed: [5], atLimit: false });
    await checkMorning();
  });

  async function checkMorning(): Promise<void> {
    const morning = await openAgain();
    await morning.sync();
    const snapshot = await morning.read();
    checkEnds(snapshot);
    const retries = snapshot.tasks.map(({ state }) => state.retryCount);
    assert.deepEqual(retries, [0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0], 'neither limit nor sleep burns a retry');

    const [stopped, resumed] = harness.runs.filter(({ id }) => id === 7).map(({ job }) => job);
    assert.deepEqual([resumed?.session, resumed?.resume], [stopped?.session, 'limit']);
    const history = await morning.attempts({});
    assert.equal(new Set(history.map(({ id, number }) => `${id}/${number}`)).size, harness.runs.length);
    assert.equal(history.length, harness.runs.length);

    const done = (text: string, id: TaskId, status: string): string =>
      text.replace(new RegExp(`^(${id},.*,)pending(,.*)$`, 'm'), `$1${status}$2`);
    const typed = TYPED.replace('Translate the manual', 'Translate the whole manual')
      .replace('Look at the news,pending', 'Look at the news,Pending')
      .replace('10,medium', '10,critical')
      .replace(/^(5,.*,)0(,3,)/m, '$13$2');
    const completed = [1, 2, 4, 7, 8, 9, 10, 11, 12].reduce((text, id) => done(text, id, 'completed'), typed);
    assert.equal(read(), done(done(completed, 5, 'failed'), 6, 'review'));

    const idsIn = (log: string): number[] => linesIn(log).map((line) => Number(line.split(',')[0]));
    assert.deepEqual(idsIn('executed'), [1, 2, 3, 4, 7, 10, 12, 8, 11, 9]);
    assert.deepEqual(idsIn('quota_exceeded'), [7]);
    assert.deepEqual(idsIn('retry_tasks'), [5, 5, 5]);
    assert.deepEqual(idsIn('repeat_tasks'), [3]);
  }

  it('continues after its worker and the machine died during a task', async () => {
    await open(TYPED);
    scriptEvening(harness);
    harness.scripts.set(2, (run, ended) => (run.earlier === 0 ? NEVER_ENDING : after(15)(run, ended)));
    // It dies without an end: what it watched goes with its process.
    const mortal = new Proxy(queue, {
      get: (target, name) => (name === 'watch' ? () => undefined : (Reflect.get(target, name) as unknown)),
    });
    void work(harness.createWorker({ queue: mortal }), {}, new AbortController().signal);
    await harness.clock.runUntil(at('18:20'));
    const [, second] = harness.runs;
    harness.processes.alive.clear();
    harness.clock.suspend(10 * MINUTE_MS);

    const next = await openAgain();
    const stop = new AbortController();
    const working = work(harness.createWorker({ queue: next }), {}, stop.signal);
    await harness.clock.runUntil(at('18:46'));
    stop.abort();
    await harness.clock.run(working);
    const again = harness.runs.filter(({ id }) => id === 2);
    assert.equal(again.length, 2);
    assert.deepEqual([again[1]?.job.session, again[1]?.job.resume], [second?.job.session, 'lost']);
    const { tasks } = await next.read();
    assert.equal(tasks.find(({ definition }) => definition.id === 2)?.state.retryCount, 0);
  });

  it('runs the sample’s row 20 after its daily row 10, at its time', async () => {
    await open(DAILY_SAMPLE, Date.parse('2025-12-15T08:00:00Z'));
    const stop = new AbortController();
    const working = work(harness.createWorker({ queue, lookAgainMs: MINUTE_MS }), {}, stop.signal);
    await harness.clock.runUntil(Date.parse('2025-12-15T09:30:00Z'));
    stop.abort();
    await harness.clock.run(working);
    await queue.sync();
    assert.deepEqual(harness.diary, ['08:00 1', '08:01 10', '09:00 20']);
    assert.equal(
      read(),
      DAILY_SAMPLE.replace('確認",pending', '確認",completed').replace('生成",pending', '生成",completed'),
    );
  });
});
