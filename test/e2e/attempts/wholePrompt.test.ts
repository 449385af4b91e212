import assert from 'node:assert/strict';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLAUDE } from '../../support/claude/claudeHome';
import { isAbout, openPlace } from '../../support/queue/queuePlace';
import { until } from '../../support/until';

/** Far more than a pipe or a socket holds. */
const PROMPT = `Begin here. ${'0123456789abcde '.repeat(65_536)}End here.`;

describe('A prompt of a megabyte', () => {
  it('reaches Claude whole even if the worker is killed while Claude Code starts', async () => {
    const place = await openPlace();
    const { queue, home } = place;
    const [slow, given, go] = ['slow', 'given', 'go'].map((name) => join(home.folder, name)) as [
      string,
      string,
      string,
    ];
    // Claude Code, but slow to start: it reads nothing before it is let go.
    const lines = [
      '#!/bin/bash',
      `case " $* " in *" -p "*) ;; *) exec ${CLAUDE} "$@" ;; esac`,
      'until read -t 0; do sleep 0.02; done',
      `: > ${given}`,
      `until [ -e ${go} ]; do sleep 0.02; done`,
      `exec ${CLAUDE} "$@"`,
    ];
    writeFileSync(slow, `${lines.join('\n')}\n`);
    chmodSync(slow, 0o755);
    await queue.trust([{ id: 1, prompt: PROMPT }]);
    const worker = queue.start('work', { CLAUDE_QUEUE_CLAUDE: slow });
    await until('the prompt is being given', () => existsSync(given));
    process.kill(worker.pid, 'SIGKILL');
    await worker.ended;
    writeFileSync(go, '');
    await until('Claude asks', () => place.api.turns().length > 0);
    const [turn] = place.api.turns();
    assert.ok(turn && isAbout(turn, PROMPT), `${String(turn?.lastUserText.length)} characters came`);
    const named = [...queue.stateFiles().keys()].filter((file) => file.endsWith('.prompt'));
    assert.deepEqual(named, [], 'the file that held the prompt has no name');
  });
});
