import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { QueueContext } from '../../../src/app/context/queueContext';
import type { Forecast } from '../../../src/app/simulate/forecast';
import { simulate, workersOf } from '../../../src/app/simulate/simulate';
import { peekViewModel } from '../../../src/app/viewModel/queueViewModel';
import type { Attempt, Outcome } from '../../../src/domain/task/attempt';
import type { TaskId } from '../../../src/domain/task/task';
import { createEditorHost } from '../../../src/editor/state/editorHost';
import { tool } from '../../support/claude/replies';
import { isLong, report } from '../../support/fuzz';
import { attempt, HOUR } from '../../support/queue/attempts';
import { isAbout, openPlace, type QueueFolder } from '../../support/queue/queuePlace';
import { recordHistory } from '../../support/queue/recordHistory';
import type { RowCells } from '../../support/queue/rows';
import { until } from '../../support/until';
import { PacedAccount, REQUESTS } from './pacedAccount';

/** A row of the first block. */
interface Kind {
  readonly id: TaskId;
  readonly priority: string;
  readonly repeat?: 'yes';
  /** Rows of the same block that it depends on. */
  readonly needs?: readonly TaskId[];
}

type Row = Partial<RowCells> & { readonly id: TaskId };

/** `npm run test:long` repeats the rows of a block with other ids. */
const SIZE = isLong
  ? {
      rows: 200,
      window: { requests: 163, ms: 120_000 },
      repeatMinutes: 3,
      simulatedMs: 700_000,
      patienceMs: 60 * 60_000,
    }
  : {
      rows: 24,
      window: { requests: 19, ms: 22_000 },
      repeatMinutes: 1,
      simulatedMs: 180_000,
      patienceMs: 20 * 60_000,
    };
/** Some rounds of two attempts and a sixth of one: no limit comes between two rounds. */
const WINDOW = SIZE.window;
const ATTEMPT_MS = 3_000;
/** Difference of the ids of two blocks. */
const BLOCK = 40;
/** Rows of this kind run after all others, so that they are due again when these have ended, also on a busy machine. */
const REPEATING = 3;
const FAILING = [2, 23];
const REFUSED = 26;
/** They depend on tasks that are never completed. */
const NEVER = [12, 32];

/**
 * Rows of the fast pool from 1 on, and of the slow one from 21 on. What a row needs of the other pool ends at least one
 * attempt earlier than it is needed: which of two attempts that run at once ends first is for the machine to say.
 */
const FIRST_BLOCK: readonly Kind[] = [
  { id: 1, priority: 'critical' },
  { id: 2, priority: 'critical' },
  { id: REPEATING, priority: 'high', repeat: 'yes', needs: [6, 11, 31] },
  { id: 4, priority: 'high', needs: [5] },
  { id: 5, priority: 'high' },
  { id: 6, priority: 'high', needs: [29, 7] },
  { id: 7, priority: 'high' },
  { id: 8, priority: 'high' },
  { id: 9, priority: 'high', needs: [21] },
  { id: 10, priority: 'high' },
  { id: 11, priority: 'high' },
  { id: 12, priority: 'critical', needs: [2] },
  { id: 21, priority: 'medium' },
  { id: 22, priority: 'low' },
  { id: 23, priority: 'medium' },
  { id: 24, priority: 'low', needs: [22] },
  { id: 25, priority: 'low' },
  { id: 26, priority: 'medium' },
  { id: 27, priority: 'medium', needs: [29] },
  { id: 28, priority: 'low' },
  { id: 29, priority: 'medium' },
  { id: 30, priority: 'low' },
  { id: 31, priority: 'low', needs: [30] },
  { id: 32, priority: 'medium', needs: [26] },
];

const inFirstBlock = (id: TaskId): TaskId => id % BLOCK;

