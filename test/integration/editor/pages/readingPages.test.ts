import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import type { ExtensionServices } from '../../../../src/editor/state/extensionServices';
import { unbindTarget } from '../../../../src/editor/state/queueTarget';
import { CALLED, loadInEditor, PANELS } from '../../../support/editor/fakeEditor';
import { Holds, openQueue } from './openQueue';

const PROGRAM = resolve(__dirname, '../../../../dist/cli.js');

/** Loads the pages that only read. */
const load = () =>
  loadInEditor(async () => {
    const [{ Pages }, { idOf }, { showHistoryPage }, { showUsagePage }, { showReportPage }] =
      await Promise.all([
        import('../../../../src/editor/pages/openPages'),
        import('../../../../src/editor/commands/tasks/taskTarget'),
        import('../../../../src/editor/pages/history/historyPage'),
        import('../../../../src/editor/pages/history/usagePage'),
        import('../../../../src/editor/pages/report/reportPage'),
        // Loaded with the first message.
        import('../../../../src/editor/pages/pageMessage'),
      ]);
    return { Pages, idOf, show: { history: showHistoryPage, usage: showUsagePage, report: showReportPage } };
  });

/** Opens a page of a queue with one task, number 7 in the first row. `holds` holds back the next read of the queue. */
async function openPage(kind: 'history' | 'usage' | 'report') {
  const { Pages, idOf, show } = await load();
  const { session, place } = await openQueue([{ id: 7, prompt: 'Hearts' }]);
  const holds = new Holds();
  const use = session.use.bind(session);
  session.use = async (work) => {
    const until = holds.take();
    const found = await use(work);
    await until;
    return found;
  };
  const queueModel = { useQueue: () => Promise.resolve(session) };
  const pages = new Pages(place as never);
  await show[kind]({ ...place, program: PROGRAM, queueModel, pages } as unknown as ExtensionServices);
  const panel = PANELS.at(-1);
  assert.ok(panel !== undefined);
  return { panel, idOf, holds, close: () => session.close() };
}

describe('A page that only reads', () => {
  it('shows the row of the task whose name is pressed in the report', async () => {
    const { panel, idOf, close } = await openPage('report');
    await panel.press('row', '7');
    const [command, bound] = CALLED.at(-1) ?? [];
    assert.equal(command, 'claudeQueue.showRow');
    const { target } = unbindTarget(bound);
    assert.deepEqual([typeof target, idOf(target)], ['object', 7], 'a number alone is a line');
    await close();
  });

  for (const [kind, action, slow, quick] of [
    ['history', 'period', 'all', 'week'],
    ['usage', 'period', 'all', 'week'],
    ['report', 'hours', '168', '12'],
  ] as const)
    it(`shows the time that was chosen last, though reading another one took longer: ${kind}`, async () => {
      const { panel, holds, close } = await openPage(kind);
      const release = holds.hold();
      const first = panel.press(action, slow);
      await panel.press(action, quick);
      release();
      await first;
      assert.equal(panel.posted.length, 1, 'the answer of the first choice came after that of the second');
      await close();
    });
});
