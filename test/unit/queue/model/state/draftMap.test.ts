import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { DraftMap } from '../../../../../src/queue/model/state/draftMap';

const key = fc.integer({ min: 0, max: 9 });
const change = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), key, value: fc.option(fc.integer(), { nil: undefined }) }),
  fc.record({ kind: fc.constant('delete' as const), key }),
  fc.record({ kind: fc.constant('clear' as const) }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function apply(map: Map<number, number | undefined>, one: Change): unknown {
  if (one.kind === 'clear') {
    map.clear();
    return null;
  }
  return one.kind === 'delete' ? map.delete(one.key) : map.set(one.key, one.value) === map;
}

describe('A draft of a map', () => {
  it('reads like a copy that was changed in the same way, and leaves the map below as it was', () => {
    const below = fc.array(fc.tuple(key, fc.option(fc.integer(), { nil: undefined })));
    fc.assert(
      fc.property(below, fc.array(change, { maxLength: 30, size: 'max' }), (entries, changes) => {
        const map = new Map(entries);
        const [draft, copy] = [new DraftMap(map), new Map(map)];
        for (const one of changes) assert.equal(apply(draft, one), apply(copy, one));
        assert.deepEqual([...draft], [...copy]);
        assert.deepEqual([...draft.keys()], [...copy.keys()]);
        assert.deepEqual([...draft.values()], [...copy.values()]);
        assert.equal(draft.size, copy.size);
        const pairs: unknown[] = [];
        draft.forEach((value, one) => pairs.push([one, value]));
        assert.deepEqual(pairs, [...copy]);
        for (let one = 0; one < 10; one += 1) {
          assert.equal(draft.has(one), copy.has(one));
          assert.equal(draft.get(one), copy.get(one));
        }
        assert.deepEqual([...map], [...new Map(entries)]);
      }),
      { numRuns: 500 },
    );
  });
});
