import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { Problem } from '../../../../src/domain/problem';
import { readCsv } from '../../../../src/queue/csv/csvFile';
import type { TaskQueue } from '../../../../src/queue/taskQueue';
import { FaultFolder, openQueue, successOf, request } from '../../../faults/faultQueue';
import { fuzzed, report } from '../../../support/fuzz';
import { anyFile, mutate, mutations } from '../mutations';
import { aroundShared } from '../../../support/csv/referenceCsv';

/** Most tasks that are claimed and finished between two changes by hand. */
const AT_A_TIME = 3;

let calls = 0;

/** Claims and finishes tasks, and returns their ids. A reported problem is an answer too. */
async function work(queue: TaskQueue): Promise<number[]> {
  const ran: number[] = [];
  try {
    while (ran.length < AT_A_TIME) {
      calls += 1;
      const answer = await queue.claim(request('w'), `claim-${calls}`);
      if (answer.kind === 'idle') break;
      ran.push(answer.claim.id);
      await queue.finish(answer.claim, successOf(answer), `finish-${calls}`);
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
  await queue.close();
  return ran;
}

async function lookOf(queue: TaskQueue): Promise<string> {
  const { tasks, claims, problems, places } = await queue.read();
  // A row that no step has recorded yet is first seen at each look.
  return JSON.stringify({ tasks, claims, problems, places: [...places] }, (key, value: unknown) =>
    key === 'firstSeenAt' ? undefined : value,
  );
}

function idsIn(bytes: Buffer): number[] {
  const { columns, records } = readCsv(bytes);
  return records.map(({ cells }) => Number(cells[columns.get('id') ?? -1]));
}

describe('An open queue with random damage to its file', () => {
  it('does not fail, writes only shared cells, and shows the same as a newly opened one', async () => {
    const options = fuzzed(30, 3_000);
    await fc.assert(
      fc.asyncProperty(anyFile, mutations, mutations, async (original, before, meanwhile) => {
        const place = new FaultFolder(mutate(original, before));
        try {
          const start = readFileSync(place.file);
          const queue = await openQueue(place.file);
          const ran = await work(queue);
          const worked = readFileSync(place.file);
          assert.ok(aroundShared(worked, ran).equals(aroundShared(start, ran)), 'something else was written');

          place.save(mutate(worked, meanwhile));
          const edited = readFileSync(place.file);
          await work(queue);
          const after = readFileSync(place.file);
          const rows = idsIn(edited);
          assert.ok(aroundShared(after, rows).equals(aroundShared(edited, rows)), 'an edit was lost');
          const fresh = await openQueue(place.file);
          assert.equal(await lookOf(queue), await lookOf(fresh));
          await fresh.sync();
          assert.ok(readFileSync(place.file).equals(after), 'something was still to be written');
          await fresh.close();
        } finally {
          place.remove();
        }
      }),
      options,
    );
    report(`${options.numRuns} queues worked on through two damages each`);
  }).timeout(1_200_000);
});
