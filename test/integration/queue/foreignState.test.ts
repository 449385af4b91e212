import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isProblem } from '../../../src/domain/problem';
import { composeLine } from '../../../src/queue/file/journal/journalLine';
import { appendLogs } from '../../../src/queue/file/checkpoint/logFiles';
import { openFileQueue } from '../../../src/queue/openQueue';
import type { TaskQueue } from '../../../src/queue/taskQueue';
import { makeFolder } from './folder';
import { OWN_HISTORY } from '../../support/queue/ownHistory';
import { StatePaths } from '../../../src/queue/queuePaths';

const ROWS = { timeZone: 'UTC', folder: '/place', home: '/home/me', allowBypass: false };
const ME = { pid: 7, startedAt: 'then' };
const NOW = 1_795_198_700_000;

const CLAIM = {
  id: 1,
  power: 'p',
  token: 1,
  attempt: 1,
  owner: { kind: 'process', worker: 'w', machine: 'here', process: ME },
  at: 1,
  session: 's',
  mark: 'm',
};
const ATTEMPT = {
  id: 1,
  number: 1,
  power: 'p',
  session: 's',
  startedAt: 1,
  endedAt: 2,
  outcome: 'success',
  reason: 'done',
  message: '',
  code: 0,
};
const CHECKPOINT = { at: 1, cells: [], result: null, logSizes: {} };
const finished = (attempt: object, more: object = {}): object => ({
  events: [{ kind: 'finished', at: 1, id: 1, token: 1, change: {}, attempt, ...more }],
});
const claimed = (claim: object): object => ({ events: [{ kind: 'claimed', at: 1, claim }] });
const reported = (of: 'queue' | 'file', field: string, value: unknown): object => ({
  snapshot: { of, field, value },
});

/** A journal of each of which it would be unwise to go by. */
const UNSOUND: Readonly<Record<string, object>> = {
  'log lines for a file elsewhere': finished(ATTEMPT, { logs: { '../../.git/config': '[core]\n' } }),
  'log lines of a kind that it does not know': {
    events: [{ kind: 'later', at: 1, logs: { '../../.git/config': '[core]\n' } }],
  },
  'log lines that wait for a file elsewhere': reported('file', 'waitingLogs', [['../../.git/config', 'x\n']]),
  'a checkpoint that was to write a file elsewhere': reported('file', 'interrupted', {
    ...CHECKPOINT,
    logs: { '../../.git/config': 'x\n' },
  }),
  'a size below nothing': { fold: { ...CHECKPOINT, logSizes: { 'executed.log': -1e12 } } },
  'a size that is no number': reported('file', 'leavingBehind', '1e12'),
  'an output elsewhere': finished({ ...ATTEMPT, output: '../../prompts.csv' }),
  'an output elsewhere that is too old': reported('file', 'leaving', [{ ...ATTEMPT, output: '..' }]),
  'a task whose number is a path': claimed({ ...CLAIM, id: '../../1' }),
  'an attempt whose number is a path': claimed({ ...CLAIM, attempt: '/../../../x' }),
  'as many attempts as make a path': reported('queue', 'attemptCounts', [[1, '/../../../x']]),
  'a run that is the first process, with everybody in its group': {
    events: [{ kind: 'started', at: 1, id: 1, token: 1, run: { ...ME, pid: 1 } }],
  },
  'a run that is a group': claimed({ ...CLAIM, run: { ...ME, pid: -1 } }),
  'a worker that is no process': reported('queue', 'workers', [
    { since: 1, owner: { ...CLAIM.owner, process: { ...ME, pid: '-A' } } },
  ]),
  'costs below nothing, which would make room under a bound': reported('queue', 'costs', [
    { at: 1, usd: -1e9 },
  ]),
  'an attempt that was paid for with words': finished({ ...ATTEMPT, costUsd: '0' }),
  'a queue file elsewhere': { file: '../../.ssh/id_rsa' },
  'a row that is reserved for a word': { reserved: { op: 'o', id: '=cmd' } },
  'nothing but a word': 'word' as unknown as object,
};

describe('A history from a repository', () => {
  for (const [what, entry] of Object.entries(UNSOUND)) {
    it(`is refused if it has ${what}`, async () => {
      const { folder, queue } = await pull(entry);
      const before = readFileSync(join(folder, '.git', 'config'), 'utf8');
      const calls = [() => queue.read(), () => queue.sync(), () => queue.hold(HOLD, 'h')];
      for (const call of calls) await assert.rejects(call(), (error) => isProblem(error, 'state-damaged'));
      await queue.close();
      await assert.rejects(open(folder), (error) => isProblem(error, 'state-damaged'));
      assert.equal(readFileSync(join(folder, '.git', 'config'), 'utf8'), before);
      assert.deepEqual(readdirSync(folder).sort(), ['.git', 'claude_queue']);
    });
  }

  it('is accepted with additions of a later version', async () => {
    const { queue } = await pull(
      { events: [{ kind: 'later', at: 1, id: 'any' }], later: true },
      { events: [{ kind: 'later', at: 1, ids: { any: 1 } }] },
      reported('queue', 'later', '../..'),
      reported('queue', '__proto__', { held: 'x' }),
      finished({ ...ATTEMPT, later: ['any'] }),
    );
    assert.deepEqual((await queue.read()).holds, []);
    await queue.close();
  });

  it('with a huge journal number does not make the program search without end', async () => {
    const { folder, queue } = await pull();
    const state = join(folder, 'claude_queue', 'state');
    writeFileSync(join(state, `journal.1${'0'.repeat(21)}`), '');
    await queue.hold(HOLD, 'h');
    assert.equal((await queue.read()).holds[0]?.why, HOLD.why);
    await queue.close();
  });

  it('writes no log through a link that came while the queue was open', async () => {
    const folder = makeFolder();
    const target = join(folder, 'profile');
    symlinkSync(target, join(folder, 'executed.log'));
    await assert.rejects(appendLogs(new StatePaths(folder), { 'executed.log': 'x\n' }, {}));
    assert.equal(existsSync(target), false);
  });
});

const HOLD = { by: 'person', why: 'night' } as const;

/** A clone with a queue of one row that is open, when a pull brings a journal of these entries. */
async function pull(
  ...entries: readonly object[]
): Promise<{ readonly folder: string; readonly queue: TaskQueue }> {
  const folder = makeFolder();
  const state = join(folder, 'claude_queue', 'state');
  mkdirSync(join(folder, '.git'));
  writeFileSync(join(folder, '.git', 'config'), '[core]\n');
  mkdirSync(state, { recursive: true });
  writeFileSync(join(folder, 'claude_queue', 'prompts.csv'), 'id,working_dir,prompt\n1,.,Take notes\n');
  const queue = await open(folder);
  if (entries.length > 0) writeFileSync(join(state, 'journal'), composeJournal(entries));
  return { folder, queue };
}

function open(folder: string): Promise<TaskQueue> {
  return openFileQueue({
    file: join(folder, 'claude_queue', 'prompts.csv'),
    rows: () => ROWS,
    machine: { id: 'here', isAlive: () => true },
    known: OWN_HISTORY,
    clock: { now: () => NOW, sleep: () => Promise.resolve() },
    warn: () => undefined,
  });
}

function composeJournal(entries: readonly object[]): string {
  const lines = [{ version: 1 }, ...entries.map((entry) => ({ entry }))];
  let text = '';
  for (const [n, line] of lines.entries())
    text += composeLine({ at: Buffer.byteLength(text), n, by: 'x', ...line }).toString();
  return text;
}
