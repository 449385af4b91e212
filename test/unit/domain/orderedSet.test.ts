import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { OrderedSet } from '../../../src/domain/orderedSet';
import { Timers } from '../../../src/domain/timers';

describe('An ordered set of row numbers', () => {
  it('answers like a sorted list, whatever is added, deleted and asked for', () => {
    const change = fc.record({
      kind: fc.constantFrom('add' as const, 'add' as const, 'delete' as const),
      at: fc.nat(),
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40_000 }),
        fc.array(change),
        fc.nat(),
        (capacity, changes, ask) => {
          const set = new OrderedSet(capacity);
          const model = new Set<number>();
          for (const { kind, at } of changes) {
            set[kind](at % capacity);
            model[kind](at % capacity);
            const from = ask % (capacity + 1);
            const expected = [...model].filter((member) => member >= from).sort((a, b) => a - b)[0] ?? -1;
            assert.equal(set.first(from), expected);
            assert.equal(set.size, model.size);
            assert.equal(set.has(at % capacity), model.has(at % capacity));
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('gives all members in order, in sets of one to four layers', () => {
    for (const capacity of [1, 31, 32, 33, 1024, 1025, 32_768, 32_769, 1_100_000]) {
      const members = [0, 1, 30, 31, 32, 33, 1023, 1024, 32_767, 32_768, capacity - 1];
      const expected = [...new Set(members.filter((member) => member < capacity))].sort((a, b) => a - b);
      const set = new OrderedSet(capacity);
      for (const member of [...expected].reverse()) set.add(member);
      const found: number[] = [];
      for (let at = set.first(); at >= 0; at = set.first(at + 1)) found.push(at);
      assert.deepEqual(found, expected);
    }
  });
});

describe('Timers', () => {
  it('give what is due, the earliest first, by the times that were set last', () => {
    const move = fc.oneof(
      fc.record({ kind: fc.constant('set' as const), member: fc.nat(20), at: fc.nat(50) }),
      fc.record({ kind: fc.constant('take' as const), now: fc.nat(50) }),
    );
    fc.assert(
      fc.property(fc.array(move, { maxLength: 80 }), (moves) => {
        const timers = new Timers(21);
        const model = new Map<number, number>();
        for (const next of moves) {
          if (next.kind === 'set') {
            timers.set(next.member, next.at);
            model.set(next.member, next.at);
            continue;
          }
          const earliest = Math.min(...model.values());
          const taken = timers.takeDue(next.now);
          if (earliest > next.now) assert.equal(taken, -1);
          else assert.equal(model.get(taken), earliest);
          model.delete(taken);
        }
      }),
      { numRuns: 500 },
    );
  });
});
