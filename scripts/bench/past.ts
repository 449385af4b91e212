// Measures `why --at` at the end of a journal with 100,000 events, beside parsing its lines once. Prints one JSON object.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMPLETION } from '../../src/domain/task/decide';
import { OPEN_GATE } from '../../src/domain/gate/gate';
import { decidingSettingsOf, type RowFacts } from '../../src/domain/reasons/recordedInputs';
import { defaults } from '../../src/domain/settings/settings';
import type { Entry } from '../../src/queue/file/fileState';
import { composeLine, linesIn, STATE_VERSION } from '../../src/queue/file/journal/journalLine';
import { readPast } from '../../src/queue/file/journal/readPast';
import type { QueueEvent } from '../../src/queue/model/events';
import { lookBack } from '../../src/queue/model/replay/lookBack';
import { StatePaths } from '../../src/queue/queuePaths';
import { median, round, rowOf, timeOf, type BenchRow } from './files/measuring';

const EVENTS = 100_000;
const TASKS = 1_000;
const ROUNDS = 3;
const START = Date.parse('2026-03-02T10:00:00Z');
const OWNER = {
  kind: 'process',
  worker: '42',
  machine: 'here',
  process: { pid: 42, startedAt: 'then' },
} as const;

const ids = Array.from({ length: TASKS }, (_, index) => index + 1);
const fingerprintOf = (id: number): string => id.toString(16).padStart(32, '0');

function firstEvents(): QueueEvent[] {
  const rows: RowFacts[] = ids.map((id) => ({
    ...{ id, priority: 'medium', workingDir: `/place/${String(id)}`, dependencies: [], maxRetries: 3 },
    repeat: { kind: 'every', text: '1m', everyMs: 60_000 },
  }));
  const seen = ids.map((id) => ({
    ...{ id, power: fingerprintOf(id), status: 'pending', scheduledAt: null, retryCount: 0 },
  })) as Extract<QueueEvent, { kind: 'seen' }>['rows'];
  return [
    { kind: 'seen', rows: seen, at: START },
    {
      ...{ kind: 'inputs', at: START, settings: decidingSettingsOf(defaults), timeZone: 'UTC', rows },
      order: { at: 0, drop: 0, add: ids },
      asker: { worker: null, machine: 'here', gate: OPEN_GATE, trusted: true },
    },
  ];
}

/** A claim, its process and its end. */
function attemptEvents(token: number): QueueEvent[] {
  const id = (token % TASKS) + 1;
  const at = START + token * 60_000;
  const attempt = Math.ceil(token / TASKS);
  const power = fingerprintOf(id);
  const session = '00000000-0000-4000-8000-000000000000';
  return [
    {
      ...{ kind: 'claimed', at, op: `claim-${String(token)}`, choice: {} },
      claim: { id, power, token, attempt, owner: OWNER, at, session, mark: `claim-${String(token)}` },
    },
    { kind: 'started', at, id, token, run: { pid: 43, startedAt: 'then' } },
    {
      ...{ kind: 'finished', at: at + 30_000, id, token },
      change: { ...COMPLETION, status: 'pending', dueAt: at + 60_000, dueCause: 'repeat' },
      attempt: {
        ...{ id, number: attempt, power, session, startedAt: at, endedAt: at + 30_000 },
        ...{ outcome: 'success', reason: 'done', message: 'Done.', code: 0, costUsd: 0.1 },
      },
    },
  ];
}

function writeJournal(file: string): void {
  const buffers: Buffer[] = [];
  let [at, n] = [0, 0];
  const add = (content: object): void => {
    const line = composeLine({ at, n, by: 'bench', ...content });
    buffers.push(line);
    at += line.length;
    n += 1;
  };
  add({ version: STATE_VERSION, history: 'bench' });
  const events = firstEvents();
  for (let token = 1; events.length < EVENTS; token += 1) events.push(...attemptEvents(token));
  for (const event of events) add({ entry: { events: [event] } satisfies Entry });
  writeFileSync(file, Buffer.concat(buffers));
}

async function measure(folder: string): Promise<BenchRow[]> {
  const file = join(folder, 'journal');
  writeJournal(file);
  const state = new StatePaths(folder);
  const parsing: number[] = [];
  const looking: number[] = [];
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    parsing.push(
      await timeOf(() => {
        for (const { line } of linesIn(readFileSync(file), 0)) if (line.n < 0) throw new Error('none is');
      }),
    );
    looking.push(await timeOf(() => lookBack(readPast(state, 'bench', Infinity), Infinity)));
  }
  const beside = { ratio: round(median(looking) / median(parsing)), against: 'parsing its lines' };
  return [
    rowOf('parse the lines of 100,000 events', TASKS, parsing),
    rowOf('state at the end of 100,000 events', TASKS, looking, { ...beside, goal: '≤ 2 ×' }),
  ];
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'claude-queue-bench-'));
  try {
    process.stdout.write(
      `${JSON.stringify({ title: 'The past of a queue', rows: await measure(folder) })}\n`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
