import assert from 'node:assert/strict';
import { FaultFolder } from './faultQueue';
import { untilStopped, workPast } from './frozen';
import { startChild } from './program';

describe('A process that was frozen past its lock', () => {
  for (const play of ['edit', 'move', 'add'] as const)
    it(`does not put its own version over a newer file in \`${play}\`, and makes its change in that file`, async () => {
      const place = new FaultFolder(6);
      try {
        // Its new version is on disk beside the file by then.
        const freeze = { at: 1, act: 'freeze', among: ['rm'], after: 'linkSync' } as const;
        const child = startChild({ file: place.file, name: 'child', play, ...freeze });
        await child.waitForLine(/^freeze at rm$/);
        await untilStopped(child.pid);
        assert.equal(place.text(), place.original);
        place.ageLock();
        await workPast(place);
        child.kill('SIGCONT');
        const { stdout, stderr } = await child.ended;
        assert.match(stdout, /^through$/m, stderr);
        const replaced = stdout.match(/^then linkSync$/gm) ?? [];
        assert.equal(replaced.length, 1, 'it replaced the newer file before it looked');
        const rows = place.rows();
        assert.deepEqual(
          rows.map(({ id, status }) => [id, status]),
          EXPECTED[play],
        );
        assert.equal(rows.filter(({ prompt }) => prompt === 'Changed').length, play === 'move' ? 0 : 1);
      } finally {
        place.remove();
      }
    });
});

const rowsOf = (...ids: readonly number[]): unknown[] =>
  ids.map((id) => [String(id), id === 1 ? 'completed' : 'pending']);

/** Rows afterwards, with the task that the other process finished. */
const EXPECTED = {
  edit: rowsOf(1, 2, 3, 4, 5, 6),
  move: rowsOf(1, 3, 4, 5, 6, 2),
  add: [...rowsOf(1, 2, 3, 4, 5, 6), ['7', '']],
} as const;
