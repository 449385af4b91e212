import assert from 'node:assert/strict';
import { describeSettingProblem } from '../../../../src/app/present/problems/settingProblem';
import { readPools } from '../../../../src/domain/order/pools';

function wrong(value: unknown): string {
  const read = readPools(value);
  assert.ok('wrong' in read, JSON.stringify(read));
  const fault = { kind: 'wrong-value', setting: 'pools', wrong: read.wrong } as const;
  return describeSettingProblem({ source: 'config.yaml', name: 'pools', fault });
}

describe('A pool', () => {
  it('takes some priorities, and runs between its least and its most tasks at a time', () => {
    const value = {
      fast: { priorities: ['high', 'critical'], min: 0, max: 2 },
      shared: {},
      wide: { min: 3 },
      web: { tags: ['web', 'docs'] },
    };
    const read = readPools(value);
    assert.ok('value' in read);
    assert.deepEqual(Object.fromEntries(read.value), {
      fast: { priorities: ['critical', 'high'], min: 0, max: 2 },
      shared: { min: 1, max: 1 },
      wide: { min: 3, max: 3 },
      web: { tags: ['web', 'docs'], min: 1, max: 1 },
    });
  });

  it('that is invalid is reported by its name, with an example', () => {
    assert.match(wrong([]), /^pools must be names with values, such as \{"fast": /);
    assert.match(wrong({ fast: 2 }), /^pools fast: must be names with values/);
    assert.match(wrong({ 'my pool': {} }), /has a pool "my pool": a name is a letter/);
    assert.equal(
      wrong({ fast: { min: 2, max: 1 } }),
      'pools fast: max must be at least min, which is 2; it is 1.',
    );
    assert.match(wrong({ fast: { max: 0 } }), /max must be a whole number, at least 1; it is 0/);
    assert.match(wrong({ fast: { min: 0.5 } }), /min must be a whole number, at least 0/);
    assert.match(wrong({ fast: { min: '1' } }), /it is "1"/);
    assert.match(wrong({ fast: { priorities: 'high' } }), /priorities must be a list/);
    assert.match(
      wrong({ fast: { tags: 'web' } }),
      /tags must be a list of tags, such as \[web, docs\]; it is/,
    );
    assert.match(wrong({ fast: { tags: [' '] } }), /tags must be a list of tags/);
    assert.match(wrong({ fast: { workers: 2 } }), /has no "workers". It may have priorities, tags, min, max/);
  });
});
