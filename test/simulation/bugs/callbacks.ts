import type { PlantedBug } from './plantedBugs';

/** Bugs in what is posted to the addresses of callbacks. */
export const CALLBACK_BUGS: readonly PlantedBug[] = [
  {
    name: 'callback: one whose sender died is not sent again',
    seed: 119,
    file: 'src/queue/model/callbackSteps.ts',
    find: 'isSameSender(other, sender) || !mightBeSending(other, liveness)',
    replace: 'isSameSender(other, sender)',
  },
  {
    name: 'callback: a failed try counts as delivered',
    seed: 4,
    file: 'src/app/notify/dueCallbacks.ts',
    find: 'return { key: callbackKey(callback), host: hostOf(url), failure };',
    replace: 'return { key: callbackKey(callback), host: hostOf(url), failure: failure && null };',
  },
  {
    name: 'callback: the second try follows at once',
    seed: 4,
    file: 'src/domain/queue/callbackTries.ts',
    find: 'RETRY_AFTER_MS[failures - 1]',
    replace: 'RETRY_AFTER_MS[failures - 1] / 100',
  },
  {
    name: 'callback: its text has the time of the try',
    seed: 4,
    file: 'src/app/present/notices/callbackTexts.ts',
    find: 'new Date(attempt.endedAt).toISOString()',
    replace: 'new Date().toISOString()',
  },
  {
    name: 'callback: its id is that of the task',
    seed: 4,
    file: 'src/queue/model/state/callbackState.ts',
    find: 'attemptId: mark,',
    replace: 'attemptId: String(event.id),',
  },
  {
    name: 'callback: the address of the row is forgotten while the machine has its own',
    seed: 54,
    file: 'src/domain/queue/attemptCallbacks.ts',
    find: 'const isOfRow = isRowApproved',
    replace: 'const isOfRow = !isOfQueue && isRowApproved',
  },
  {
    name: 'callback: an end that a recovery records has none',
    seed: 5,
    file: 'src/queue/model/state/callbackState.ts',
    find: 'if (callbacks === undefined) return;',
    replace: "if (callbacks === undefined || event.attempt.outcome === 'lost') return;",
  },
  {
    name: 'callback: it is recorded as delivered before it is sent',
    seed: 4,
    file: 'src/app/notify/dueCallbacks.ts',
    find: 'queue.settleCallbacks(sender, [await this.send(entry)], createId()),',
    replace: `{
        const early = { key: callbackKey(entry.callback), host: '', failure: null };
        await queue.settleCallbacks(sender, [early], createId());
        await this.send(entry);
      },`,
  },
];
