import { randomUUID } from 'node:crypto';
import type { Definition, SharedCells, TaskId } from '../../src/domain/task/task';
import type { Clock } from '../../src/platform/clock';
import { RedisQueue } from '../../src/queue/redis/redisQueue';
import { idOf, type Sheet } from '../../src/queue/redis/sheet';
import type { Machine, TaskQueue } from '../../src/queue/taskQueue';
import type { RedisServer } from '../support/redis/redisServer';
import { cellsOf, textsOf, type Cells } from './cells';
import type { SystemUnderTest } from './systemUnderTest';

/** A queue of its own in a Redis of the test. Its owner changes rows as an import does. */
export class RedisSystemUnderTest implements SystemUnderTest {
  private readonly opened: TaskQueue[] = [];
  private ops = 0;

  private constructor(
    readonly queue: TaskQueue,
    /** Handle with which the owner changes rows. */
    private readonly owner: RedisQueue,
    private readonly openMore: () => Promise<TaskQueue>,
  ) {
    this.opened.push(queue, owner);
  }

  static async open(
    redis: RedisServer,
    clock: Clock,
    machine: Machine,
    user: { readonly username?: string; readonly password?: string } = {},
  ): Promise<RedisSystemUnderTest> {
    const name = randomUUID();
    const context = { timeZone: 'UTC', folder: '/place', home: '/home/me', allowBypass: false };
    const server = { host: '127.0.0.1', port: redis.port, db: 0, ...user };
    const open = (): Promise<RedisQueue> =>
      RedisQueue.open({ server, queue: name, machine, rows: () => context, clock });
    return new RedisSystemUnderTest(await open(), await open(), open);
  }

  async another(): Promise<TaskQueue> {
    const queue = await this.openMore();
    this.opened.push(queue);
    return queue;
  }

  async put(definition: Definition, touched: Partial<SharedCells> = {}): Promise<Partial<SharedCells>> {
    const { id } = definition;
    const fields: Cells = { ...cellsOf(definition), ...textsOf(touched) };
    await this.owner.changeRows((sheet) => {
      const key = keyOf(sheet, id);
      const columns = [...new Set([...sheet.columns, ...Object.keys(fields)])];
      const before = key === undefined ? [] : (sheet.rows.find(([one]) => one === key)?.[1] ?? []);
      const texts = columns.map((column, index) => fields[column] ?? before[index] ?? '');
      return {
        changes: [
          { kind: 'columns', columns },
          { kind: 'put', key: key ?? sheet.freeKey, texts },
        ],
        touched: [[id, touched]],
      };
    }, this.op());
    return touched;
  }

  async remove(id: TaskId): Promise<void> {
    await this.owner.changeRows((sheet) => {
      const key = keyOf(sheet, id);
      return { changes: key === undefined ? [] : [{ kind: 'drop', keys: [key] }] };
    }, this.op());
  }

  async close(): Promise<void> {
    for (const queue of this.opened) await queue.close();
  }

  private op(): string {
    this.ops += 1;
    return `owner-${String(this.ops)}`;
  }
}

function keyOf(sheet: Sheet, id: TaskId): number | undefined {
  return sheet.rows.find(([, texts]) => idOf(sheet, texts) === id)?.[0];
}
