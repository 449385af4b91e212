import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { appendLogs, measureLogs } from '../../../../../src/queue/file/checkpoint/logFiles';
import { LOG_NAMES } from '../../../../../src/queue/file/checkpoint/logLines';
import { DAY, HOUR, MINUTE, type Harness, type Ending } from '../../../../conformance/harness';
import type { FileSystemUnderTest } from '../../../../conformance/fileSystemUnderTest';
import type { Outcome } from '../../../../../src/domain/task/attempt';
import { makeFolder } from '../../folder';
import { eleven, openFile } from '../../ownedFile';
import { StatePaths } from '../../../../../src/queue/queuePaths';

/** An attempt that starts at 10:30:00 of the day and takes 45 seconds. */
async function attempt(harness: Harness, outcome: Outcome, ending: Ending = {}): Promise<void> {
  const claimed = await harness.claim();
  harness.clock.advance(45_400);
  await harness.finish(claimed, outcome, ending);
}

async function logsOf(file: FileSystemUnderTest): Promise<Record<string, string>> {
  await file.settle();
  const logs = await Promise.all(LOG_NAMES.map(async (name) => [name, await file.log(name)] as const));
  return Object.fromEntries(logs.filter(([, text]) => text !== ''));
}

async function openAtHalfPastTen(
  ...rows: readonly string[]
): Promise<{ harness: Harness; file: FileSystemUnderTest }> {
  const opened = await openFile(eleven(...rows));
  opened.harness.clock.advance(30 * MINUTE);
  return opened;
}

