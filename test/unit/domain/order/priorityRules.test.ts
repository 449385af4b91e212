import assert from 'node:assert/strict';
import { describeSettingProblem } from '../../../../src/app/present/problems/settingProblem';
import {
  priorityByRule,
  readPriorityRules,
  type PriorityRule,
} from '../../../../src/domain/order/priorityRules';

const NOBODYS = { tags: [], user: undefined, workingDir: '/space/app' };

function rules(...entries: readonly unknown[]): readonly PriorityRule[] {
  const read = readPriorityRules(entries);
  assert.ok('value' in read, JSON.stringify(read));
  return read.value;
}

function priority(entry: unknown, row: Partial<Parameters<typeof priorityByRule>[1]>): string | null {
  return priorityByRule(rules(entry), { ...NOBODYS, ...row }, (folder) => `/space/${folder}`);
}

function wrong(value: unknown): string {
  const read = readPriorityRules(value);
  assert.ok('wrong' in read, JSON.stringify(read));
  const fault = { kind: 'wrong-value', setting: 'priorityRules', wrong: read.wrong } as const;
  return describeSettingProblem({ source: 'config.yaml', name: 'priorityRules', fault });
}

describe('A priority rule', () => {
  it('matches rows with its tag', () => {
    const rule = { tag: 'urgent', priority: 'high' };
    assert.equal(priority(rule, { tags: ['docs', 'urgent'] }), 'high');
    assert.equal(priority(rule, { tags: ['docs'] }), null);
  });

  it('matches rows of its user', () => {
    const rule = { user: 'anna', priority: 'critical' };
    assert.equal(priority(rule, { user: 'anna' }), 'critical');
    assert.equal(priority(rule, { user: 'ben' }), null);
    assert.equal(priority(rule, {}), null);
  });

  it('matches rows in its folder or below it', () => {
    const rule = { path: 'app', priority: 'low' };
    assert.equal(priority(rule, { workingDir: '/space/app' }), 'low');
    assert.equal(priority(rule, { workingDir: '/space/app/src' }), 'low');
    assert.equal(priority(rule, { workingDir: '/space/apple' }), null);
    assert.equal(priority(rule, { workingDir: '/space' }), null);
  });

  it('with several conditions matches rows that meet all', () => {
    const rule = { tag: 'docs', user: 'anna', priority: 'low' };
    assert.equal(priority(rule, { tags: ['docs'], user: 'anna' }), 'low');
    assert.equal(priority(rule, { tags: ['docs'], user: 'ben' }), null);
  });

  it('takes precedence over later ones', () => {
    const both = rules({ tag: 'a', priority: 'high' }, { tag: 'b', priority: 'low' });
    const row = { ...NOBODYS, tags: ['b', 'a'] };
    assert.equal(
      priorityByRule(both, row, (folder) => folder),
      'high',
    );
  });

  it('can have its priority as a number from 1 to 5, and a tag that looks like one', () => {
    assert.deepEqual(rules({ tag: 2026, priority: 5 }), [{ tag: '2026', priority: 'critical' }]);
  });

  it('that is invalid is reported with its place and an example', () => {
    const good = { tag: 'a', priority: 'high' };
    assert.match(
      wrong('urgent'),
      /^priorityRules must be a list, such as \[\{"tag": "urgent", "priority": "high"\}\]/,
    );
    assert.equal(
      wrong([good, { priority: 'high' }]),
      'priorityRules entry 2: must name a tag, a user or a path; it is {"priority":"high"}.',
    );
    assert.match(
      wrong([{ tag: 'a' }]),
      /entry 1: priority must be one of critical, high, medium, low, or 1 \(lowest\) to 5; it is nothing/,
    );
    assert.match(wrong([{ tag: 'a', priority: 'urgent' }]), /it is "urgent"/);
    assert.match(wrong([{ tag: 'a', priority: '' }]), /priority must be one of/);
    assert.match(wrong([{ tag: ['a'], priority: 'low' }]), /tag must be text; it is \["a"\]/);
    assert.match(
      wrong([{ tags: 'a', priority: 'low' }]),
      /has no "tags". It may have tag, user, path, priority/,
    );
  });
});
