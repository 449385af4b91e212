import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { isProblem } from '../../src/domain/problem';
import { type Fate, meddleWithDisk } from '../faults/faultyFs';
import { fuzzed, randomFrom, report, seed } from '../support/fuzz';
import { lookAt, UndoWorld } from '../support/undo/undoWorld';

const NAMES = ['a', 'b', 'c/a', 'c/b', 'c/d/a', 'd', 'd/a', 'e', 'caf\u00e9 \u2028/x'];
const TEXTS = ['1\n', '2\n', '1\r\n', '22\n', '', '\u0000\n'];
const STEPS_EACH = 7;
const TASKS = 3;

type Files = ReadonlyMap<string, string>;

/** An attempt, by full looks at the repository before and after it. */
interface Lived {
  readonly id: number;
  readonly isSuccess: boolean;
  readonly before: Files;
  readonly after: Files;
  isUndone: boolean;
}

/** One history, played on the program and on a plain model of what undo should do. */
class History {
  readonly counts = { undone: 0, refused: 0, crashed: 0 };
  private readonly world: UndoWorld;
  private readonly lived: Lived[] = [];

  constructor(
    folder: string,
    private readonly random: () => number,
  ) {
    this.world = UndoWorld.create(folder);
  }

  async play(): Promise<void> {
    this.change(4);
    fs.writeFileSync(path.join(this.world.top, 'base'), 'base\n');
    this.world.repository.commitAll('first');
    fs.writeFileSync(path.join(this.world.top, 'ignored'), 'ignored\n');
    for (let step = 0; step < STEPS_EACH; step++) {
      const roll = this.random();
      if (roll < 0.2) this.edit();
      else if (roll < 0.6 || this.lived.length === 0) await this.attempt();
      else await this.undo(1 + Math.floor(this.random() * TASKS));
    }
  }

  private look(): Files {
    const files = lookAt(this.world.top);
    return new Map([...files].filter(([name]) => !name.startsWith('.git/')));
  }

  private pick<T>(all: readonly T[]): T {
    return all[Math.floor(this.random() * all.length)] as T;
  }

  /** The user changes files, and may stage or commit them. */
  private edit(): void {
    this.change(2);
    const { repository } = this.world;
    const roll = this.random();
    if (roll < 0.3) repository.git('add', '-A');
    else if (roll < 0.4 && repository.git('status', '--porcelain') !== '') repository.commitAll('more');
  }

  private async attempt(): Promise<void> {
    const id = 1 + Math.floor(this.random() * TASKS);
    const before = this.look();
    const isSuccess = this.random() < 0.5;
    await this.world.attempt(id, isSuccess ? 'success' : 'error', () => {
      this.change(3);
    });
    this.lived.push({ id, isSuccess, before, after: this.look(), isUndone: false });
  }

  private change(most: number): void {
    for (let left = Math.floor(this.random() * (most + 1)); left > 0; left--) {
      const name = this.pick(NAMES);
      const roll = this.random();
      if (roll < 0.25) this.remove(name);
      else if (roll < 0.35) this.makeProgram(name);
      else this.write(name, roll < 0.45);
    }
  }

  private write(name: string, isLink: boolean): void {
    const file = path.join(this.world.top, name);
    for (let above = path.dirname(name); above !== '.'; above = path.dirname(above))
      if (lstat(path.join(this.world.top, above))?.isDirectory() === false) this.remove(above);
    if (lstat(file)?.isFile() !== true || isLink) fs.rmSync(file, { recursive: true, force: true });
    fs.mkdirSync(path.dirname(file), { recursive: true });
    if (isLink) fs.symlinkSync(this.pick(NAMES), file);
    else fs.writeFileSync(file, this.pick(TEXTS));
  }

  /** Removes a file, and the folders that have nothing else. */
  private remove(name: string): void {
    const { top } = this.world;
    if (lstat(path.join(top, name)) === undefined) return;
    fs.rmSync(path.join(top, name), { recursive: true, force: true });
    for (let above = path.dirname(name); above !== '.'; above = path.dirname(above)) {
      const folder = path.join(top, above);
      if (lstat(folder)?.isDirectory() === true && fs.readdirSync(folder).length === 0) fs.rmdirSync(folder);
    }
  }

  private makeProgram(name: string): void {
    const file = path.join(this.world.top, name);
    if (lstat(file)?.isFile() === true) fs.chmodSync(file, this.random() < 0.5 ? 0o755 : 0o600);
  }

  private async undo(id: number): Promise<void> {
    const meant = this.findMeant(id);
    const before = this.look();
    const git = lookAt(path.join(this.world.top, '.git'));
    const expected = meant === null ? null : expect(meant, before);
    const crashes = this.random() < 0.5;
    const isDone = crashes ? await this.crash(id) : await this.call(id, expected, meant !== null);
    const after = this.look();
    assert.deepEqual(lookAt(path.join(this.world.top, '.git')), git);
    assert.deepEqual(this.world.leftover(), []);
    assert.equal(isDone && expected !== null, isDone, 'Undone where a file has changed since.');
    if (isDone && expected !== null) assertRestored(after, expected, before);
    else assert.deepEqual(after, before);
    if (meant !== null && expected === null) this.counts.refused += 1;
    if (isDone) {
      this.counts.undone += 1;
      for (const one of meant ?? []) one.isUndone = true;
    }
  }

