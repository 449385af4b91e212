import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { isAbout, openPlace } from '../../support/queue/queuePlace';
import { text } from '../../support/claude/replies';
import { report } from '../../support/claude/reports';

const SCRIPT = resolve(__dirname, '../../../scripts/measureSelfReport.mjs');

describe('npm run measure:self-report', () => {
  it('counts how often a report came and was right', async () => {
    const { api, home } = await openPlace({
      respond: (turn) => {
        if (isAbout(turn, 'hello.txt')) return report(turn, 'Done.', 'finished', 'Created the file.');
        return isAbout(turn, 'letter.txt')
          ? report(turn, 'Done.', 'finished', 'Translated it.')
          : text('Which?');
      },
    });
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, [SCRIPT, '--yes', '--each', '1'], { env: home.env });
    assert.match(stdout, /^This runs 3 small tasks with your own claude and account: about 9 requests\./);
    assert.match(stdout, /\| finished \| 1 \| 1 \(100 %\) \| 1 \(100 %\) \| 100 % \|/);
    assert.match(stdout, /\| could_not \| 1 \| 1 \(100 %\) \| 0 \(0 %\) \| 0 % \|/);
    assert.match(stdout, /\| needs_answer \| 1 \| 0 \(0 %\) \| 0 \(0 %\) \| - \|/);
    assert.match(stdout, /\| all \| 3 \| 2 \(67 %\) \| 1 \(33 %\) \| 50 % \|/);
    const turns = api.turns().length;
    const asked = await run(process.execPath, [SCRIPT], { env: home.env });
    assert.match(asked.stdout, /Nothing was run\. Answer y, or give --yes\.\n$/);
    assert.equal(api.turns().length, turns);
  });
});
