import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

type Anything = (this: unknown, ...args: unknown[]) => unknown;
type Functions = Record<string, Anything>;

const OF_PROMISES = ['open', 'link', 'rename', 'rm'];
const OF_HANDLES = ['write', 'sync', 'datasync'];

/**
 * Lets one change of the disk wait, and with it anyone who makes it, while the rest of the process continues: as if a
 * process was frozen there. One that is never let go was killed. What is written at once is met at its way to the disk.
 */
export class Freeze {
  /** Resolves when it is reached. */
  readonly reached: Promise<void>;
  private reach: () => void = () => undefined;
  private release: () => void = () => undefined;
  private calls = 0;
  private readonly restore: (() => void)[] = [];

  /**
   * @param at the number of the change, from 1
   * @param cutsWrites only writes are counted, and half of this one is done
   */
  private constructor(
    private readonly at: number,
    private readonly cutsWrites: boolean,
  ) {
    this.reached = new Promise((resolve) => {
      this.reach = resolve;
    });
  }

  static async begin(at: number, cutsWrites: boolean): Promise<Freeze> {
    const freeze = new Freeze(at, cutsWrites);
    const handle = await open('/dev/null', 'r');
    const handles = Object.getPrototypeOf(handle) as Functions;
    await handle.close();
    for (const name of OF_HANDLES) freeze.replace(handles, name);
    const promises = process.getBuiltinModule('node:fs/promises') as unknown as Functions;
    for (const name of OF_PROMISES) freeze.replace(promises, name);
    return freeze;
  }

  letGo(): void {
    this.release();
  }

  end(): void {
    for (const undo of this.restore) undo();
  }

  private replace(owner: Functions, name: string): void {
    const original = owner[name];
    if (original === undefined) throw new Error(`There is no ${name}.`);
    const meet = (half: () => unknown): Promise<void> => this.meet(name, half);
    owner[name] = async function frozen(this: unknown, ...args) {
      const [bytes, start, length, position] = args as [Buffer, number, number, number | null];
      const half = (): unknown => original.call(this, bytes, start, Math.ceil(length / 2), position);
      if (name !== 'open' || !isForReading(args[1])) await meet(half);
      return original.apply(this, args);
    };
    this.restore.push(() => {
      owner[name] = original;
    });
  }

  private async meet(name: string, half: () => unknown): Promise<void> {
    if (this.cutsWrites && name !== 'write') return;
    this.calls += 1;
    if (this.calls !== this.at) return;
    if (this.cutsWrites) await half();
    const released = new Promise<void>((resolve) => {
      this.release = resolve;
    });
    this.reach();
    await released;
  }
}

function isForReading(flags: unknown): boolean {
  return flags === 'r' || flags === constants.O_RDONLY;
}
