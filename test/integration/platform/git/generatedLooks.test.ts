import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { createDiffMeasure } from '../../../../src/platform/git/changeMeasure';
import { KeptTrees } from '../../../../src/platform/git/keptTrees';
import type { FileVersion } from '../../../../src/platform/git/treeDiff';
import { fuzzed, randomFrom } from '../../../support/fuzz';
import { GitRepository } from '../../../support/machine/gitRepository';

const NEVER = new AbortController().signal;
const environment = { PATH: process.env['PATH'], HOME: '/nonexistent' };
const NAMES = ['a', 'b', 'c/a', 'c/b', 'c/d/a', 'd', 'd/a', 'e'];
const TEXTS = ['1\n', '2\n', '1\r\n', '22\n', ''];
const LOOKS_EACH = 6;

/** All files and links below a folder with their contents, but not those of git. */
function readFiles(folder: string, inside = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of fs.readdirSync(path.join(folder, inside), { withFileTypes: true })) {
    const name = path.join(inside, entry.name);
    if (name === '.git') continue;
    if (entry.isDirectory()) for (const [each, text] of readFiles(folder, name)) found.set(each, text);
    else if (entry.isSymbolicLink()) found.set(name, `link ${fs.readlinkSync(path.join(folder, name))}`);
    else found.set(name, fs.readFileSync(path.join(folder, name), 'latin1'));
  }
  return found;
}

/** Makes changes by chance, as an attempt would. */
class Changes {
  constructor(
    private readonly repository: GitRepository,
    private readonly random: () => number,
  ) {}

  make(): void {
    for (let left = Math.floor(this.random() * 4); left > 0; left--) this.pick(this.moves)();
  }

  private readonly moves: readonly (() => void)[] = [
    () => this.write(this.pick(NAMES), this.pick(TEXTS)),
    () => this.write(this.pick(NAMES), this.pick(TEXTS)),
    () => this.remove(this.pick(NAMES)),
    () => this.link(this.pick(NAMES)),
    () => this.touch(this.pick(NAMES)),
    () => this.repository.git('add', '-A'),
    () => this.repository.git('commit', '-qam', 'next', '--allow-empty'),
    () => this.repository.git('reset', '-q', '--hard'),
    () => this.repository.git('read-tree', 'HEAD'),
  ];

  private pick<Item>(items: readonly Item[]): Item {
    const item = items[Math.floor(this.random() * items.length)];
    assert.ok(item !== undefined);
    return item;
  }

  private place(name: string): string {
    return path.join(this.repository.folder, name);
  }

  /** Whether all folders above a name are folders, and no links. */
  private isReachable(name: string): boolean {
    const above = path.dirname(name);
    if (above === '.') return true;
    return this.isReachable(above) && this.find(above)?.isDirectory() === true;
  }

  private find(name: string): fs.Stats | undefined {
    return fs.lstatSync(this.place(name), { throwIfNoEntry: false });
  }

  /** Makes room for a file: what is there, or in the place of a folder above it, goes. */
  private clear(name: string): void {
    const above = path.dirname(name);
    if (above !== '.' && !(this.isReachable(above) && this.find(above)?.isDirectory() === true)) {
      this.clear(above);
      fs.mkdirSync(this.place(above));
    }
    fs.rmSync(this.place(name), { recursive: true, force: true });
  }

  private write(name: string, text: string): void {
    // In place where it can be, so that all but the times may stay the same.
    if (!this.isReachable(name) || this.find(name)?.isFile() !== true) this.clear(name);
    fs.writeFileSync(this.place(name), text);
  }

  private link(name: string): void {
    this.clear(name);
    fs.symlinkSync('c', this.place(name));
  }

  private remove(name: string): void {
    if (this.isReachable(name)) fs.rmSync(this.place(name), { recursive: true, force: true });
  }

  private touch(name: string): void {
    if (this.isReachable(name) && this.find(name)?.isFile() === true)
      fs.utimesSync(this.place(name), 1_000, 1_000);
  }
}

describe('Looks that follow each other, with changes by chance', () => {
  let folder: string;
  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'looks-')));
  });
  afterEach(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const { numRuns, seed } = fuzzed(4, 100);
  for (let run = 0; run < numRuns; run++)
    it(`give the contents before and after (FUZZ_SEED=${String(seed + run)})`, async () => {
      const random = randomFrom(seed + run);
      fs.mkdirSync(path.join(folder, 'repo'));
      const repository = GitRepository.init(path.join(folder, 'repo'));
      if (random() < 0.5) fs.writeFileSync(path.join(repository.folder, '.gitattributes'), '* text=auto\n');
      for (const name of ['a', 'c/a', 'd']) {
        fs.mkdirSync(path.dirname(path.join(repository.folder, name)), { recursive: true });
        fs.writeFileSync(path.join(repository.folder, name), '1\n');
      }
      for (const [name, value] of Object.entries({ 'user.name': 'n', 'core.safecrlf': 'false' }))
        repository.git('config', name, value);
      repository.commitAll('first');
      const trees = new KeptTrees(path.join(folder, 'trees'), environment);
      const measureDiff = createDiffMeasure({ environment, except: [], longestMs: 3_600_000 });
      const changes = new Changes(repository, random);
      for (let part = 0; part < 2; part++) {
        changes.make();
        const measure = await measureDiff(repository.folder, NEVER);
        for (let look = 0; look < LOOKS_EACH; look++) {
          const before = readFiles(repository.folder);
          changes.make();
          const change = await measure.end();
          assert.ok(change);
          const attempt = { id: part + 1, number: look + 1, startedAt: 1 };
          await trees.keep(attempt, change, NEVER);
          assert.deepEqual(await contents(trees, attempt), differences(before, readFiles(repository.folder)));
        }
        measure.drop();
      }
    });
});

type Contents = Record<string, readonly (string | null)[]>;

function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): Contents {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const pairs = names.map((name) => [name, [before.get(name) ?? null, after.get(name) ?? null]] as const);
  return Object.fromEntries(pairs.filter(([, [was, is]]) => was !== is));
}

async function contents(
  trees: KeptTrees,
  attempt: { readonly id: number; readonly number: number; readonly startedAt: number },
): Promise<Contents> {
  const kept = await trees.find(attempt);
  if (kept === null) return {};
  const read = async (version: FileVersion | null): Promise<string | null> => {
    if (version === null) return null;
    const text = (await trees.read(kept.format, version, NEVER)).toString('latin1');
    return version.kind === 'link' ? `link ${text}` : text;
  };
  const found: Record<string, (string | null)[]> = {};
  for (const { path: name, before, after } of await trees.diffOf(kept).list(NEVER))
    found[name] = [await read(before), await read(after)];
  return found;
}
