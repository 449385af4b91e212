import assert from 'node:assert/strict';
import { RedrawPace } from '../../../../src/editor/tree/redrawPace';
import { VirtualClock } from '../../../support/virtualClock';

/** VS Code keeps back what comes within this time after a redraw. */
const VSCODE_MS = 200;

describe('The pace of redraws', () => {
  let clock: VirtualClock;
  let pace: RedrawPace;
  let times: number[];

  beforeEach(() => {
    clock = new VirtualClock(0);
    times = [];
    pace = new RedrawPace(() => times.push(clock.now()), clock);
  });

  it('draws a change at once', () => {
    pace.request();
    assert.deepEqual(times, [0]);
  });

  it('draws changes that come soon after it together, as soon as VS Code would draw them', async () => {
    pace.request();
    await clock.runFor(50);
    pace.request();
    await clock.runFor(50);
    pace.request();
    await clock.runFor(VSCODE_MS);
    const [first, second = NaN, ...more] = times;
    assert.deepEqual([first, more], [0, []]);
    assert.ok(second > VSCODE_MS && second < VSCODE_MS + 50, String(second));
  });

  it('draws changes that keep coming', async () => {
    for (let turn = 0; turn < 100; turn += 1) {
      pace.request();
      await clock.runFor(20);
    }
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? NaN));
    assert.ok(gaps.length >= 8, `${times.length} redraws in 2 s`);
    assert.ok(Math.min(...gaps) > VSCODE_MS, gaps.join());
  });

  it('draws the next change at once after a quiet time', async () => {
    pace.request();
    await clock.runFor(1_000);
    pace.request();
    assert.deepEqual(times, [0, 1_000]);
  });

  it('draws nothing after its end', async () => {
    pace.request();
    pace.request();
    pace.dispose();
    await clock.runFor(1_000);
    assert.deepEqual(times, [0]);
  });
});
