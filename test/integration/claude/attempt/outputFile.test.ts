import assert from 'node:assert/strict';
import {
  linkSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openOutput } from '../../../../src/claude/attempt/outputFile';
import { isProblem } from '../../../../src/domain/problem';

describe('The output of an attempt', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'output-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is a new file; an existing one is kept under another name', async () => {
    writeFileSync(join(folder, 'output.jsonl'), 'earlier');
    const output = await openOutput(join(folder, 'output.jsonl'), () => assert.fail());
    await output.append('new');
    await output.close();
    const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    assert.deepEqual(texts.sort(), ['earlier', 'new']);
    assert.equal(readFileSync(join(folder, output.earlier ?? assert.fail()), 'utf8'), 'earlier');
    assert.equal(readFileSync(join(folder, 'output.jsonl'), 'utf8'), 'new');
  });

  it('replaces an empty file, which a start that failed left', async () => {
    writeFileSync(join(folder, 'output.jsonl'), '');
    const output = await openOutput(join(folder, 'output.jsonl'), () => assert.fail());
    await output.append('new');
    await output.close();
    assert.deepEqual([output.earlier, readdirSync(folder)], [null, ['output.jsonl']]);
    assert.equal(readFileSync(join(folder, 'output.jsonl'), 'utf8'), 'new');
  });

  it('is not written through a link', async () => {
    const other = join(folder, 'other');
    writeFileSync(other, 'mine');
    symlinkSync(other, join(folder, 'soft.jsonl'));
    linkSync(other, join(folder, 'hard.jsonl'));
    for (const name of ['soft.jsonl', 'hard.jsonl']) {
      await assert.rejects(
        openOutput(join(folder, name), () => assert.fail()),
        (error) => isProblem(error, 'output-exists'),
      );
    }
    assert.equal(readFileSync(other, 'utf8'), 'mine');
  });

  it('is stored up to its limit, followed by one line that the rest is missing', async () => {
    const file = join(folder, 'output.jsonl');
    const output = await openOutput(file, () => assert.fail('It could not be written.'), 20);
    for (const line of ['first\n', 'second\n', 'much too long\n', 'x\n']) await output.append(line);
    await output.close();
    assert.equal(output.failure, null);
    assert.match(
      readFileSync(file, 'utf8'),
      /^first\nsecond\nThe rest of this output was not kept: it is longer than 64 MB\.\n$/,
    );
  });
});
