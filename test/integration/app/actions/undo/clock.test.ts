import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../../queue/folder';
import { UndoWorld } from '../../../../support/undo/undoWorld';

describe('An undo where the clock of the queue is not that of this machine', () => {
  for (const aheadMs of [3_600_000, -3_600_000]) {
    it(`removes what the attempt created, with the queue ${aheadMs > 0 ? 'ahead' : 'behind'}`, async () => {
      const world = UndoWorld.create(makeFolder());
      world.aheadMs = aheadMs;
      writeFileSync(join(world.top, 'base'), 'base\n');
      world.repository.commitAll('first');
      await world.attempt(1, 'success', () => {
        mkdirSync(join(world.top, 'made'));
        writeFileSync(join(world.top, 'made', 'new'), 'new\n');
      });
      const { files, overlaps } = await world.undo(1);
      assert.deepEqual(
        { files, overlaps },
        { files: [{ path: 'made/new', action: 'removed' }], overlaps: [] },
      );
    });
  }
});
