import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Host } from '../../../src/app/context/host';
import { QueueContext } from '../../../src/app/context/queueContext';
import { peekViewModel, type QueueViewModel } from '../../../src/app/viewModel/queueViewModel';
import { systemClock } from '../../../src/platform/clock';
import { systemProcesses } from '../../../src/platform/processes/processes';
import type { TaskQueue } from '../../../src/queue/taskQueue';
import { startRedis } from '../redis/redisServer';
import { composeCsv, type RowCells } from './rows';

/** An empty queue with everything that belongs to it, of a made-up user. */
export interface OpenContext {
  readonly queueContext: QueueContext;
  readonly queue: TaskQueue;
  /** Folder of the user. */
  readonly folder: string;
  /** The queue file. */
  readonly file: string;
  look(): Promise<QueueViewModel>;
  close(): Promise<void>;
}

/** Runs the same tests with a queue in a file and with one in Redis. `context` returns a queue that is new in each test. */
export function describeOnEachStore(title: string, define: (context: () => OpenContext) => void): void {
  describe(`${title}, in a file`, () => {
    defineWith(() => Promise.resolve(undefined), define);
  });
  describe(`${title}, in Redis`, () => {
    let redis: Awaited<ReturnType<typeof startRedis>>;
    before(async () => {
      redis = await startRedis();
    });
    after(() => redis.stop());
    defineWith(() => Promise.resolve(`${redis.url}/0?queue=${randomUUID()}`), define);
  });
}

function defineWith(
  address: () => Promise<string | undefined>,
  define: (context: () => OpenContext) => void,
): void {
  let context: OpenContext;
  beforeEach(async () => {
    const redis = await address();
    context = await openContext({ readOnly: true, ...(redis === undefined ? {} : { redis }) });
  });
  afterEach(() => context.close());
  define(() => context);
}

/** Opens a queue with these rows, in a file unless the address of a Redis is given. */
export async function openContext(
  options: { readonly rows?: readonly RowCells[]; readonly redis?: string; readonly readOnly?: boolean } = {},
): Promise<OpenContext> {
  const { rows = [], ...place } = options;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'context-')));
  const file = join(folder, 'claude_queue', 'prompts.csv');
  mkdirSync(join(folder, 'claude_queue'));
  writeFileSync(file, composeCsv(rows));
  // Long enough ago that nobody waits for the rest of it.
  utimesSync(file, 0, 0);
  const host: Host = {
    env: { HOME: folder, XDG_STATE_HOME: join(folder, 'user'), PATH: join(folder, 'empty') },
    cwd: folder,
    clock: systemClock,
    random: () => 0.5,
    createId: randomUUID,
    // These tests may themselves run inside an attempt.
    processes: { ...systemProcesses, isInsideAttempt: () => false, ancestors: () => [] },
    timeZone: 'UTC',
    warn: (message) => assert.fail(message),
  };
  const queueContext = new QueueContext({ queue: file, ...place }, host);
  const queue = await queueContext.openQueue();
  return {
    queueContext,
    queue,
    folder,
    file,
    look: () => peekViewModel(queueContext, queue),
    close: async () => {
      await queue.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