  /** Undoes, and returns whether it was done. */
  private async call(id: number, expected: Files | null, isKnown: boolean): Promise<boolean> {
    try {
      const { overlaps } = await this.world.undo(id);
      assert.equal(overlaps.length === 0, expected !== null, `Overlaps: ${overlaps.join(', ')}`);
      return overlaps.length === 0;
    } catch (error) {
      if (!isProblem(error)) throw error;
      assert.equal(isKnown, false, error.message);
      return false;
    }
  }

  /** Lets the process die at some change of the disk; the next one settles it. Returns whether it was done. */
  private async crash(id: number): Promise<boolean> {
    const { world } = this;
    const countUndone = (): number => world.attempts().filter((each) => each.undoneAt !== undefined).length;
    const undone = countUndone();
    let left = Math.floor(this.random() * 60);
    const die: Fate = {
      half: false,
      then: () => {
        throw new Error('The process is dead.');
      },
    };
    const restore = await meddleWithDisk(() => (left-- > 0 ? null : die));
    try {
      await world.undo(id);
    } catch {
      if (left < 0) this.counts.crashed += 1;
    } finally {
      restore();
    }
    world.isAlive = false;
    await world.settle();
    world.isAlive = true;
    return countUndone() > undone;
  }

  /** Attempts that are undone with this task; null: nothing can be undone. */
  private findMeant(id: number): Lived[] | null {
    const own = this.lived.filter((each) => each.id === id);
    if (own.at(-1)?.isUndone !== false) return null;
    const start = own.findLastIndex(
      ({ isSuccess, isUndone }, index) => index < own.length - 1 && (isSuccess || isUndone),
    );
    const meant = own.slice(start + 1);
    return meant.some((one) => changesOf(one).size > 0) ? meant : null;
  }
}

function lstat(file: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

const withoutFolders = (files: Files): Map<string, string> =>
  new Map([...files].filter(([name]) => !name.endsWith('/')));

/** Git knows of the permissions only whether the owner may run the file. */
function gitSees(text: string | undefined): string | undefined {
  return text?.replace(/^(\d+) /, (mode) => (Number(mode[0]) % 2 === 1 ? 'program ' : 'file '));
}

/** Files that were not to be restored must be the same to the last permission. */
function assertRestored(after: Files, expected: Files, before: Files): void {
  const seen = [...withoutFolders(after)].map(([name, text]) => {
    const isMeant = before.get(name) !== expected.get(name);
    return [name, isMeant ? gitSees(text) : text] as const;
  });
  const wanted = [...expected].map(([name, text]) => {
    return [name, before.get(name) === text ? text : gitSees(text)] as const;
  });
  assert.deepEqual(new Map(seen.sort()), new Map(wanted.sort()));
}

function changesOf({ before, after }: Lived): Set<string> {
  const names = [...withoutFolders(before).keys(), ...withoutFolders(after).keys()];
  return new Set(names.filter((name) => gitSees(before.get(name)) !== gitSees(after.get(name))));
}

/** Files as they must be after an undo; null: it must be refused. */
function expect(meant: readonly Lived[], now: Files): Map<string, string> | null {
  const files = withoutFolders(now);
  for (const name of new Set(meant.flatMap((one) => [...changesOf(one)]))) {
    const touching = meant.filter((one) => changesOf(one).has(name));
    const isChained = touching.every(
      (one, index) =>
        index === 0 || gitSees(touching[index - 1]?.after.get(name)) === gitSees(one.before.get(name)),
    );
    if (!isChained) return null;
    const [was, is] = [touching[0]?.before.get(name), touching.at(-1)?.after.get(name)];
    if (gitSees(was) === gitSees(is)) continue;
    if (gitSees(now.get(name)) !== gitSees(is)) return null;
    if (was === undefined) files.delete(name);
    else files.set(name, was);
  }
  const names = [...files.keys()];
  return names.some((name) => names.some((other) => other.startsWith(`${name}/`))) ? null : files;
}

describe('Undo in histories by chance', () => {
  const { numRuns } = fuzzed(8, 1000);

  it('restores every byte or changes nothing, whenever the process dies', async function () {
    this.timeout(numRuns * 20_000);
    const sum = { undone: 0, refused: 0, crashed: 0 };
    const hasAll = (): boolean => Math.min(...Object.values(sum)) > 0;
    let run = 0;
    // One history in ten has a refusal: a few more are played where the first ones have none.
    for (; run < numRuns || (!hasAll() && run < 10 * numRuns); run++) {
      const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'undo-history-')));
      try {
        const history = new History(folder, randomFrom(seed * 7919 + run * 104_729));
        await history.play();
        for (const key of ['undone', 'refused', 'crashed'] as const) sum[key] += history.counts[key];
      } catch (error) {
        throw new Error(`History ${String(run)} of seed ${String(seed)}`, { cause: error });
      } finally {
        fs.rmSync(folder, { recursive: true, force: true });
      }
    }
    assert.ok(hasAll(), JSON.stringify(sum));
    report(`${String(run)} histories with undos: ${JSON.stringify(sum)}`);
  });
});
