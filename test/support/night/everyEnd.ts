import { randomUUID } from 'node:crypto';
import type { Attempt } from '../../../src/domain/task/attempt';
import { HOUR, MINUTE } from '../queue/attempts';
import type { RowCells } from '../queue/rows';
import type { NightAttempt, NightStep } from './recordNight';

/** Length of the night of `EVERY_END`, in ms. */
export const NIGHT_MS = 12 * HOUR;

const CHECKED = { outcome: 'success', reason: 'verified', message: 'Its check passed.' } as const;

/** Rows of a night in which every outcome occurs. */
export const EVERY_END_ROWS: readonly RowCells[] = [
  { id: 1, prompt: 'Fix the race in the session refresh', verify: '["true"]' },
  { id: 2, prompt: 'READMEのインストール手順を日本語に翻訳する' },
  { id: 3, prompt: 'Remove <b>feature</b> flags that are always on', max_retries: '3' },
  { id: 4, prompt: 'Upgrade to Node 24 and fix what breaks', verify: '["true"]' },
  { id: 5, prompt: 'Add rate limiting to POST /login' },
  { id: 6, prompt: 'Write the migration for orders.archived_at' },
  { id: 7, prompt: 'Replace the hand-written retry with p-retry' },
  { id: 8, prompt: 'Add cursor pagination to GET /orders' },
  {
    id: 9,
    prompt: 'Summarise today’s commits in docs/daily.md',
    repeat: 'yes',
    repeat_interval: '0 * * * *',
  },
  { id: 10, prompt: 'Удалить мёртвый код из модуля отчётов' },
  { id: 11, prompt: 'Use paginated orders in the list view' },
  { id: 12, prompt: 'Rename the table of users' },
  { id: 13, prompt: 'Load-test the login', dependencies: '3' },
  { id: 14, prompt: 'Publish the changelog', scheduled_time: '2100-01-01 00:00' },
  { id: 15, prompt: 'Ask for a model that is gone' },
  { id: 16, prompt: 'Migrate date handling from moment' },
  { id: 17, prompt: 'Try another parser' },
  { id: 18, prompt: 'Speed up the test run' },
];

const usage = (five: number, seven: number, start: number): Pick<Attempt, 'usage'> => ({
  usage: [
    { window: 'five_hour', utilization: five, resetAt: start + 250 * MINUTE },
    { window: 'seven_day', utilization: seven, resetAt: start + 96 * HOUR },
  ],
});

/** Runs of task 9, one each hour: as many attempts as a forecast of the night after needs. */
export function ordinaryNight(): readonly NightAttempt[] {
  return Array.from({ length: 12 }, (_, hour) => ({
    id: 9,
    at: 60 * hour,
    minutes: 3 + (hour % 3),
    end: { outcome: 'success', costUsd: 0.2, diff: { files: 1, insertions: 12, deletions: 0 } },
  }));
}

