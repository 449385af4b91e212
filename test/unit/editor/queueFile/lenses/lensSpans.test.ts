import assert from 'node:assert/strict';
import { hasLine, isPlanned, planSpans } from '../../../../../src/editor/queueFile/lenses/lensSpans';

const LONG = 10_000;

describe('The lines that have lenses', () => {
  it('are all lines of a short document, also of one that no editor shows', () => {
    assert.deepEqual(planSpans([], 100), [{ first: 0, last: 99 }]);
    assert.ok(isPlanned(planSpans([], 100), [{ first: 80, last: 99 }], 100));
  });

  it('are those around each visible range of a long document', () => {
    const visible = [
      { first: 20, last: 60 },
      { first: 5_000, last: 5_040 },
    ];
    const spans = planSpans(visible, LONG);
    assert.deepEqual(spans, [
      { first: 0, last: 100 },
      { first: 4_960, last: 5_080 },
    ]);
    assert.deepEqual(
      [100, 101, 4_959, 4_960].map((line) => hasLine(spans, line)),
      [true, false, false, true],
    );
    assert.deepEqual(planSpans([], LONG), []);
  });

  it('stay as they are until the visible range comes close to a line without a lens', () => {
    const spans = planSpans([{ first: 1_000, last: 1_040 }], LONG);
    const isStill = (first: number): boolean => isPlanned(spans, [{ first, last: first + 40 }], LONG);
    assert.deepEqual([975, 974, 1_025, 1_026].map(isStill), [true, false, true, false]);
  });

  it('suffice at both ends of the document', () => {
    for (const first of [0, LONG - 40]) {
      const visible = [{ first, last: first + 39 }];
      assert.ok(isPlanned(planSpans(visible, LONG), visible, LONG), String(first));
    }
  });
});
