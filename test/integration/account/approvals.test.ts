import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApprovedRow, Approvals } from '../../../src/account/approvals';
import { Grants } from '../../../src/account/grants';
import type { FingerprintedRow } from '../../../src/domain/task/approval';

const rows = (...powers: string[]): FingerprintedRow[] => powers.map((power) => ({ id: 7, power }));

const rowOf = (id: number, prompt: string): ApprovedRow => ({
  id,
  power: prompt,
  permissionFields: { workingDir: '/p', prompt, allowedTools: ['Edit'] },
});

describe('The stored approvals', () => {
  let folder: string;
  let state: string;
  let queueFile: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'approvals-'));
    state = join(folder, 'state');
    queueFile = join(folder, 'repository', 'claude_queue', 'prompts.csv');
    mkdirSync(join(folder, 'repository', 'claude_queue'), { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const open = (file = queueFile): Approvals => new Approvals(state, file);

  it('are reported with their place and a remedy if damaged, and let nothing run', async () => {
    await open().approve([rowOf(1, 'a')]);
    await new Grants(state, queueFile).add(rowOf(1, 'a'), ['Bash(make)']);
    const folderOfAll = join(state, 'approvals');
    const row = '{"id":1,"power":"a","powers":{"workingDir":"/p","prompt":"a","allowedTools":"Edit"}}';
    for (const value of [
      'null',
      '{}',
      '{"trusted":true,"powers":"all"}',
      '{"rows":[{}],"grants":[{}]}',
      `{"rows":[${row}],"grants":[{"power":"a"}]}`,
    ]) {
      for (const name of readdirSync(folderOfAll))
        writeFileSync(join(folderOfAll, name), `{"version":1,"value":${value}}`);
      const damaged = { reason: 'state-damaged', message: /was not written by this program\. Remove it/ };
      await assert.rejects(open().read(), damaged);
      await assert.rejects(open().readRows(), damaged);
      await assert.rejects(new Grants(state, queueFile).read(rowOf(1, 'a')), damaged);
    }
  });

  it('are empty at first', async () => {
    assert.deepEqual(await open().read(), { trusted: false, approvals: new Set() });
    assert.equal(readdirSync(folder).includes('state'), false);
  });

  it('are withdrawn with those of earlier versions of the rows, and with the rules', async () => {
    const grants = new Grants(state, queueFile);
    await open().approve([rowOf(1, 'a'), rowOf(1, 'b'), rowOf(12, 'a')]);
    await grants.add(rowOf(1, 'a'), ['Bash(make)']);
    await grants.add(rowOf(1, 'b'), ['Bash(make)', 'WebFetch']);
    await grants.add(rowOf(12, 'a'), ['Edit']);
    const isMeant = (id: number): boolean => id === 1;
    assert.deepEqual([...(await open().withdraw(isMeant))], [1]);
    assert.deepEqual([...(await grants.withdraw(isMeant))], [[1, ['Bash(make)', 'WebFetch']]]);
    assert.deepEqual([...(await open().read()).approvals], ['12:a']);
    assert.deepEqual([...(await open().readRows()).keys()], [12]);
    assert.deepEqual([...(await grants.readAll())], [['12:a', ['Edit']]]);
    assert.deepEqual([...(await open().withdraw(isMeant))], []);
  });

  it('are exactly those given, for every reader', async () => {
    await open().approve(rows('a', 'b'));
    await open().approve(rows('b', 'c'));
    await open().approve([]);
    assert.deepEqual(await open().read(), {
      trusted: false,
      approvals: new Set(['7:a', '7:b', '7:c']),
    });
  });

  it('apply to that queue file alone', async () => {
    await open().approve(rows('a'));
    await open().setTrusted(true);
    assert.deepEqual(await open(`${queueFile}.other`).read(), {
      trusted: false,
      approvals: new Set(),
    });
  });

  it('can cover the whole file, and no longer', async () => {
    await open().approve(rows('a'));
    await open().setTrusted(true);
    await open().setTrusted(true);
    assert.deepEqual(await open().read(), {
      trusted: true,
      approvals: new Set(['7:a']),
    });
    await open().setTrusted(false);
    assert.deepEqual(await open().read(), {
      trusted: false,
      approvals: new Set(['7:a']),
    });
  });

  it('are not lost when many approve at once', async () => {
    const powers = Array.from({ length: 10 }, (_, index) => `power-${index}`);
    await Promise.all([...powers.map((power) => open().approve(rows(power))), open().setTrusted(true)]);
    assert.deepEqual(await open().read(), {
      trusted: true,
      approvals: new Set(powers.map((power) => `7:${power}`)),
    });
  });

  it('are outside the repository, readable by the user alone', async () => {
    await open().approve(rows('a'));
    assert.deepEqual(readdirSync(join(folder, 'repository', 'claude_queue')), []);
    const approvals = join(state, 'approvals');
    assert.equal(statSync(approvals).mode & 0o777, 0o700);
    const files = readdirSync(approvals).filter((name) => name.endsWith('.json'));
    assert.equal(files.length, 1);
    assert.equal(statSync(join(approvals, files[0] ?? '')).mode & 0o777, 0o600);
  });

  it('contain the last approved text of each task', async () => {
    await open().approve([rowOf(1, 'one'), rowOf(2, 'two')]);
    await open().approve([rowOf(1, 'one, better'), ...rows('of no known row')]);
    const kept = await open().readRows();
    assert.deepEqual([kept.get(1), kept.get(2), kept.size], [rowOf(1, 'one, better'), rowOf(2, 'two'), 2]);
    assert.deepEqual(
      (await open().read()).approvals,
      new Set(['1:one', '2:two', '1:one, better', '7:of no known row']),
    );
  });

  it('are limited in number, the newest first', async () => {
    const long = (id: number): ApprovedRow => rowOf(id, String(id).repeat(900_000));
    for (let id = 1; id <= 6; id += 1) await open().approve([long(id)]);
    assert.deepEqual([...(await open().readRows()).keys()], [5, 6]);
    await open().approve([rowOf(7, 'long'.repeat(1_100_000)), rowOf(8, 'short')]);
    assert.deepEqual([...(await open().readRows()).keys()], [5, 6, 8], 'what is too long takes no place');
  });

  it('are read from files of earlier versions, which stored no rows', async () => {
    await open().approve([rowOf(1, 'one')]);
    const approvals = join(state, 'approvals');
    for (const name of readdirSync(approvals).filter((one) => one.endsWith('.rows.json'))) {
      rmSync(join(approvals, name));
    }
    const [name = ''] = readdirSync(approvals).filter((one) => one.endsWith('.json'));
    const earlier = { version: 1, value: { queue: queueFile, trusted: false, powers: ['1:one'] } };
    assert.deepEqual(JSON.parse(readFileSync(join(approvals, name), 'utf8')), earlier);
    writeFileSync(join(approvals, name), JSON.stringify(earlier));
    assert.deepEqual(
      [(await open().read()).approvals, (await open().readRows()).size],
      [new Set(['1:one']), 0],
    );
  });
});

