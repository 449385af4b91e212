import type { Attempt } from '../../../src/domain/task/attempt';
import { COMPLETION } from '../../../src/domain/task/decide';
import type { CliHarness } from './cliHarness';
import { openCliQueue, startAttempt } from './fileQueue';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

/** Runs attempts one after another, from the harness's time on. Each one's end is the start of the next. */
export async function live(
  cli: CliHarness,
  ...ends: readonly (Partial<Attempt> & { readonly tookMs: number })[]
): Promise<void> {
  const queue = await openCliQueue(cli);
  for (const { tookMs, ...end } of ends) {
    const claim = await startAttempt(cli, queue, { pid: cli.now, startedAt: 'then' });
    const startedAt = cli.now;
    cli.now += tookMs;
    const attempt: Attempt = {
      id: claim.id,
      number: claim.attempt,
      power: 'power',
      session: 'session',
      startedAt,
      endedAt: cli.now,
      outcome: 'success',
      reason: 'done',
      message: 'Done.',
      code: 0,
      ...end,
    };
    const isOver = attempt.outcome === 'success';
    await queue.finish(
      claim,
      {
        attempt,
        definition: {
          id: claim.id,
          priority: 'medium',
          workingDir: '/',
          prompt: 'p',
          dependencies: [],
          maxRetries: 3,
        },
        change: {
          ...COMPLETION,
          status: isOver ? 'completed' : 'pending',
          succeeded: isOver,
          code: attempt.code,
        },
      },
      `finish-${String(startedAt)}`,
    );
  }
  await queue.close();
}

/** Three attempts at two tasks. */
export async function liveAnEvening(cli: CliHarness): Promise<void> {
  cli.write('1,high,.,First,pending,,,no,,0,3', '2,low,.,Second,pending,,,no,,0,3');
  await live(
    cli,
    {
      tookMs: 4 * MINUTE_MS,
      outcome: 'error',
      reason: 'timeout',
      code: 1,
      costUsd: 0.1,
      turns: 12,
      priority: 'high',
      waitedMs: 90_000,
    },
    { tookMs: 2 * MINUTE_MS, costUsd: 0.25, turns: 9, priority: 'high', waitedMs: 6 * HOUR_MS, late: true },
    { tookMs: 1 * MINUTE_MS, missed: 3 },
  );
}

/** One attempt of which everything is known. */
export async function liveInFull(cli: CliHarness): Promise<void> {
  cli.write('1,high,.,First,pending,,,no,,0,3');
  await live(cli, {
    tookMs: 4 * MINUTE_MS,
    outcome: 'review',
    reason: 'denied',
    message: 'Finished, but Claude was refused an action: Bash git push.',
    user: 'ann',
    exitCode: 0,
    subtype: 'success',
    terminalReason: 'completed',
    turns: 12,
    costUsd: 0.1,
    apiMs: 2 * MINUTE_MS,
    version: '2.1.329',
    model: 'claude-opus-5-5',
    tokens: { input: 10_200, output: 5_000, cacheRead: 1_200_000, cacheWrite: 100 },
    contextTokens: 88_000,
    diff: { files: 2, insertions: 12, deletions: 3 },
    check: { result: 'failed', exitCode: 1, ms: 3_000, output: 'no' },
    permissions: { mode: 'acceptEdits', tools: ['Bash(npm test)'] },
    billing: 'subscription',
    denials: [{ tool: 'Bash', detail: 'git push', rule: 'Bash(git push)' }],
    limitWarning: true,
    output: 'task-1-attempt-1.jsonl',
  });
}
