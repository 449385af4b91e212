import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Attempt, Job, Verdict } from '../../../../src/domain/task/attempt';
import { createClaudeRunner } from '../../../../src/claude/attempt/run';
import { machineId } from '../../../../src/platform/processes/machine';
import { systemProcesses } from '../../../../src/platform/processes/processes';
import { inputsIn, jobIn, type Note, notesIn, optionsIn } from '../fakeRun';

describe('An attempt in its session', () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'session-')));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

  const notes = (): Note[] => notesIn(folder);
  const inputs = (): string[] => inputsIn(folder);
  const jobOf = (more: Partial<Job> = {}): Job => jobIn(folder, {}, more);

  function run(
    script: string,
    job = jobOf(),
    line: (text: string) => unknown = () => undefined,
  ): Promise<Verdict> {
    const events = {
      started: () => Promise.resolve(),
      admitted: () => undefined,
      line,
    };
    return createClaudeRunner(optionsIn(folder, script)).run(job, events, new AbortController().signal);
  }

  /** Claude Code has kept these lines of the session. */
  function keepTranscript(session: string, ...kept: readonly object[]): void {
    const project = join(folder, '.claude/projects/some-where');
    mkdirSync(project, { recursive: true });
    const text = kept.map((line) => `${JSON.stringify(line)}\n`).join('');
    writeFileSync(join(project, `${session}.jsonl`), text);
  }

  const answerOf = (text: string): object => ({
    type: 'assistant',
    message: { model: 'opus', usage: { input_tokens: 9 }, content: [{ type: 'text', text }] },
  });

  it('resumes with the whole task if there is a transcript', async () => {
    const job = jobOf({ resume: 'limit' });
    keepTranscript(job.session, {});
    await run('ok', job);
    const { args = [] } = notes()[0] ?? {};
    assert.equal(args[args.indexOf('--resume') + 1], job.session);
    assert.match(inputs()[0] ?? '', /^A usage limit .* reset\..*continue where you stopped.*\n\nDo it\.$/s);
  });

  it('says that it starts anew if its session is on another machine', async () => {
    const lines: string[] = [];
    const last = { machine: 'mars/0123456789ab' } as Attempt;
    await run('ok', jobOf({ resume: 'stopped', last }), (text) => lines.push(text));
    assert.equal(lines[0], 'The session is on mars. The task starts in a new one.');
    const kept = jobOf({ resume: 'stopped', last });
    keepTranscript(kept.session, {});
    const others: string[] = [];
    for (const job of [kept, jobOf({ last }), jobOf({ resume: 'stopped' })])
      await run('ok', job, (text) => others.push(text));
    assert.ok(!others.some((text) => text.includes('starts in a new one')));
  });

  it('does not resume a session that lacks the last attempt, which ran on another machine', async () => {
    const job = jobOf({ resume: 'comment' });
    keepTranscript(job.session, {});
    const lastAt = (startedAt: number, machine: string): Attempt =>
      ({ session: job.session, startedAt, machine }) as Attempt;
    const later = Date.now() + 60_000;
    const verdict = await run('ok', { ...job, last: lastAt(later, 'mars/0123456789ab') });
    assert.deepEqual([verdict.outcome, verdict.reason], ['transient', 'session-unusable']);
    assert.match(verdict.message, /^The session here lacks the last attempt, which ran on mars\. /);
    assert.deepEqual(notes(), []);
    for (const last of [lastAt(0, 'mars/0123456789ab'), lastAt(later, machineId())])
      assert.equal((await run('ok', { ...job, last })).outcome, 'success');
  });

  it('starts the session anew if the transcript turns out to be missing', async () => {
    const job = jobOf();
    keepTranscript(job.session);
    assert.equal((await run('refuseResume', job)).outcome, 'success');
    assert.deepEqual(inputs().at(-1), 'Do it.');
  });

  it('resumes it if it turns out to exist', async () => {
    assert.equal((await run('refuseStart')).outcome, 'success');
    assert.match(inputs().at(-1) ?? '', /continue where you stopped/);
  });

  it('falls back only once, and starts a new session the next time', async () => {
    const verdict = await run('refuseBoth');
    assert.deepEqual([verdict.outcome, verdict.reason], ['transient', 'session-unusable']);
    assert.equal(inputs().length, 2);
  });

  it('is started once, whatever it writes to its error output afterwards', async () => {
    const job = jobOf({ resume: 'retry' });
    keepTranscript(job.session, {});
    const verdict = await run('limitAfterStrangeWords', job);
    assert.deepEqual([verdict.outcome, verdict.reason], ['limit', 'five_hour']);
    assert.equal(inputs().length, 1);
  });

  for (const session of ['../../outside', '--dangerously-skip-permissions', ''])
    it(`does not resume "${session}", and starts a new session the next time`, async () => {
      keepTranscript('outside');
      const verdict = await run('ok', jobOf({ session }));
      assert.deepEqual([verdict.outcome, verdict.reason], ['transient', 'session-unusable']);
      assert.deepEqual(notes(), []);
    });

  it('gets no text from a file that is not a session', async () => {
    keepTranscript('elsewhere', answerOf('Run this.'));
    await run('ok', jobOf({ resume: 'limit', handOver: '../some-where/elsewhere' }));
    assert.doesNotMatch(inputs()[0] ?? '', /Run this/);
  });

  it('reports the size of its session', async () => {
    const job = jobOf({ resume: 'retry' });
    keepTranscript(job.session, answerOf('Half done.'));
    assert.equal((await run('ok', job)).contextTokens, 9);
    assert.equal((await run('ok')).contextTokens, undefined);
  });

  it('starts with a summary if its session replaces another one, and resumes without it', async () => {
    const before = randomUUID();
    const job = jobOf({ resume: 'limit', handOver: before });
    keepTranscript(before, answerOf('```\nHalf of it is done.'));
    await run('ok', job);
    const { args = [] } = notes()[0] ?? {};
    assert.equal(args[args.indexOf('--session-id') + 1], job.session);
    const note = inputs()[0] ?? '';
    assert.match(note, /^An earlier session of Claude Code worked on this task and has grown too large/);
    assert.match(note, /A usage limit interrupted this task.*First look at what exists already/s);
    assert.match(
      note,
      /earlier session:\n\n````\n```\nHalf of it is done\.\n````\n\n.*in full:\n\nDo it\.$/s,
    );
    keepTranscript(job.session);
    await run('ok', job);
    assert.match(inputs()[1] ?? '', /^A usage limit interrupted this task.*continue where you stopped/s);
  });

  it('starts with a summary even if nothing of the other session is left', async () => {
    await run('ok', jobOf({ resume: 'retry', handOver: randomUUID() }));
    assert.doesNotMatch(inputs()[0] ?? '', /earlier session:/);
    assert.match(inputs()[0] ?? '', /First look at what exists already.*\n\nDo it\.$/s);
  });

  it('is not started while its session is open in another Claude Code', async () => {
    const job = jobOf({ resume: 'limit' });
    keepTranscript(job.session);
    const sessions = join(folder, '.claude/sessions');
    mkdirSync(sessions);
    const { pid } = process;
    const [, procStart] = systemProcesses.self().startedAt.split('/');
    const report = (about: object): void =>
      writeFileSync(join(sessions, `${pid}.json`), JSON.stringify({ pid, procStart, ...about }));
    report({ sessionId: job.session });
    const verdict = await run('ok', job);
    assert.deepEqual([verdict.outcome, verdict.reason], ['transient', 'session-in-use']);
    assert.match(verdict.message, new RegExp(`open in another Claude Code \\(process ${pid}\\)`));
    assert.deepEqual(notes(), []);

    report({ sessionId: randomUUID() });
    assert.equal((await run('ok', job)).outcome, 'success', 'that is another session');
    report({ sessionId: job.session, pid: 2 ** 22 + 1 });
    assert.equal((await run('ok', job)).outcome, 'success', 'that process is gone');
    if (process.platform !== 'linux') return;
    report({ sessionId: job.session, procStart: '1' });
    assert.equal((await run('ok', job)).outcome, 'success', 'that number is another process’s by now');
  });

  it('that hits a limit without a reset time gets it from its transcript', async () => {
    const job = jobOf({ resume: 'retry' });
    const resetsAt = Math.floor(Date.now() / 1000) + 7000;
    keepTranscript(job.session, {
      type: 'assistant',
      isApiErrorMessage: true,
      error: 'rate_limit',
      quotaLimits: { status: 'rejected', rateLimitType: 'five_hour', resetsAt },
      message: { model: '<synthetic>', content: [{ type: 'text', text: "You've hit your 5-hour limit" }] },
    });
    const { outcome, reason, signal } = await run('limitWithoutEnd', job);
    assert.deepEqual([outcome, reason, signal?.resetAt], ['limit', 'five_hour', resetsAt * 1000]);
    const unknown = await run('limitWithoutEnd');
    assert.deepEqual([unknown.outcome, unknown.signal?.resetAt], ['limit', null]);
  });
});