describe('A rule that the user allowed after a refusal', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'grants-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('applies to the unedited row of that queue, beside earlier rules', async () => {
    const grants = new Grants(folder, '/q/prompts.csv');
    const row = { id: 1, power: 'power' };
    await grants.add(row, ['Bash(make)', 'WebSearch']);
    await grants.add({ id: 1, power: 'other' }, ['Bash(ls)']);
    await grants.add(row, ['WebSearch', 'Bash(date)']);
    assert.deepEqual(await grants.read(row), ['Bash(make)', 'WebSearch', 'Bash(date)']);
    assert.deepEqual(await grants.read({ id: 1, power: 'edited' }), []);
    assert.deepEqual(await grants.read({ id: 2, power: 'power' }), [], 'a copy of the row is another row');
    assert.deepEqual(await new Grants(folder, '/other.csv').read(row), []);
    assert.equal((await grants.readAll()).size, 2);
  });

  it('is stored beside the approvals, readable by the user alone', async () => {
    await new Grants(folder, '/q/prompts.csv').add({ id: 1, power: 'power' }, ['Bash(make)']);
    const [file = ''] = readdirSync(join(folder, 'approvals')).filter((name) => name.endsWith('.json'));
    assert.match(file, /\.grants\.json$/);
    assert.equal(statSync(join(folder, 'approvals', file)).mode & 0o777, 0o600);
  });
});
