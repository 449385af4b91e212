import type { ProcessIdentity } from '../../src/domain/task/processIdentity';
import type { Definition, SharedCells, TaskId } from '../../src/domain/task/task';
import type { Clock } from '../../src/platform/clock';
import type { Machine, TaskQueue } from '../../src/queue/taskQueue';

/** A queue under test, with what its rows' owner can do to it outside of the port. */
export interface SystemUnderTest {
  readonly queue: TaskQueue;
  /** Another opening of the same queue, as a second process has it. */
  another(): Promise<TaskQueue>;
  /** The owner writes a row; of the shared cells only those in `touched`. Gives what really changed of them. */
  put(definition: Definition, touched?: Partial<SharedCells>): Promise<Partial<SharedCells>>;
  /** The owner deletes a row. */
  remove(id: TaskId): Promise<void>;
  close(): Promise<void>;
}

export type OpenSystemUnderTest = (clock: Clock, machine: Machine) => Promise<SystemUnderTest>;

/** Time that is frozen until the test lets it continue. */
export class TestClock implements Clock {
  private ms = Date.parse('2026-03-02T10:00:00Z');

  now(): number {
    return this.ms;
  }

  advance(ms: number): void {
    this.ms += ms;
  }

  sleep(): Promise<void> {
    return Promise.resolve();
  }
}

/** A machine on which the test decides who lives. */
export class TestMachine implements Machine {
  readonly id = 'here';
  private readonly dead = new Set<number>();

  isAlive({ pid }: ProcessIdentity): boolean {
    return !this.dead.has(pid);
  }

  kill(pid: number): void {
    this.dead.add(pid);
  }
}
