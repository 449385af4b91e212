import assert from 'node:assert/strict';
import { MANIFEST } from '../../../../scripts/texts/manifest';
import { listCommands } from '../../../../src/editor/state/listedCommands';
import { unbindTarget } from '../../../../src/editor/state/queueTarget';
import { planMenu } from '../../../../src/editor/status/queueMenu';
import { linkMenu } from '../../../../src/editor/status/statusLinks';
import { paint, ready, runByWorker } from '../../../support/queue/viewModels';
import type { Row } from '../../../support/queue/viewModels';

const listed = listCommands(MANIFEST);
const FAILED: Row = { state: { status: 'failed' } };

/** The task of a link of this queue. */
function taskOf(given: unknown): string {
  const { queue, target } = unbindTarget(given);
  assert.equal(queue, '/work');
  return target === undefined ? '' : JSON.stringify(target);
}

describe('The links of the status bar', () => {
  const links = (rows: readonly Row[], isTrusted = true): string[] =>
    linkMenu(planMenu(ready(paint(rows)), { isTrusted, hasFile: true }), '/work', listed).map(
      ({ title, command, arguments: [given] = [] }) => `${command} ${taskOf(given)} ${title}`,
    );

  it('are the likely entries of the menu, and the menu', () => {
    assert.deepEqual(links([{}]), [
      'start  Start…',
      'hold  Pause Queue',
      'addTask  Add Task…',
      'openQueueFile  Open Queue File',
      'showMenu  More…',
    ]);
    assert.deepEqual(links([runByWorker]).slice(0, 2), [
      'showAttempt 1 Show Attempt',
      'showWork  Show Worker Terminal',
    ]);
  });

  it('are at most three for what needs attention', () => {
    const found = links([FAILED, FAILED, FAILED, FAILED]).filter((link) => link.startsWith('showActions'));
    assert.deepEqual(found, [
      'showActions 1 Task 1 Failed…',
      'showActions 2 Task 2 Failed…',
      'showActions 3 Task 3 Failed…',
    ]);
  });

  it('only read in an untrusted workspace', () => {
    assert.deepEqual(links([FAILED], false), [
      'openQueueFile  Open Queue File',
      'showLog  Show Log',
      'showMenu  More…',
    ]);
  });
});
