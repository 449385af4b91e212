import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
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
import { COMPLETION } from '../../src/domain/task/decide';
import { OPEN_GATE } from '../../src/domain/gate/gate';
import { noticeKey } from '../../src/domain/queue/notices';
import { defaults } from '../../src/domain/settings/settings';
import type { TaskId } from '../../src/domain/task/task';
import { systemClock } from '../../src/platform/clock';
import { systemProcesses } from '../../src/platform/processes/processes';
import { openFileQueue } from '../../src/queue/openQueue';
import type { Claimed, End, Machine, TaskQueue, ClaimRequest } from '../../src/queue/taskQueue';
import { attemptOf } from '../conformance/harness';
import { OWN_HISTORY } from '../support/queue/ownHistory';

const HEADER =
  'id,priority,working_dir,prompt,status,scheduled_time,dependencies,repeat,repeat_interval,retry_count,max_retries,note';

const UNBOUNDED = { ...defaults, maxRunning: 4, maxPerHour: 1_000_000, maxPerDay: 1_000_000, strict: true };

/** Everybody who is not on the process table is dead, as on a real machine. */
export const MACHINE: Machine = { id: 'here', isAlive: (identity) => systemProcesses.isAlive(identity) };

/** A file with rows 1 to `count`, each with something of its owner's in it that must stay as it is. */
export function composeRows(count: number): string {
  const rows = Array.from({ length: count }, (_, index) => {
    const id = index + 1;
    return `${String(id)},medium,/place/${String(id)},"Do ${String(id)},  ""now""",pending,,,no,,0,3, "mine" ${String(id)} `;
  });
  return [HEADER, ...rows.map((row) => row.replace(', "mine"', ', mine')), ''].join('\r\n');
}

/** A folder with a queue file in it, on the disk. */
export class FaultFolder {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'claude-task-queue-fault-'));
  readonly file = path.join(this.folder, 'prompts.csv');
  readonly original: string;

  /** @param content how many rows it has, or the file itself */
  constructor(content: number | Buffer) {
    const bytes = typeof content === 'number' ? Buffer.from(composeRows(content)) : content;
    this.original = bytes.toString();
    this.save(bytes);
  }

  /** Puts these bytes there as if they had been there for long. */
  save(bytes: Buffer): void {
    writeFileSync(this.file, bytes);
    const longAgo = new Date(Date.now() - 3_600_000);
    utimesSync(this.file, longAgo, longAgo);
  }

  /** Another folder with all that is in this one, and no worker running in it. */
  copy(): FaultFolder {
    const copy = new FaultFolder(Buffer.from(this.original));
    cpSync(this.folder, copy.folder, { recursive: true, preserveTimestamps: true });
    copy.ageLock();
    return copy;
  }

  /** As if the time had passed after which a lock counts as left behind. */
  ageLock(): void {
    const lock = path.join(this.folder, 'state', 'step.lock');
    const longAgo = new Date(Date.now() - 60_000);
    if (existsSync(lock)) utimesSync(lock, longAgo, longAgo);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  log(name: string): string {
    const file = path.join(this.folder, 'state', name);
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  }

  text(): string {
    return readFileSync(this.file, 'utf8');
  }

  rows(): Record<string, string>[] {
    return parse(this.text(), { columns: true, bom: true });
  }
}

/** Opens the queue in this process. */
export function openQueue(file: string, warn = failOnWarning): Promise<TaskQueue> {
  const rows = { timeZone: 'UTC', folder: '/place', home: '/home/me', allowBypass: false };
  return openFileQueue({
    file,
    rows: () => rows,
    machine: MACHINE,
    known: OWN_HISTORY,
    clock: systemClock,
    warn,
  });
}

function failOnWarning(message: string): void {
  throw new Error(message);
}

/** Request of a worker: this process unless another is given. */
export function request(name: string, process = systemProcesses.self()): ClaimRequest {
  const owner = { kind: 'process', worker: name, machine: MACHINE.id, process } as const;
  return {
    owner,
    since: 0,
    gate: OPEN_GATE,
    approvedRows: { trusted: true, approvals: new Set() },
    settings: UNBOUNDED,
    timeZone: 'UTC',
    freshSession: `session of ${name}`,
  };
}

/** Returns the end of a claimed task that succeeded. */
export function successOf(claimed: Claimed): End {
  const verdict = { outcome: 'success', reason: 'done', message: 'Done.' } as const;
  const attempt = attemptOf(claimed, COMPLETION, claimed.claim.at, verdict);
  return { change: COMPLETION, attempt, definition: claimed.definition };
}

/** Returns the end of a claimed task that failed permanently, so that only the user retries it. */
export function errorOf(claimed: Claimed): End {
  const { change, attempt, definition } = successOf(claimed);
  return {
    change: { ...change, status: 'failed', retryCount: 3, succeeded: false, givenUp: true, code: 3 },
    attempt: { ...attempt, outcome: 'error', reason: 'exit', message: 'It failed.', code: 3 },
    definition,
  };
}

