import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { isLong, report } from '../support/fuzz';
import { lookAt, UndoWorld } from '../support/undo/undoWorld';
import { startUndoChild } from './program';
import type { UndoOrders } from './undoChild';

/** In `npm test` every N changes; in the long form all. */
const STRIDE = isLong ? 1 : 5;

/** No undo of a few files makes more changes to the disk. */
const MOST_CALLS = 500;

describe('An undo after kill -9', () => {
  let folder: string;

  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'undo-killed-')));
  });
  afterEach(() => {
    fs.rmSync(folder, { recursive: true });
  });

  /** A repository in which task 1 did a bit of everything. */
  async function prepare(): Promise<UndoWorld> {
    const world = UndoWorld.create(folder);
    const at = (name: string): string => path.join(world.top, name);
    fs.mkdirSync(at('old'));
    for (const name of ['changed', 'gone', 'old/a', 'program']) fs.writeFileSync(at(name), `${name}\n`);
    fs.symlinkSync('changed', at('link'));
    world.repository.commitAll('first');
    fs.writeFileSync(at('changed'), 'not committed\n');
    fs.writeFileSync(at('mine'), 'mine\n');
    await world.attempt(1, 'success', () => {
      fs.writeFileSync(at('changed'), 'by the task\n');
      fs.rmSync(at('gone'));
      fs.chmodSync(at('program'), 0o755);
      fs.rmSync(at('old'), { recursive: true });
      fs.writeFileSync(at('old'), 'a file now\n');
      fs.rmSync(at('link'));
      fs.mkdirSync(at('new/deep'), { recursive: true });
      fs.writeFileSync(at('new/deep/file'), 'new\n');
    });
    return world;
  }

  for (const act of ['kill', 'half'] as const) {
    it(`is as a whole or not at all, at each ${act === 'half' ? 'half write' : 'change of the disk'}`, async () => {
      const before = await prepare();
      const done = lookAt(before.top);
      const history = fs.readFileSync(path.join(folder, 'history.json'));
      const copy = path.join(folder, 'copy');
      fs.cpSync(before.top, copy, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
      let undone: Map<string, string> | null = null;
      const counts = { whole: 0, none: 0 };
      for (let at = 1; at < MOST_CALLS; at += STRIDE) {
        const orders: UndoOrders = { folder, at, act };
        const { stdout, stderr, signal } = await startUndoChild(orders).ended;
        const where = `Killed at change ${String(at)} (${act}): ${stdout}${stderr}`;
        const isThrough = /^through$/m.test(stdout);
        assert.ok(isThrough || signal === 'SIGKILL', where);
        const world = new UndoWorld(folder);
        world.isAlive = false;
        await world.settle();
        assert.deepEqual(world.leftover(), [], where);
        const isDone = world.attempts().some(({ undoneAt }) => undoneAt !== undefined);
        const files = lookAt(world.top);
        if (!isDone) assert.deepEqual(files, done, where);
        else if (undone === null) undone = files;
        else assert.deepEqual(files, undone, where);
        counts[isDone ? 'whole' : 'none'] += 1;
        if (isThrough) break;
        if (!isDone) continue;
        fs.writeFileSync(path.join(folder, 'history.json'), history);
        fs.rmSync(world.top, { recursive: true });
        fs.cpSync(copy, world.top, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
      }
      assert.ok(undone !== null);
      assert.equal(undone.get('changed'), '644 not committed\n');
      assert.equal(undone.get('link'), 'link changed');
      assert.equal(undone.get('old/a'), '600 old/a\n');
      assert.equal(undone.has('new/'), false);
      assert.ok(act === 'half' || counts.none > 5, JSON.stringify(counts));
      report(`undo killed: ${JSON.stringify(counts)}`);
    });
  }
});