function composeRows(): readonly Row[] {
  const blocks = Array.from({ length: Math.floor(SIZE.rows / FIRST_BLOCK.length) }, (_, block) => block);
  const rows = blocks.flatMap((block) =>
    FIRST_BLOCK.map(({ id, priority, repeat = '', needs = [] }) => {
      const ofBlocks = id === REPEATING ? blocks : [block];
      return {
        ...{ id: shift(id, block), priority, repeat },
        dependencies: ofBlocks.flatMap((one) => needs.map((needed) => shift(needed, one))).join('|'),
        repeat_interval: repeat === 'yes' ? `${String(SIZE.repeatMinutes)}m` : '',
      };
    }),
  );
  const free = FIRST_BLOCK.filter(({ id, needs }) => needs === undefined && !isFast(id));
  const more = free.map(({ id, priority }) => ({ id: shift(id, blocks.length), priority }));
  return [...rows, ...more.slice(0, SIZE.rows - rows.length)];
}

const shift = (id: TaskId, block: number): TaskId => block * BLOCK + id;
const isFast = (id: TaskId): boolean => inFirstBlock(id) <= 20;
const ROWS = composeRows();

const POOLS = [
  'pools:',
  '  fast: { priorities: [critical, high] }',
  '  slow: { priorities: [medium, low] }',
] as const;

const ENV = {
  CLAUDE_QUEUE_MAX_RUNNING: '2',
  CLAUDE_QUEUE_MAX_PER_HOUR: '1000',
  CLAUDE_QUEUE_MAX_PER_DAY: '1000',
  CLAUDE_QUEUE_BREAKER_FAILURES: '0',
  CLAUDE_QUEUE_RETRY_BACKOFF: '1s',
  CLAUDE_QUEUE_RETRY_JITTER: '0',
};

const isFailing = (id: TaskId): boolean => FAILING.includes(inFirstBlock(id));
const isRefused = (id: TaskId): boolean => inFirstBlock(id) === REFUSED;

const outcomeOf = (id: TaskId): Outcome => (isFailing(id) ? 'error' : isRefused(id) ? 'review' : 'success');

const promptOf = (id: TaskId): string => `Do number <${String(id)}>`;

/** Ten attempts of each row, one after another. Each uses its part of a 5-hour window. */
function pastOf(powers: ReadonlyMap<TaskId, string>, now: number): readonly Attempt[] {
  const share = REQUESTS / WINDOW.requests;
  const perWindow = Math.floor(1 / share);
  return ROWS.flatMap(({ id }) => Array.from({ length: 10 }, (_, index) => ({ id, number: index + 1 }))).map(
    ({ id, number }, index) => {
      const startedAt = now - 2_000 * HOUR + index * HOUR;
      const [window, used] = [Math.floor(index / perWindow), index % perWindow];
      const resetAt = now - 2_000 * HOUR + (window + 1) * perWindow * HOUR;
      return attempt({
        ...{ id, number, startedAt, endedAt: startedAt + ATTEMPT_MS, power: powers.get(id) ?? '' },
        ...{ outcome: outcomeOf(id), reason: 'done' },
        usage: [{ window: 'five_hour', utilization: (used + 1) * share, resetAt }],
      });
    },
  );
}

class Night {
  private readonly context: QueueContext;

  constructor(private readonly queue: QueueFolder) {
    const host = createEditorHost(queue.env, queue.folder, (message) => {
      throw new Error(message);
    });
    this.context = new QueueContext({ queue: queue.file }, host);
  }

  /** Writes the rows, with a history that says how each ends. */
  async prepare(): Promise<void> {
    this.queue.writeRules(...POOLS);
    for (const { id } of ROWS) mkdirSync(join(this.queue.folder, `part${String(id)}`));
    await this.queue.trust(
      ROWS.map((row) => ({
        ...row,
        prompt: promptOf(row.id),
        working_dir: `part${String(row.id)}`,
        max_retries: 2,
        verify: isFailing(row.id) ? '["false"]' : '',
      })),
    );
    const powers = await this.context.withQueue(async (queue) => {
      const { snapshot } = await peekViewModel(this.context, queue);
      return new Map(snapshot.tasks.map(({ definition, state }) => [definition.id, state.power]));
    });
    await recordHistory(this.queue, pastOf(powers, Date.now()));
  }