/** Attempts of that night; `start` is its first minute. The last worker died. */
export function everyEnd(start: number): readonly (NightAttempt | NightStep)[] {
  const failed = {
    outcome: 'error',
    reason: 'verify-failed',
    message: 'flags.test.ts expects beta-cart.',
  } as const;
  return [
    {
      id: 1,
      at: 0,
      minutes: 21,
      end: {
        ...CHECKED,
        costUsd: 1.84,
        diff: { files: 3, insertions: 64, deletions: 18 },
        ...usage(0.2, 0.38, start),
      },
    },
    {
      id: 5,
      at: 22,
      minutes: 30,
      end: {
        outcome: 'review',
        reason: 'denied',
        message: 'Claude was refused an action.',
        costUsd: 2.41,
        diff: { files: 6, insertions: 212, deletions: 9 },
        denials: [{ tool: 'Bash', detail: 'docker compose up -d redis', rule: 'Bash(docker compose up *)' }],
      },
    },
    {
      id: 9,
      at: 53,
      minutes: 3,
      end: { outcome: 'success', costUsd: 0.21, diff: { files: 1, insertions: 19, deletions: 0 } },
    },
    {
      id: 4,
      at: 60,
      minutes: 7,
      end: {
        outcome: 'limit',
        message: 'You have reached your 5-hour limit.',
        costUsd: 0.3,
        closedSince: start + 67 * MINUTE,
        ...usage(1, 0.4, start),
      },
    },
    {
      id: 4,
      at: 250,
      minutes: 44,
      end: {
        ...CHECKED,
        costUsd: 5.46,
        diff: { files: 41, insertions: 388, deletions: 224 },
        ...usage(0.3, 0.42, start),
      },
    },
    {
      id: 2,
      at: 295,
      minutes: 10,
      end: {
        outcome: 'success',
        report: 'finished',
        costUsd: 0.58,
        diff: { files: 1, insertions: 88, deletions: 0 },
      },
    },
    {
      id: 3,
      at: 306,
      minutes: 8,
      end: { ...failed, costUsd: 0.9, diff: { files: 4, insertions: 30, deletions: 41 } },
    },
    {
      id: 3,
      at: 316,
      minutes: 8,
      end: { ...failed, costUsd: 0.9, diff: { files: 0, insertions: 0, deletions: 0 } },
    },
    {
      id: 3,
      at: 326,
      minutes: 8,
      end: { ...failed, costUsd: 1.17, diff: { files: 0, insertions: 0, deletions: 0 } },
    },
    {
      id: 6,
      at: 335,
      minutes: 12,
      end: {
        outcome: 'review',
        reason: 'needs-answer',
        message: 'Should archived orders be counted?',
        costUsd: 0.4,
        diff: { files: 0, insertions: 0, deletions: 0 },
      },
    },
    {
      id: 7,
      at: 348,
      minutes: 5,
      end: { outcome: 'cancelled', reason: 'cancelled', note: { kind: 'cancelled' }, costUsd: 0.1 },
    },
    { id: 8, at: 355, minutes: 5 },
    {
      id: 8,
      at: 480,
      minutes: 29,
      end: {
        outcome: 'success',
        report: 'finished',
        costUsd: 2.2,
        diff: { files: 7, insertions: 186, deletions: 32 },
      },
    },
    {
      id: 10,
      at: 510,
      minutes: 15,
      end: {
        outcome: 'success',
        report: 'none',
        costUsd: 1.33,
        diff: { files: 2, insertions: 4, deletions: 307 },
      },
    },
    {
      id: 11,
      at: 526,
      minutes: 2,
      end: { outcome: 'transient', reason: '529', message: 'The API is overloaded.' },
    },
    {
      id: 11,
      at: 530,
      minutes: 9,
      end: {
        outcome: 'success',
        report: 'finished',
        costUsd: 0.4,
        diff: { files: 0, insertions: 0, deletions: 0 },
      },
    },
    {
      id: 15,
      at: 540,
      minutes: 1,
      end: {
        outcome: 'permanent',
        reason: 'model_not_found',
        message: 'There is no model "gone".',
        costUsd: 0,
      },
    },
    {
      id: 18,
      at: 542,
      minutes: 4,
      end: {
        outcome: 'error',
        reason: 'timeout',
        note: { kind: 'timed-out', afterMs: 4 * MINUTE },
        message: '',
      },
    },
    {
      id: 17,
      at: 547,
      minutes: 3,
      end: { outcome: 'success', costUsd: 0.1, diff: { files: 1, insertions: 5, deletions: 5 } },
    },
    {
      at: 551,
      act: async (queue) => {
        await queue.remove([17], randomUUID());
      },
    },
    {
      id: 9,
      at: 552,
      minutes: 3,
      end: { outcome: 'success', costUsd: 0.2, diff: { files: 1, insertions: 9, deletions: 0 } },
    },
    {
      id: 16,
      at: 556,
      minutes: 2,
      end: { outcome: 'blocked', reason: 'sign-in', message: 'OAuth token has expired.' },
    },
    { at: 560, act: (queue) => queue.hold({ by: 'person', why: 'until I am back' }, randomUUID()) },
    { at: 640, act: (queue) => queue.resume(randomUUID()) },
    { id: 16, at: 700, minutes: 2 },
  ];
}