describe('The logs', () => {
  it('have a success in executed.log', async () => {
    const { harness, file } = await openAtHalfPastTen('1,high,/w,Check the SDK,pending,,,no,,0,3');
    await attempt(harness, 'success');
    assert.deepEqual(await logsOf(file), { 'executed.log': '1,2026-03-02 10:30:00,45,0,Check the SDK\n' });
  });

  it('contain no secret of a prompt', async () => {
    const token = ['gh', 'p_abcdefghijklmnopqrstuvwxyz0123456789'].join('');
    const { harness, file } = await openAtHalfPastTen(
      `1,high,/w,Log in with ${token},pending,,,yes,daily,0,3`,
    );
    await attempt(harness, 'success');
    const logs = await logsOf(file);
    assert.deepEqual(Object.keys(logs), ['executed.log', 'repeat_tasks.log']);
    for (const log of Object.values(logs)) assert.match(log, /,Log in with \[redacted GitHub token\]\n$/);
  });

  it('have every attempt of a repeating task in repeat_tasks.log, with epoch seconds and its interval', async () => {
    const { harness, file } = await openAtHalfPastTen('10,high,/w,Look at trends,pending,,,yes,daily,0,1');
    const start = harness.now / 1000;
    await attempt(harness, 'success');
    harness.clock.advance(DAY);
    await attempt(harness, 'error');
    assert.deepEqual(await logsOf(file), {
      'executed.log': '10,2026-03-02 10:30:00,45,0,Look at trends\n',
      'repeat_tasks.log':
        `10,${String(start)},45,0,daily,Look at trends\n` +
        `10,${String(start + 86_445)},45,3,daily,Look at trends\n`,
      'retry_tasks.log': '10,2026-03-03 10:30:45,45,3,1,1,Look at trends\n',
    });
  });

  it('have an accepted repeating task in executed.log only', async () => {
    const { harness, file } = await openAtHalfPastTen('10,high,/w,Look at trends,pending,,,yes,daily,0,1');
    const start = harness.now / 1000;
    await attempt(harness, 'review');
    await harness.queue.command(10, 'accept', harness.op());
    assert.deepEqual(await logsOf(file), {
      'executed.log': '10,2026-03-02 10:30:00,45,0,Look at trends\n',
      'repeat_tasks.log': `10,${String(start)},45,0,daily,Look at trends\n`,
    });
  });

  it('have errors and final failures in retry_tasks.log', async () => {
    const { harness, file } = await openAtHalfPastTen('3,high,/w,Analyse data,pending,,,no,,0,2');
    await attempt(harness, 'error');
    harness.clock.advance(HOUR);
    await attempt(harness, 'error');
    assert.deepEqual(await logsOf(file), {
      'retry_tasks.log':
        '3,2026-03-02 10:30:00,45,1,1,2,Analyse data\n3,2026-03-02 11:30:45,45,3,2,2,Analyse data\n',
    });
  });

  it('have permanent failures, and transient ones only when they count', async () => {
    const { harness, file } = await openAtHalfPastTen('3,high,/w,x,pending,,,no,,0,3');
    for (let time = 0; time < 5; time += 1) {
      await attempt(harness, 'transient');
      harness.clock.advance(2 * HOUR);
    }
    assert.deepEqual(await logsOf(file), {});
    await attempt(harness, 'transient');
    assert.match((await logsOf(file))['retry_tasks.log'] ?? '', /^3,.*,45,1,1,3,x\n$/);
    await harness.queue.command(3, 'retry', harness.op());
    await attempt(harness, 'permanent');
    assert.match((await logsOf(file))['retry_tasks.log'] ?? '', /\n3,.*,45,3,0,3,x\n$/);
  });

  it('have a limit once per task and closing of the gate', async () => {
    const { harness, file } = await openAtHalfPastTen('5,high,/w,Make a report,pending,,,no,,0,3');
    const signal = { kind: 'five_hour', resetAt: null, message: 'limit' } as const;
    const closedSince = harness.now;
    const line = '5,2026-03-02 10:30:00,45,quota_exceeded,Make a report\n';
    await attempt(harness, 'limit', { signal, closedSince });
    await harness.queue.resume(harness.op());
    await attempt(harness, 'limit', { signal, closedSince });
    assert.deepEqual(await logsOf(file), { 'quota_exceeded.log': line });
    harness.clock.advance(5 * HOUR);
    await attempt(harness, 'limit', { signal, closedSince: harness.now });
    assert.equal((await logsOf(file))['quota_exceeded.log']?.split('\n').length, 3);
  });

  it('have a review only after it was accepted', async () => {
    const { harness, file } = await openAtHalfPastTen('1,high,/w,x,pending,,,no,,0,3');
    await attempt(harness, 'review');
    assert.deepEqual(await logsOf(file), {});
    await harness.queue.command(1, 'accept', harness.op());
    assert.deepEqual(await logsOf(file), { 'executed.log': '1,2026-03-02 10:30:00,45,0,x\n' });
  });

  it('put quotes around a prompt only if it needs them', async () => {
    const { harness, file } = await openAtHalfPastTen(
      `1,high,/w,"Say ""hi"", then continue",pending,,,no,,0,3`,
    );
    await attempt(harness, 'success');
    const text = (await logsOf(file))['executed.log'] ?? '';
    assert.equal(text, '1,2026-03-02 10:30:00,45,0,"Say ""hi"", then continue"\n');
    assert.deepEqual(parse(text), [['1', '2026-03-02 10:30:00', '45', '0', 'Say "hi", then continue']]);
  });

  it('have one line per record if the prompt has several', async () => {
    const row = `1,high,/w,"Say ""hi"", then\r\n  2,continue\n\nand stop",pending,,,yes,daily,0,3`;
    const { harness, file } = await openAtHalfPastTen(row);
    await attempt(harness, 'success');
    const logs = Object.values(await logsOf(file));
    assert.equal(logs.length, 2);
    for (const log of logs) assert.match(log, /^1,[^\n]*,"Say ""hi"", then 2,continue and stop"\n$/);
  });

  it('cut a long prompt after 500 characters', async () => {
    const long = `${'日本語'.repeat(166)}ab`;
    const { harness, file } = await openAtHalfPastTen(
      `1,high,/w,${long},pending,,,no,,0,3`,
      `2,high,/w,${long}c,pending,,,no,,0,3`,
    );
    await attempt(harness, 'success');
    await attempt(harness, 'success');
    const [first = '', second = ''] = ((await logsOf(file))['executed.log'] ?? '').split('\n');
    assert.ok(first.endsWith(`,0,${long}`), first);
    assert.ok(second.endsWith(`,0,${long.slice(0, -1)}…`), second);
  });

  it('have each line once after a crash at any byte', async () => {
    const lines = 'one\ntwo\n';
    for (let written = 0; written <= lines.length; written += 1) {
      const folder = makeFolder();
      const file = join(folder, 'executed.log');
      writeFileSync(file, 'before\n');
      const sizes = await measureLogs(new StatePaths(folder));
      writeFileSync(file, `before\n${lines.slice(0, written)}`);
      await appendLogs(new StatePaths(folder), { 'executed.log': lines }, sizes);
      assert.equal(readFileSync(file, 'utf8'), `before\n${lines}`, `cut at ${String(written)}`);
    }
  });

  it('continue after the user shortened, removed or edited one', async () => {
    const folder = makeFolder();
    const file = join(folder, 'executed.log');
    const lines = { 'executed.log': 'new\n' };
    writeFileSync(file, 'one\ntwo\n');
    const sizes = await measureLogs(new StatePaths(folder));
    writeFileSync(file, 'one');
    await appendLogs(new StatePaths(folder), lines, sizes);
    assert.equal(readFileSync(file, 'utf8'), 'one\nnew\n');
    writeFileSync(file, 'one\ntwo\nby hand\n');
    await appendLogs(new StatePaths(folder), lines, sizes);
    assert.equal(readFileSync(file, 'utf8'), 'one\ntwo\nby hand\nnew\n');
    await appendLogs(new StatePaths(folder), lines, sizes);
    assert.equal(readFileSync(file, 'utf8'), 'one\ntwo\nby hand\nnew\n', 'not twice');
  });
});