/** Sends the notices that nobody else sends: `say` notifies the user. */
export async function sendNotices(
  queue: TaskQueue,
  op: string,
  say: (text: string) => void,
): Promise<readonly string[]> {
  const sender = { machine: MACHINE.id, process: systemProcesses.self() };
  const claimed = await queue.claimNotices({ channel: 'worker', sender, observed: [] }, `${op}-notices`);
  const keys = claimed.map(noticeKey);
  for (const key of keys) say(`notified ${key}`);
  await queue.confirmNotices('worker', keys, `${op}-sent`);
  return keys;
}

export const RULES = { settings: UNBOUNDED, timeZone: 'UTC', random: 0.5 };

/**
 * Brings everything that is left to its end, as a worker does that is started after a crash. A run that was lost more
 * than once waits for its next try, or has failed: the user lets it run at once.
 */
export async function finishAll(queue: TaskQueue): Promise<void> {
  const name = `last-${String(process.hrtime.bigint())}`;
  await queue.recover(RULES, `${name}-recover`);
  await queue.resume(`${name}-resume`);
  for (const { definition, state } of (await queue.read()).tasks) {
    if (state.retryCount > 0 || state.status === 'cancelled')
      await queue.command(definition.id, 'retry', `${name}-retry-${String(definition.id)}`);
  }
  for (let turn = 0; ; turn += 1) {
    const answer = await queue.claim(request('last'), `${name}-claim-${String(turn)}`);
    if (answer.kind === 'idle') break;
    await queue.finish(answer.claim, successOf(answer), `${name}-finish-${String(turn)}`);
  }
  await queue.close();
}

/** Checks that nothing was lost, nothing happened twice and nothing else was written, whatever came before. */
export async function checkAllDone(
  place: FaultFolder,
  queue: TaskQueue,
  acknowledged: readonly TaskId[],
): Promise<void> {
  const rows = place.rows();
  const ids = rows.map((row) => Number(row['id']));
  assert.deepEqual(
    rows.map((row) => row['status']),
    rows.map(() => 'completed'),
  );
  const successes = (await queue.attempts({ outcome: 'success' })).map(({ id }) => id);
  assert.deepEqual(sorted(successes), sorted(ids), 'each task succeeded exactly once');
  for (const id of acknowledged)
    assert.ok(successes.includes(id), `${String(id)} was finished and is not in the history`);
  const logged = parse(place.log('executed.log')).map(([id]) => Number(id));
  assert.deepEqual(sorted(logged), sorted(ids), 'each success is logged exactly once');
  const untouched = withoutOurs(place.text());
  assert.equal(untouched, place.original, 'nothing else was written');
  checkNothingLeftOver(place);
}

/** The file as it was at first, where only what the plays do has been done to it. */
function withoutOurs(text: string): string {
  return text
    .replaceAll('completed', 'pending')
    .replace(/^\d+,,\/place\/added,.*\r\n/gm, '')
    .replace('"Edited, ""2"""', '"Do 2,  ""now"""')
    .replace(/^(\d+)(,.*,)note \d+$/gm, '$1$2 mine $1 ');
}

/** Checks that no temporary file and no backup link is left, beside the queue or in its folders. */
export function checkNothingLeftOver({ folder }: FaultFolder): void {
  const left = readdirSync(folder).filter((name) => name !== 'state' && name !== 'prompts.csv');
  assert.deepEqual(left, [], 'nothing is left over');
  const names = readdirSync(path.join(folder, 'state'), { recursive: true }).map(String);
  assert.deepEqual(
    names.filter((name) => /\.(tmp|spare)$/.test(name)),
    [],
    'nothing is left over in state/',
  );
}

function sorted(ids: readonly number[]): number[] {
  return [...ids].sort((a, b) => a - b);
}

/** The user changes one cell of one row, from what they see to what they save without a pause. */
export function saveNote(file: string, id: number, note: string, byRename: boolean): void {
  const text = withNote(readFileSync(file, 'utf8'), id, note);
  if (!byRename) {
    writeFileSync(file, text);
    return;
  }
  writeFileSync(`${file}~`, text, { mode: statSync(file).mode });
  renameSync(`${file}~`, file);
}

/** A file's text with this note in the row with this id, which is its last cell. */
export function withNote(text: string, id: number, note: string): string {
  const lines = text.split('\r\n');
  const line = lines[id] ?? '';
  const [cells = []] = parse(line, { relax_quotes: true });
  const old = cells.at(-1) ?? '';
  lines[id] = `${line.slice(0, line.length - old.length)}${note}`;
  return lines.join('\r\n');
}
