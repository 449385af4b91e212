import assert from 'node:assert/strict';
import * as syncFs from 'node:fs';
import {
  chmodSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { digest } from '../../../../../src/queue/file/journal/digest';
import {
  recoverInterruptedReplaces,
  replaceIfUnchanged,
} from '../../../../../src/queue/file/checkpoint/replaceIfUnchanged';
import { makeFolder } from '../../folder';

const OLD = Buffer.from('old\n');
const NEW = Buffer.from('new\n');
const SAVED = 'saved by the user\n';

function newFile(): string {
  const file = join(makeFolder(), 'prompts.csv');
  writeFileSync(file, OLD);
  // As a group that works on it has it: more than a umask leaves to a new file.
  chmodSync(file, 0o664);
  return file;
}

function namesBeside(file: string): string[] {
  return readdirSync(join(file, '..')).sort();
}

function saveInPlace(file: string): void {
  writeFileSync(file, SAVED);
}

function saveByRename(file: string): void {
  writeFileSync(`${file}~`, SAVED);
  renameSync(`${file}~`, file);
}

/** Calls `edit` right before the named step of a replacement, once. */
async function meddle(step: Step, edit: () => void, work: () => Promise<void>): Promise<void> {
  const owner = moduleOf(step);
  const original = owner[step.name];
  assert.ok(original !== undefined);
  let done = false;
  owner[step.name] = (...args: unknown[]) => {
    const isFirst = !done && String(args[0]).endsWith(step.of ?? '');
    done ||= isFirst;
    if (isFirst) edit();
    return original(...args);
  };
  try {
    await work();
    assert.ok(done, `${step.name} was not called`);
  } finally {
    owner[step.name] = original;
  }
}

type Functions = Record<string, (...args: unknown[]) => unknown>;

/** Node's own module, which what is under test looks its functions up in at each call. */
function moduleOf({ sync }: Step): Functions {
  const name = sync ? 'node:fs' : 'node:fs/promises';
  return process.getBuiltinModule(name) as unknown as Functions;
}

interface Step {
  readonly name: string;
  readonly sync: boolean;
  /** Only a call for a file whose name ends so. */
  readonly of?: string;
}

describe('A replacement of the queue file', () => {
  it('writes the new bytes, keeps the mode, and leaves nothing behind', async () => {
    const file = newFile();
    assert.equal(await replaceIfUnchanged(file, NEW, OLD), true);
    assert.equal(readFileSync(file, 'utf8'), 'new\n');
    assert.equal(statSync(file).mode & 0o777, 0o664);
    assert.deepEqual(namesBeside(file), ['prompts.csv']);
  });

  it('has the old file on the disk before it is replaced, since a power cut may leave it as the backup', async () => {
    const file = newFile();
    const synced: string[] = [];
    const owner = moduleOf({ name: 'open', sync: false });
    const original = owner['open'];
    assert.ok(original !== undefined);
    owner['open'] = async (...args: unknown[]) => {
      const handle = (await original(...args)) as FileHandle;
      const sync = handle.sync.bind(handle);
      handle.sync = async () => {
        if (args[0] === file) synced.push(readFileSync(file, 'utf8'));
        await sync();
      };
      return handle;
    };
    try {
      assert.equal(await replaceIfUnchanged(file, NEW, OLD), true);
    } finally {
      owner['open'] = original;
    }
    assert.deepEqual(synced, ['old\n']);
  });

  const saves = [
    ['in place', saveInPlace],
    ['by rename', saveByRename],
  ] as const;
  const steps: readonly (readonly [string, Step])[] = [
    ['before it begins', { name: 'stat', sync: false }],
    ['while the new file is written', { name: 'open', sync: false }],
    ['right before the old file is kept', { name: 'linkSync', sync: true }],
    ['right after the old file was kept', { name: 'statSync', sync: true }],
  ];
  for (const [how, save] of saves) {
    for (const [when, step] of steps) {
      it(`keeps a save of the user ${how} ${when}`, async () => {
        const file = newFile();
        await meddle(
          step,
          () => save(file),
          async () => {
            assert.equal(await replaceIfUnchanged(file, NEW, OLD), false);
          },
        );
        assert.equal(readFileSync(file, 'utf8'), SAVED);
        assert.deepEqual(namesBeside(file), ['prompts.csv']);
      });
    }
  }

  it('keeps a save in place between the check and the rename', async () => {
    const file = newFile();
    await meddle(
      { name: 'renameSync', sync: true },
      () => saveInPlace(file),
      async () => {
        assert.equal(await replaceIfUnchanged(file, NEW, OLD), false);
      },
    );
    assert.equal(readFileSync(file, 'utf8'), SAVED);
  });

  it('keeps a save of a script that read the file right before the rename', async () => {
    const file = newFile();
    const saveBoth = (): void => {
      saveInPlace(file);
      setImmediate(() => {
        writeFileSync(file, `${readFileSync(file, 'utf8')}and by a script\n`);
      });
    };
    await meddle({ name: 'renameSync', sync: true }, saveBoth, async () => {
      assert.equal(await replaceIfUnchanged(file, NEW, OLD), false);
    });
    assert.equal(readFileSync(file, 'utf8'), `${SAVED}and by a script\n`);
    assert.deepEqual(namesBeside(file), ['prompts.csv']);
  });

  it('keeps text that an editor is still writing into the old file when it is replaced', async () => {
    const file = newFile();
    const editor = syncFs.openSync(file, 'r+');
    syncFs.ftruncateSync(editor);
    assert.equal(await replaceIfUnchanged(file, NEW, OLD), false);
    syncFs.writeSync(editor, SAVED);
    syncFs.closeSync(editor);
    assert.equal(readFileSync(file, 'utf8'), SAVED);
  });

  it('keeps a save after the rename', async () => {
    const file = newFile();
    await meddle(
      { name: 'openSync', sync: true, of: '.spare' },
      () => saveByRename(file),
      async () => {
        assert.equal(await replaceIfUnchanged(file, NEW, OLD), true);
      },
    );
    assert.equal(readFileSync(file, 'utf8'), SAVED);
  });

  it('fails if the file is gone', async () => {
    const file = newFile();
    renameSync(file, `${file}.away`);
    assert.equal(await replaceIfUnchanged(file, NEW, OLD), false);
    assert.deepEqual(namesBeside(file), ['prompts.csv.away']);
  });

  it('fails without leftovers if the new file cannot be put in place', async () => {
    const file = newFile();
    const fail = (): void => {
      throw Object.assign(new Error('no'), { code: 'EIO' });
    };
    await meddle({ name: 'renameSync', sync: true }, fail, async () => {
      await assert.rejects(replaceIfUnchanged(file, NEW, OLD), { code: 'EIO' });
    });
    await recoverInterruptedReplaces(file);
    assert.equal(readFileSync(file, 'utf8'), 'old\n');
    assert.deepEqual(namesBeside(file), ['prompts.csv']);
  });
});

describe('Clearing up after an interrupted replacement', () => {
  const backupName = `.prompts.csv.${digest(OLD).slice(0, 16)}.${digest(NEW).slice(0, 16)}.spare`;

  function crashed(current: string, backup: string): string {
    const file = newFile();
    writeFileSync(file, current);
    writeFileSync(join(file, '..', backupName), backup);
    writeFileSync(join(file, '..', '.prompts.csv.123.tmp'), 'half');
    return file;
  }

  it('removes leftover files', async () => {
    for (const current of ['old\n', 'new\n', 'edited since\n']) {
      const file = crashed(current, 'old\n');
      await recoverInterruptedReplaces(file);
      assert.equal(readFileSync(file, 'utf8'), current);
      assert.deepEqual(namesBeside(file), ['prompts.csv']);
    }
  });

  it('restores a save of the user from that instant', async () => {
    const file = crashed('new\n', SAVED);
    await recoverInterruptedReplaces(file);
    assert.equal(readFileSync(file, 'utf8'), SAVED);
    assert.deepEqual(namesBeside(file), ['prompts.csv']);
  });

  it('keeps a later save of the user', async () => {
    const file = crashed('edited since\n', SAVED);
    await recoverInterruptedReplaces(file);
    assert.equal(readFileSync(file, 'utf8'), 'edited since\n');
  });

  it('keeps files of others', async () => {
    const file = newFile();
    const other = join(file, '..', 'other.tmp');
    writeFileSync(other, 'x');
    symlinkSync(other, join(file, '..', 'link'));
    await recoverInterruptedReplaces(file);
    assert.deepEqual(namesBeside(file), ['link', 'other.tmp', 'prompts.csv']);
  });
});
