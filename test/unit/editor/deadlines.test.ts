import assert from 'node:assert/strict';
import { planNotice } from '../../../src/editor/deadlines';
import { HOUR, MINUTE, NOW, paint, runByWorker, type Row } from './pictures';

const NOTHING_TOLD: ReadonlySet<string> = new Set();

const due = (inMs: number): Row => ({ fields: { deadline: NOW + inMs } });

describe('A deadline that a row names', () => {
  it('is told when it is about to be missed, and again when it is', () => {
    const soon = planNotice(paint([due(4 * MINUTE)]), NOTHING_TOLD);
    assert.equal(soon?.message, 'Task 1 may miss its deadline (18:04): Do 1');
    const late = planNotice(paint([due(-MINUTE)]), new Set(soon.keys));
    assert.equal(late?.message, 'Task 1 has missed its deadline (17:59): Do 1');
  });

  it('is told once', () => {
    const picture = paint([due(-MINUTE)]);
    const told = planNotice(picture, NOTHING_TOLD);
    assert.equal(planNotice(picture, new Set(told?.keys)), null);
  });

  it('is not told again beside a new one, however many others were told, until nothing of it stands', () => {
    const many = Array.from({ length: 600 }, () => due(-MINUTE));
    const first = planNotice(paint(many), NOTHING_TOLD);
    const second = planNotice(paint([...many, due(MINUTE)]), new Set(first?.keys));
    assert.equal(second?.message, 'Task 601 may miss its deadline (18:01): Do 601');
    assert.equal(planNotice(paint([...many, due(MINUTE)]), new Set(second.keys)), null);
    const completed = { ...due(-MINUTE), state: { status: 'completed' } } as const;
    assert.equal(planNotice(paint([completed, due(-HOUR)]), NOTHING_TOLD)?.keys.length, 1);
  });

  it('is told of a task that runs, and never of one that has ended', () => {
    assert.ok(planNotice(paint([{ ...due(-MINUTE), ...runByWorker }]), NOTHING_TOLD));
    assert.equal(
      planNotice(paint([{ ...due(-MINUTE), state: { status: 'completed' } }]), NOTHING_TOLD),
      null,
    );
  });

  it('is told together with others', () => {
    const notice = planNotice(paint([due(-MINUTE), due(HOUR), due(MINUTE)]), NOTHING_TOLD);
    assert.equal(notice?.message, 'Task 1 has missed its deadline (17:59): Do 1, and 1 more');
    assert.equal(notice.keys.length, 2);
  });

  it('is not what follows from a priority: that is shown, and nobody is disturbed', () => {
    assert.equal(planNotice(paint([{ state: { firstSeenAt: NOW - 48 * HOUR } }]), NOTHING_TOLD), null);
  });
});
