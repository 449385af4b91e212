import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFileGate, type Gate, type GateStore } from '../../../src/account/gate';
import { GATE_FORMAT } from '../../../src/account/gateShape';
import { UserFile } from '../../../src/account/userFile';
import { OPEN_GATE } from '../../../src/domain/gate/gate';
import { defaults } from '../../../src/domain/settings/settings';
import { start } from '../../support/machine/processes';
import { exerciseGate, LIMIT, NOW, RESET } from './gateRules';

describe('The gate of an account', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gate-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function open(account = 'abc'): Gate {
    const clock = { now: () => NOW };
    return createFileGate({ folder, account, clock, rules: () => defaults, isAlive: () => true });
  }

  const gateFile = (account = 'abc'): string => join(folder, 'gates', `${account}.json`);

  exerciseGate('in a file', () => ({
    open: (account): GateStore => new UserFile(gateFile(account), GATE_FORMAT),
    put: (text) => {
      writeFileSync(gateFile(), text);
    },
    get: () => readFileSync(gateFile(), 'utf8'),
    lastWrite: () => statSync(gateFile()).ino,
    hasEmpty: true,
  }));

  it('is open without a file, and writes none for that', async () => {
    assert.deepEqual(await open().view(), OPEN_GATE);
    assert.deepEqual(await open().report({ signal: null, usage: [] }), OPEN_GATE);
    const task = { queue: 'q', id: 1 };
    assert.ok(await open().admit({ task, worker: '1', process: { pid: 1, startedAt: 'then' } }));
    assert.deepEqual(readdirSync(folder), []);
  });

  it('is closed once by two processes, and keeps the writes of both', async () => {
    const report = (window: string): string => `
      const { createFileGate } = require(${JSON.stringify(join(__dirname, '../../../src/account/gate.ts'))});
      const clock = { now: () => ${NOW}, sleep: () => Promise.resolve() };
      const gate = createFileGate({ folder: ${JSON.stringify(folder)}, account: 'abc', clock, rules: () => ({}), isAlive: () => true });
      const usage = [{ window: '${window}', utilization: 1, resetAt: ${RESET} }];
      gate.report({ signal: { kind: 'five_hour', resetAt: ${RESET}, message: 'limit' }, usage });`;
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder };
    const ended = await Promise.all(
      ['five_hour', 'seven_day'].map((window) => {
        const args = ['--require', require.resolve('tsx/cjs'), '-e', report(window)];
        return start(process.execPath, args, { cwd: join(__dirname, '../../..'), env }).ended;
      }),
    );
    for (const { code, stderr } of ended) assert.equal(code, 0, stderr);
    const { closures, usage } = await open().view();
    assert.equal(closures.length, 1);
    assert.deepEqual(usage.map(({ window }) => window).sort(), ['five_hour', 'seven_day']);
  });

  it('is stored in a folder and a file that only the user can read', async () => {
    await open().report({ signal: LIMIT, usage: [] });
    assert.equal(statSync(join(folder, 'gates')).mode & 0o777, 0o700);
    assert.equal(statSync(gateFile()).mode & 0o777, 0o600);
  });

  it('has a file name that stays in its folder, whatever the account’s name', async () => {
    await open('../../x').report({ signal: LIMIT, usage: [] });
    assert.ok(readdirSync(join(folder, 'gates')).includes('______x.json'));
  });
});
