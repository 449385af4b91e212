import assert from 'node:assert/strict';
import { OUTCOMES } from '../../../src/domain/task/attempt';
import { signal } from '../../support/machine/processTable';
import { isAbout, NO_SECOND_TRY, openPlace } from '../../support/queue/queuePlace';
import {
  hang,
  limit,
  serverError,
  signInFailure,
  text,
  tool,
  unknownModel,
} from '../../support/claude/replies';
import type { Reply } from '../../support/claude/replies';
import type { Turn } from '../../support/claude/turn';

/** Answers by prompt; every other task is done at once. */
const ANSWERS: Readonly<Record<string, (turn: Turn) => Reply>> = {
  'Is refused': ({ toolResults }) =>
    toolResults === 0 ? tool('Bash', { command: 'python3 -c pass', description: 'try' }) : text('Done.'),
  'Asks for nobody': () => unknownModel('nobody'),
  'Meets a fault': () => serverError(),
  'Is taken back': () => hang(),
  'Is killed': ({ number }) => (number === 1 ? hang() : text('Done after all.')),
  'Meets the limit': () => limit({ kind: 'five_hour', resetInSeconds: 600 }),
  'Is signed out': () => signInFailure(),
};

/** End of each task, and its status then. The killed one resumes at once and succeeds. */
const ENDS = [
  { prompt: 'Goes well', outcome: 'success', reason: 'done', status: 'completed' },
  { prompt: 'Is refused', outcome: 'review', reason: 'denied', status: 'review' },
  { prompt: 'Fails its check', outcome: 'error', reason: 'verify-failed', status: 'pending' },
  { prompt: 'Asks for nobody', outcome: 'permanent', reason: 'model_not_found', status: 'failed' },
  { prompt: 'Meets a fault', outcome: 'transient', reason: '500', status: 'pending' },
  { prompt: 'Is taken back', outcome: 'cancelled', reason: 'cancelled', status: 'cancelled' },
  { prompt: 'Is killed', outcome: 'lost', reason: 'SIGKILL', status: 'completed' },
  { prompt: 'Meets the limit', outcome: 'limit', reason: 'five_hour', status: 'pending' },
  { prompt: 'Is signed out', outcome: 'blocked', reason: 'sign-in', status: 'pending' },
] as const;

interface Reported {
  readonly id: number;
  readonly outcome: string;
  readonly reason: string;
}

describe('A queue with every outcome', () => {
  it('has each outcome once, the same in history, report and status', async () => {
    const place = await openPlace({
      respond: (turn) => {
        const [, answer] = Object.entries(ANSWERS).find(([prompt]) => isAbout(turn, prompt)) ?? [];
        return answer?.(turn) ?? text('Done.');
      },
      env: NO_SECOND_TRY,
    });
    const { queue, api } = place;
    await queue.trust(
      ENDS.map(({ prompt, outcome }, index) => ({
        ...{ id: index + 1, prompt, model: outcome === 'permanent' ? 'nobody' : '' },
        verify: outcome === 'error' ? '["false"]' : '',
      })),
    );
    const worker = queue.start(`work --max-tasks ${String(ENDS.length)}`);
    await api.waitForTurn((turn) => isAbout(turn, 'Is taken back'));
    assert.equal((await queue.run('cancel 6')).code, 0);
    await api.waitForTurn((turn) => isAbout(turn, 'Is killed'));
    for (const each of place.processes().filter(({ pid }) => pid !== worker.pid)) signal(each, 'SIGKILL');
    const { code, stdout } = await worker.ended;
    assert.equal(code, 1, stdout);
    assert.equal((await queue.run('resume')).code, 0);
    assert.equal((await queue.run('run --id 9')).code, 2);

    const { attempts, total } = JSON.parse((await queue.run('history --json')).stdout) as {
      attempts: Reported[];
      total: { outcomes: object };
    };
    const kept = attempts.toReversed().map(({ id, outcome, reason }) => [id, outcome, reason]);
    assert.deepEqual(
      kept,
      ENDS.flatMap(({ outcome, reason }, index) => [
        [index + 1, outcome, reason],
        ...(outcome === 'lost' ? [[index + 1, 'success', 'done']] : []),
      ]),
    );
    const { tasks } = await queue.status();
    assert.deepEqual(
      tasks.map(({ status, lastOutcome, retryCount }) => [status, lastOutcome, retryCount]),
      ENDS.map(({ status, outcome }) => [
        status,
        outcome === 'lost' ? 'success' : outcome,
        outcome === 'error' ? 1 : 0,
      ]),
    );
    const once = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 1]));
    assert.deepEqual(total.outcomes, { ...once, success: 2 });
    const report = JSON.parse((await queue.run('report --json')).stdout) as { total: { outcomes: object } };
    assert.deepEqual(report.total.outcomes, total.outcomes);
  });
});
