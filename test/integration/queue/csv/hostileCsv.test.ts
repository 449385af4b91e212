import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describeRowProblem, formatWhere } from '../../../../src/app/present/problems/rowProblem';
import { isProblem } from '../../../../src/domain/problem';
import { readCsv } from '../../../../src/queue/csv/csvFile';
import { FaultFolder, openQueue, successOf, request } from '../../../faults/faultQueue';
import { CORPUS, corpusFiles, type Hostile, MADE } from '../hostileFiles';
import { aroundShared, comparable, oracle } from '../../../support/csv/referenceCsv';

/**
 * Returns the tasks that ran; `name` distinguishes its calls from those of another round. If nothing more runs and the
 * file cannot be understood as a whole, a worker gets an error.
 */
async function runAll(file: string, name: string): Promise<number[]> {
  const queue = await openQueue(file);
  const ran: number[] = [];
  try {
    for (let turn = 0; ; turn += 1) {
      const answer = await queue.claim(request('w'), `${name}-claim-${turn}`);
      if (answer.kind === 'idle') break;
      ran.push(answer.claim.id);
      await queue.finish(answer.claim, successOf(answer), `${name}-finish-${turn}`);
    }
  } catch (error) {
    if (!isProblem(error, 'queue-incomplete')) throw error;
    assert.ok((await queue.read()).problems.length > 0);
  }
  await queue.close();
  return ran.sort((a, b) => a - b);
}

async function shownOf(file: string): Promise<string[]> {
  const queue = await openQueue(file);
  const { problems } = await queue.read();
  await queue.close();
  return problems.map((one) => `${formatWhere('', one.where).slice(1)} ${describeRowProblem(one)}`);
}

/** All that must come true of a file whatever is in it. */
async function check(bytes: Buffer, { runs, reported = [] }: Hostile): Promise<void> {
  const place = new FaultFolder(bytes);
  try {
    const expected = reported.toSorted();
    const found = (await shownOf(place.file)).sort();
    assert.deepEqual(
      found.map((text, index) => text.slice(0, expected[index]?.length)),
      expected,
    );
    assert.ok(readFileSync(place.file).equals(bytes), 'a look changes nothing');
    assert.deepEqual(await runAll(place.file, 'first'), runs);
    const after = readFileSync(place.file);
    assert.ok(aroundShared(after, runs).equals(aroundShared(bytes, runs)), 'nothing else was written');
    if (runs.length === 0) assert.ok(after.equals(bytes), 'nothing was written');
    for (const each of [bytes, after]) checkCells(each);
    assert.deepEqual(await runAll(place.file, 'second'), [], 'each task ran once');
  } finally {
    place.remove();
  }
}

/** Checks that a file has the cells that csv-parse finds in it, if csv-parse can read it. */
function checkCells(bytes: Buffer): void {
  const { records, whole, dialect } = readCsv(bytes);
  const expected = oracle(bytes, dialect.delimiter);
  if (!whole || expected === null) return;
  assert.deepEqual(comparable(records.map(({ cells }) => cells)), comparable(expected.slice(1)));
}

describe('A strange queue file', () => {
  for (const [name, bytes] of corpusFiles()) {
    it(`is read or reported, and loses no byte: ${name}`, async () => {
      const hostile = CORPUS[name];
      assert.ok(hostile, `say in hostileFiles.ts what is to come of ${name}.csv`);
      await check(bytes, hostile);
    });
  }

  for (const [name, hostile] of Object.entries(MADE)) {
    it(`works on ${name}`, () => check(hostile.make(), hostile));
  }

  it('accepts rows beside ids that are too large, and none after the largest id', async () => {
    const place = new FaultFolder(corpusFiles().get('hugeIds') ?? Buffer.alloc(0));
    try {
      const queue = await openQueue(place.file);
      const add = (op: string): Promise<{ readonly id: number }> =>
        queue.add({ fields: { prompt: 'p', working_dir: '/w' } }, op);
      assert.equal((await add('one')).id, 13);
      writeFileSync(place.file, place.text().replace(/^13,/m, '1000000000000,'));
      const before = place.text();
      await assert.rejects(
        add('two'),
        (error) => isProblem(error, 'usage') && error.message.includes('"1000000000001" is too large'),
      );
      await queue.close();
      assert.equal(place.text(), before);
    } finally {
      place.remove();
    }
  });
});
