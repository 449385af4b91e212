import assert from 'node:assert/strict';
import { hasLine, isPlanned, planSpans } from '../../../../../src/editor/queueFile/lenses/lensSpans';

const LONG = 10_000;

describe('The lines that have lenses', () => {
  it('are all lines of a short document, also of one that no editor shows', () => {
    assert.deepEqual(planSpans([], 500), [{ first: 0, last: 499 }]);
    assert.ok(isPlanned(planSpans([], 500), [{ first: 480, last: 499 }], 500));
  });

  it('are those around each visible range of a long document', () => {
    const visible = [
      { first: 20, last: 60 },
      { first: 5_000, last: 5_040 },
    ];
    const spans = planSpans(visible, LONG);
    assert.deepEqual(spans, [
      { first: 0, last: 260 },
      { first: 4_800, last: 5_240 },
    ]);
    assert.deepEqual(
      [260, 261, 4_799, 4_800].map((line) => hasLine(spans, line)),
      [true, false, false, true],
    );
    assert.deepEqual(planSpans([], LONG), []);
  });

  it('stay as they are until the visible range comes close to a line without a lens', () => {
    const spans = planSpans([{ first: 1_000, last: 1_040 }], LONG);
    const isStill = (first: number): boolean => isPlanned(spans, [{ first, last: first + 40 }], LONG);
    assert.deepEqual([850, 849, 1_150, 1_151].map(isStill), [true, false, true, false]);
  });

  it('suffice at both ends of the document', () => {
    for (const first of [0, LONG - 40]) {
      const visible = [{ first, last: first + 39 }];
      assert.ok(isPlanned(planSpans(visible, LONG), visible, LONG), String(first));
    }
  });
});
