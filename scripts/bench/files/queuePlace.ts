import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { COMPLETION } from '../../../src/domain/task/decide';
import { OPEN_GATE } from '../../../src/domain/gate/gate';
import { defaults } from '../../../src/domain/settings/settings';
import { systemClock } from '../../../src/platform/clock';
import { systemProcesses } from '../../../src/platform/processes/processes';
import { BASIC_COLUMNS } from '../../../src/queue/row/columns';
import { openFileQueue } from '../../../src/queue/openQueue';
import type { RowContext } from '../../../src/queue/row/rowContext';
import type { Claimed, End, TaskQueue, ClaimRequest } from '../../../src/queue/taskQueue';
import { OWN_HISTORY } from '../../../test/support/queue/ownHistory';

const HEADER = BASIC_COLUMNS.join(',');

const PRIORITIES = ['medium', 'low', 'high', 'medium'] as const;
const WORDS = 'Write the tests of this part, then run them, and fix what they show. '.repeat(3).trim();

/** Rows as people write them: every tenth waits for the one before it, every fifth prompt needs quotes. */
export function composeQueue(count: number, workingDir?: string): string {
  const rows = Array.from({ length: count }, (_, index) => {
    const id = index + 1;
    const prompt = id % 5 === 0 ? `"Part ${id}: say ""done"", then stop. ${WORDS}"` : `Part ${id} ${WORDS}`;
    const words = id % 5 === 0 ? prompt : prompt.replaceAll(',', ';');
    const after = id % 10 === 0 ? String(id - 1) : '';
    const priority = PRIORITIES[id % PRIORITIES.length] ?? 'medium';
    return `${id},${priority},${workingDir ?? `/place/${id}`},${words},pending,,${after},no,,0,3`;
  });
  return [HEADER, ...rows, ''].join('\n');
}

/** A queue file in a folder of its own, saved long ago. */
export class QueuePlace {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'claude-queue-bench-'));
  readonly file = path.join(this.folder, 'claude_queue.csv');

  constructor(count: number) {
    writeFileSync(this.file, composeQueue(count));
    const longAgo = new Date('2026-01-01T00:00:00Z');
    utimesSync(this.file, longAgo, longAgo);
  }

  open(): Promise<TaskQueue> {
    return openBenchQueue(this.file);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/**
 * Opens a queue file for a measurement. `at`: the folders by which another program understands its rows, so that both find
 * the same tasks.
 */
export function openBenchQueue(
  file: string,
  at: Pick<RowContext, 'folder' | 'home'> = { folder: '/place', home: '/home/me' },
): Promise<TaskQueue> {
  const rows = { ...at, timeZone: 'UTC', allowBypass: false };
  return openFileQueue({
    file,
    rows: () => rows,
    machine: { id: 'here', isAlive: (identity) => systemProcesses.isAlive(identity) },
    known: OWN_HISTORY,
    clock: systemClock,
    warn: (message) => process.stderr.write(`${message}\n`),
  });
}

const SELF = systemProcesses.self();
const SETTINGS = { ...defaults, maxRunning: 1_000, maxPerHour: 1_000_000, maxPerDay: 1_000_000 };

/** Request of a worker that nothing keeps from running tasks. */
export function benchWant(): ClaimRequest {
  return {
    owner: { kind: 'process', worker: 'bench', machine: 'here', process: SELF },
    since: 0,
    gate: OPEN_GATE,
    approvedRows: { trusted: true, approvals: new Set() },
    settings: SETTINGS,
    timeZone: 'UTC',
    freshSession: 'e6a0c9f4-2f4b-4c39-9a51-0e1a5d6f8b11',
  };
}

/** The success of what was claimed. */
export function successOf({ claim, definition }: Claimed): End {
  return {
    definition,
    attempt: {
      id: claim.id,
      number: claim.attempt,
      power: claim.power,
      session: claim.session,
      startedAt: claim.at,
      endedAt: systemClock.now(),
      outcome: 'success',
      reason: 'done',
      message: 'Done.',
      code: 0,
    },
    change: COMPLETION,
  };
}

/** Claims the next, or fails. */
export async function claimNext(queue: TaskQueue, op: string): Promise<Claimed> {
  const answer = await queue.claim(benchWant(), op);
  if (answer.kind === 'idle') throw new Error(`Nothing was claimed: ${answer.why.state}`);
  return answer;
}

/** One step of a worker: the end of one task and the claim of the next, durable when it returns. */
export async function finishAndClaim(queue: TaskQueue, claimed: Claimed, op: string): Promise<Claimed> {
  const next = await queue.finish(claimed.claim, successOf(claimed), op, benchWant());
  if (next?.kind !== 'claimed') throw new Error(`Nothing was claimed: ${next?.why.state ?? ''}`);
  return next;
}
