import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Verdict } from '../../../../src/domain/task/attempt';
import { isProblem } from '../../../../src/domain/problem';
import type { Definition } from '../../../../src/domain/task/task';
import { explainNotStarted } from '../../../../src/claude/folder/notStarted';
import { createClaudeRunner } from '../../../../src/claude/attempt/run';
import { withDeadDisk } from '../../../support/machine/deadDisk';
import { jobIn, notesIn, optionsIn } from '../fakeRun';

interface Circumstances {
  readonly claude?: string;
  /** Called before the start: it reports that the folder is not trusted in Claude Code. */
  readonly line?: () => void;
  readonly stop?: AbortController;
}

describe('An attempt that cannot start', () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'start-')));
  });
  afterEach(() => {
    const started = notesIn(folder);
    rmSync(folder, { recursive: true, force: true });
    assert.deepEqual(started, []);
  });

  function run(
    row: Partial<Definition>,
    { claude, line = () => undefined, stop = new AbortController() }: Circumstances = {},
  ): Promise<Verdict> {
    const options = optionsIn(folder, 'ok');
    const runner = createClaudeRunner({ ...options, claude: claude ?? options.claude });
    const events = {
      started: () => Promise.resolve(),
      admitted: () => undefined,
      line,
    };
    return runner.run(jobIn(folder, row), events, stop.signal);
  }

  it('since it was stopped before all was ready is cancelled', async () => {
    const stop = new AbortController();
    const verdict = await run({}, { stop, line: () => stop.abort('cancelled') });
    assert.deepEqual([verdict.outcome, verdict.reason], ['cancelled', 'cancelled']);
  });

  it('in a missing folder fails permanently', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    for (const workingDir of [join(folder, 'nowhere'), file, join(file, 'below'), '/a\0b']) {
      const verdict = await run({ workingDir });
      assert.deepEqual([verdict.outcome, verdict.reason], ['permanent', 'bad-working-dir']);
      assert.ok(verdict.message.includes(workingDir), verdict.message);
    }
  });

  it('in a folder on a disk that does not answer is tried again', async () => {
    const verdict = await withDeadDisk(folder, () => run({}));
    assert.deepEqual([verdict.outcome, verdict.reason], ['transient', 'not-started']);
    assert.ok(verdict.message.includes(`${folder} cannot be reached (ENOTCONN)`), verdict.message);
  });

  it('in a folder without permission fails permanently', async function () {
    // The superuser may enter any.
    if (process.getuid?.() === 0) this.skip();
    const workingDir = join(folder, 'closed');
    mkdirSync(workingDir, { mode: 0o600 });
    const verdict = await run({ workingDir });
    assert.deepEqual([verdict.outcome, verdict.reason], ['permanent', 'bad-working-dir']);
    assert.match(verdict.message, /closed cannot be entered by you/);
  });

  it('because its folder was just deleted fails with that reason, not with one of claude', async () => {
    const workingDir = join(folder, 'goes');
    mkdirSync(workingDir);
    const verdict = await run(
      { workingDir },
      { line: () => rmSync(workingDir, { recursive: true, force: true }) },
    );
    assert.deepEqual([verdict.outcome, verdict.reason], ['permanent', 'bad-working-dir']);
    assert.match(verdict.message, /goes does not exist/);
  });

  for (const [what, row] of Object.entries({
    'a model': { model: 'x'.repeat(2 ** 21) },
    'a tool': { allowedTools: [`Bash(${'x'.repeat(2 ** 21)})`] },
    'a model with a NUL': { model: 'a\0b' },
  })) {
    it(`because its row has ${what} that no system accepts fails permanently, and stops no other one`, async () => {
      const verdict = await run(row);
      assert.deepEqual([verdict.outcome, verdict.reason], ['permanent', 'unusable-words']);
      assert.match(verdict.message, /cannot be started with the model and the tools that the row names/);
      assert.ok(verdict.message.length < 500);
    });
  }

  it('without a usable claude reports that problem', async () => {
    const claude = join(folder, 'claude');
    const isRefused = (): Promise<void> =>
      assert.rejects(run({}, { claude }), (error) => isProblem(error, 'claude-missing'));
    await isRefused();
    writeFileSync(claude, '#!/bin/sh\n');
    await isRefused();
    writeFileSync(claude, `#!${join(folder, 'gone')}\n`);
    chmodSync(claude, 0o755);
    await isRefused();
  });

  it('because the machine is out of resources is retried later without counting', async () => {
    for (const code of ['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE']) {
      const cause = Object.assign(new Error(`spawn ${code}`), { code });
      const { outcome, message } = await explainNotStarted(cause, optionsIn(folder, 'ok').claude, folder);
      assert.equal(outcome, 'transient');
      assert.match(message, new RegExp(`could not be started \\(spawn ${code}\\)`));
    }
  });
});
