import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AttemptFacts } from '../../../../src/domain/task/attempt';
import { readTraces } from '../../../../src/claude/attempt/traces';

const NOBODY = 65_534;
const SESSION = '00000000-0000-4000-8000-000000000000';
const USAGE = { input_tokens: 7, output_tokens: 5, cache_read_input_tokens: 3 };
const ANSWER = { type: 'assistant', message: { id: 'msg_1', model: 'sonnet', content: [], usage: USAGE } };

describe('The traces of an attempt whose worker died', () => {
  let folder: string;
  let outputFile: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'traces-'));
    outputFile = join(folder, 'output.jsonl');
  });
  afterEach(() => {
    process.seteuid?.(process.getuid?.() ?? 0);
    rmSync(folder, { recursive: true, force: true });
  });

  /** Continues as a user to whom a folder can be closed: root reads everything. */
  function becomeNobody(): void {
    if (process.getuid?.() !== 0) return;
    execFileSync('chown', ['-R', String(NOBODY), folder]);
    process.seteuid?.(NOBODY);
  }

  const read = (): Promise<AttemptFacts> => readTraces({ session: SESSION, outputFile }, { HOME: folder });

  it('are empty if it had not started', async () => {
    assert.deepEqual(await read(), {});
  });

  it('are the facts of its output so far, without a cut-off last line', async () => {
    writeFileSync(outputFile, `${JSON.stringify(ANSWER)}\n{"type":"resu`);
    assert.deepEqual(await read(), { tokens: { input: 7, output: 5, cacheRead: 3, cacheWrite: 0 } });
  });

  it('contain the size of its session', async () => {
    const project = join(folder, '.claude', 'projects', 'somewhere');
    mkdirSync(project, { recursive: true });
    writeFileSync(join(project, `${SESSION}.jsonl`), `${JSON.stringify(ANSWER)}\n`);
    assert.deepEqual(await read(), { contextTokens: 10 });
  });

  it('contain it although a folder of another session belongs to another user', async () => {
    const projects = join(folder, '.claude', 'projects');
    for (const name of ['closed', 'somewhere']) mkdirSync(join(projects, name), { recursive: true });
    writeFileSync(join(projects, 'somewhere', `${SESSION}.jsonl`), `${JSON.stringify(ANSWER)}\n`);
    chmodSync(join(projects, 'closed'), 0);
    becomeNobody();
    assert.deepEqual(await read(), { contextTokens: 10 });
  });

  it('are not read from a pipe or through a link', async () => {
    execFileSync('mkfifo', [outputFile]);
    assert.deepEqual(await read(), {});
    rmSync(outputFile);
    writeFileSync(join(folder, 'other'), `${JSON.stringify(ANSWER)}\n`);
    symlinkSync(join(folder, 'other'), outputFile);
    assert.deepEqual(await read(), {});
  });
});
