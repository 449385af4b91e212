import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import type { Claimed, TaskQueue } from '../../../src/queue/taskQueue';
import type { Harness } from '../../conformance/harness';
import { fuzzed } from '../../support/fuzz';
import { eleven, openFile } from './ownedFile';

const ROWS = 12;

function rowOf(id: number, prompt = `p${id}`, status = 'pending'): string {
  return `${id},medium,/w/${id},${prompt},${status},,${id % 4 === 0 ? String(id - 1) : ''},no,,0,3`;
}

/** A move of the user, a worker, or another process. */
const deed = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: 'step' } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'other-step' } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'checkpoint' } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'other-checkpoint' } as const) },
  ...(['prompt', 'status', 'delete', 'insert', 'append', 'break', 'swap'] as const).map((kind) => ({
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant(kind), at: fc.nat(ROWS * 2) }),
  })),
);
type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never;

/** The file's text after the user's edit. */
function edited(text: string, { kind, at }: Extract<Deed, { at: number }>, fresh: number): string {
  const [header = '', ...rows] = text.trimEnd().split('\n');
  const place = rows.length === 0 ? 0 : at % rows.length;
  const row = rows[place] ?? '';
  if (kind === 'prompt') rows[place] = row.replace(/,p\w*,/, `,p${fresh},`);
  if (kind === 'status') rows[place] = row.replace(/,(pending|completed|running|failed),/, ',cancelled,');
  if (kind === 'delete') rows.splice(place, 1);
  if (kind === 'insert') rows.splice(place, 0, rowOf(fresh));
  if (kind === 'append') rows.push(rowOf(fresh));
  if (kind === 'break')
    rows[place] = row.includes(',soon,') ? row.replace(',soon,', ',low,') : row.replace(',medium,', ',soon,');
  if (kind === 'swap') rows.push(...rows.splice(place, 1));
  return [header, ...rows, ''].join('\n');
}

async function step(harness: Harness, queue: TaskQueue, running: Claimed | null): Promise<Claimed | null> {
  if (running !== null) {
    const end = await harness.endOf(running, 'success');
    await queue.finish(running.claim, { ...end, definition: running.definition }, harness.op());
  }
  const next = await queue.claim(
    harness.request({ settings: { ...harness.settings, maxRunning: 9, maxPerHour: 999, maxPerDay: 999 } }),
    harness.op(),
  );
  return next.kind === 'claimed' ? next : null;
}

describe('An open queue', () => {
  it('shows and writes at every moment the same as a newly opened one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { minLength: 1, maxLength: 14 }), async (deeds) => {
        const { harness, file } = await openFile(
          eleven(...Array.from({ length: ROWS }, (_, i) => rowOf(i + 1))),
        );
        const other = await file.another();
        let [mine, theirs]: [Claimed | null, Claimed | null] = [null, null];
        let fresh = 100;
        for (const one of deeds) {
          if (one.kind === 'step') mine = await step(harness, harness.queue, mine);
          else if (one.kind === 'other-step') theirs = await step(harness, other, theirs);
          else if (one.kind === 'checkpoint') await harness.queue.sync();
          else if (one.kind === 'other-checkpoint') await other.sync();
          else writeFileSync(file.file, edited(readFileSync(file.file, 'utf8'), one, (fresh += 1)));
          await harness.queue.approve([], harness.op());
          const anew = await file.another();
          const [kept, read] = [await harness.queue.read(), await anew.read()];
          assert.deepEqual(kept, read);
        }
        await harness.queue.sync();
        const written = readFileSync(file.file, 'utf8');
        const anew = await file.another();
        await anew.sync();
        assert.equal(readFileSync(file.file, 'utf8'), written);
      }),
      fuzzed(12, 200),
    );
  });
});