  async forecast(): Promise<Forecast> {
    const { settings } = await this.context.configure();
    const options = {
      workers: workersOf(settings),
      windowMs: { five_hour: WINDOW.ms, seven_day: 7 * 24 * HOUR },
      until: Date.now() + SIZE.simulatedMs,
      nights: 3,
    };
    return this.context.withQueue((queue) => simulate(this.context, queue, options));
  }

  /** Runs the workers until as many attempts have ended as expected, and no more are running. */
  async run(since: number, expected: ReadonlyMap<TaskId, number>): Promise<readonly Attempt[]> {
    for (const pool of ['fast', 'slow']) this.queue.start(`work --pool ${pool}`);
    const isOver = async (): Promise<boolean> => {
      const ended = countById(await this.attempts(since));
      return [...expected].every(([id, count]) => (ended.get(id) ?? 0) >= count);
    };
    // On a quiet machine a night takes more than two minutes: until the task that repeats is due again.
    await until('every expected attempt has ended', isOver, SIZE.patienceMs);
    return this.attempts(since);
  }

  async countRunning(): Promise<number> {
    const { workers } = await this.queue.status();
    return workers.reduce((sum, { running }) => sum + running.length, 0);
  }

  private attempts(since: number): Promise<readonly Attempt[]> {
    return this.context.withQueue((queue) => queue.attempts({ since }));
  }
}

function countById(attempts: readonly Attempt[]): Map<TaskId, number> {
  const counts = new Map<TaskId, number>();
  for (const { id } of attempts) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/** Tasks in the order of their first starts. */
function orderOf(attempts: readonly Attempt[]): readonly TaskId[] {
  const sorted = attempts.toSorted((one, other) => one.startedAt - other.startedAt);
  return [...new Set(sorted.map(({ id }) => id))];
}

describe('A forecast of a night with three limits', () => {
  it('agrees with the night: the order of starts in each pool, and the attempts of each task', async () => {
    const refused = ROWS.map(({ id }) => id)
      .filter(isRefused)
      .map(promptOf);
    const account = new PacedAccount(
      WINDOW,
      (turn) =>
        refused.some((prompt) => isAbout(turn, prompt))
          ? tool('Bash', { command: 'python3 -c pass', description: 'x' })
          : null,
      () => night.countRunning(),
    );
    const place = await openPlace({ respond: account.respond, env: ENV });
    const night = new Night(place.queue);
    await night.prepare();
    const asked = Date.now();
    const { tasks, order } = await night.forecast();
    const expected = new Map(tasks.map(({ id, attempts }) => [id, attempts]));
    const from = Date.now();
    const real = await night.run(from, expected);
    const counts = countById(real);
    for (const belongs of [isFast, (id: TaskId) => !isFast(id)])
      assert.deepEqual(order.filter(belongs), orderOf(real).filter(belongs));
    assert.deepEqual(
      tasks.map(({ id, attempts }) => [id, attempts]),
      tasks.map(({ id }) => [id, counts.get(id) ?? 0]),
    );
    assert.equal(account.limits, 3);
    const { length: never } = ROWS.filter(({ id }) => NEVER.includes(inFirstBlock(id)));
    assert.equal(order.length, ROWS.length - never);
    const [simulated, ran] = [from - asked, Date.now() - from].map(
      (ms) => `${String(Math.round(ms / 1000))} s`,
    );
    report(
      `a forecast of ${String(ROWS.length)} tasks, made in ${simulated ?? ''}, held in a night of ${ran ?? ''}`,
    );
  }).timeout(2 * SIZE.patienceMs);
});
