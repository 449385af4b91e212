import { setTimeout as sleep } from 'node:timers/promises';
import { Fenced } from '../../src/domain/problem';
import { systemProcesses } from '../../src/platform/processes';
import { openQueue, RULES, successOf, want } from './faultQueue';

/** How long a run takes: others get their turn. */
const RUN_MS = 4;

type Say = (text: string) => void;

interface Part {
  readonly file: string;
  readonly name: string;
}

/** Every step once, each told as soon as it is done. */
export async function playSteps({ file, name }: Part, say: Say): Promise<void> {
  const queue = await openQueue(file, say);
  await queue.recover(RULES, `${name}-recover`);
  const { id } = await queue.add({ cells: { prompt: 'Added', working_dir: '/place/added' } }, `${name}-add`);
  say(`added ${String(id)}`);
  await queue.close();
  const first = await queue.claim(want(name), `${name}-claim`);
  if (first.kind === 'idle') return;
  await queue.start(first.claim, systemProcesses.self(), `${name}-start`);
  await queue.close();
  await queue.renew(first.claim, 0);
  const next = await queue.finish(first.claim, successOf(first), `${name}-finish`, want(name));
  say(`finished ${String(first.claim.id)}`);
  await queue.close();
  if (next?.kind !== 'claimed') return;
  await queue.release(next.claim, 'stopped', `${name}-release`);
  await queue.close();
}

/** Claims and finishes until nothing is left. */
export async function drain({ file, name }: Part, say: Say): Promise<void> {
  const queue = await openQueue(file, say);
  await queue.recover(RULES, `${name}-recover-${String(process.pid)}`);
  say('begins');
  for (let turn = 0; ; turn += 1) {
    const op = `${name}-${String(process.pid)}-${String(turn)}`;
    const answer = await queue.claim(want(name), `${op}-claim`);
    if (answer.kind === 'idle') break;
    say(`claimed ${String(answer.claim.id)}`);
    await sleep(RUN_MS);
    try {
      await queue.finish(answer.claim, successOf(answer), `${op}-finish`);
      say(`finished ${String(answer.claim.id)}`);
    } catch (error) {
      if (!(error instanceof Fenced)) throw error;
      say(`fenced ${String(answer.claim.id)}`);
    }
  }
  await queue.close();
}
