import assert from 'node:assert/strict';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GATE_FORMAT } from '../../../src/account/gateShape';
import { UserFile } from '../../../src/account/userFile';
import type { GateView } from '../../../src/domain/gate/gate';
import { userStateFolder } from '../../../src/platform/files/paths';
import { isAbout, openPlace } from '../../support/queue/queuePlace';
import type { Place, QueueFolder } from '../../support/queue/queuePlace';
import { SOON_SECONDS, limit, text, tool } from '../../support/claude/replies';
import type { Reply } from '../../support/claude/replies';
import type { Turn } from '../../support/claude/turn';
import { until } from '../../support/until';

const STAGGER_MS = 5_000;
const LOOK_MS = 20;

/** Three tasks in two queues; each meets the limit in the middle of its work, all at once, and continues after it. */
class SharedLimit {
  readonly limited: Turn[] = [];
  /** The sessions that asked after the reset. */
  readonly after: string[] = [];
  private meet: () => void = () => undefined;
  private readonly allAreThere = new Promise<void>((resolve) => (this.meet = resolve));
  /** Lets the probe after the reset have its answer. */
  letPass: () => void = () => undefined;
  private readonly passed = new Promise<void>((resolve) => (this.letPass = resolve));

  readonly respond = async (turn: Turn): Promise<Reply> => {
    if (turn.toolResults === 0) return tool('Glob', { pattern: '*.md' });
    if (this.limited.length < 3) {
      this.limited.push(turn);
      if (this.limited.length === 3) this.meet();
      await this.allAreThere;
      return limit({ kind: 'five_hour', resetInSeconds: SOON_SECONDS });
    }
    this.after.push(turn.session);
    await this.passed;
    return text('Written.');
  };
}

describe('Two queues and three workers of one account', () => {
  it('share one closed gate; after the reset one task goes first and the others follow, each in its session', async () => {
    const account = new SharedLimit();
    const env = { CLAUDE_QUEUE_OPEN_STAGGER: `${STAGGER_MS}ms`, CLAUDE_QUEUE_MAX_RUNNING: '2' };
    const place = await openPlace({ respond: account.respond, env });
    const { queue } = place;
    const other = place.addQueue('other');
    for (const name of ['a', 'b']) mkdirSync(join(queue.folder, name));
    await queue.trust([
      { id: 1, prompt: 'First of A', working_dir: 'a' },
      { id: 2, prompt: 'Second of A', working_dir: 'b' },
    ]);
    await other.trust([{ id: 1, prompt: 'Task of B' }]);
    const workers = [queue, queue, other].map((each) => each.start('work --until-empty'));
    await Promise.all(workers.map((worker) => worker.waitForLine(/Waiting[^:]*: /)));
    await until('one task went first', () => account.after.length > 0);
    await until('all others say so', async () => (await reasonsOf(queue, other)).length === 2);
    assert.equal(account.after.length, 1);
    const usage = await queue.run('usage');
    assert.equal(usage.code, 1);
    assert.match(
      usage.stdout,
      /half-open: 5-hour usage window has reset: probing with one task \(worker \d+ is running/,
    );
    const turns = watchTurns(place);
    account.letPass();
    const ends = await Promise.all(workers.map(({ ended }) => ended));
    assert.deepEqual(
      ends.map(({ code }) => code),
      [0, 0, 0],
    );
    assertApart(await turns());
    assert.deepEqual(account.after.toSorted(), account.limited.map(({ session }) => session).sort());
    await assertUnharmed(queue, [1, 2]);
    await assertUnharmed(other, [1]);
  });
});

/** Reasons of the tasks that wait for the probe. */
async function reasonsOf(...queues: readonly QueueFolder[]): Promise<string[]> {
  const all = await Promise.all(queues.map((queue) => queue.status()));
  const reasons = all.flatMap(({ tasks }) => tasks.map(({ reason }) => reason));
  return reasons.filter((reason) => reason.includes('probing with one task'));
}

/**
 * Starts to note when the gate gives a turn, by the file that all workers share: a request comes later than its turn, by
 * as much as the machine has else to do. What it answers ends that, and gives the times.
 */
function watchTurns({ home }: Place): () => Promise<readonly number[]> {
  const gates = join(userStateFolder(home.env), 'gates');
  const files = readdirSync(gates)
    .filter((name) => name.endsWith('.json'))
    .map((name) => new UserFile<GateView>(join(gates, name), GATE_FORMAT));
  const times = new Set<number>();
  const look = async (): Promise<void> => {
    for (const file of files)
      for (const { proven } of (await file.read()).closures)
        if (proven !== undefined) times.add(proven.begunAt);
  };
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      await look();
      await sleep(LOOK_MS);
    }
  })();
  return async () => {
    over.abort();
    await watching;
    await look();
    return [...times];
  };
}

function assertApart(times: readonly number[]): void {
  assert.equal(times.length, 3);
  for (const [place, at] of times.slice(1).entries()) {
    const gap = at - (times[place] ?? 0);
    assert.ok(gap >= STAGGER_MS, `turn ${place + 1} was given ${gap} ms after the one before`);
  }
}

async function assertUnharmed(queue: QueueFolder, ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    const task = await queue.task(id);
    assert.deepEqual([task.status, task.retryCount], ['completed', 0]);
  }
}

describe('A used-up weekly limit of one model', () => {
  it('keeps tasks of that model waiting, not others', async () => {
    const asked: string[] = [];
    let isReached = false;
    const place = await openPlace({
      respond: (turn) => {
        asked.push(turn.model.includes('opus') ? 'opus' : 'sonnet');
        if (isReached || !turn.model.includes('opus')) return text('Done.');
        isReached = true;
        return limit({ kind: 'seven_day_opus', resetInSeconds: 3600 });
      },
    });
    const { queue } = place;
    await queue.trust([
      { id: 1, prompt: 'Think', model: 'opus' },
      { id: 2, prompt: 'Think again', model: 'opus' },
      { id: 3, prompt: 'Write', model: 'sonnet' },
    ]);
    const worker = queue.start('work --until-empty');
    await until('the other model’s task is done', async () => (await queue.task(3)).status === 'completed');
    const { gate, tasks } = await queue.status();
    assert.equal(gate.state, 'open');
    assert.match(tasks.find(({ id }) => id === 2)?.reason ?? '', /weekly Opus usage window used up, resets/);
    assert.deepEqual(asked, ['opus', 'sonnet']);
    assert.equal((await queue.run('resume')).code, 0);
    const { code, stdout } = await worker.ended;
    assert.equal(code, 0, stdout);
    assert.deepEqual(asked, ['opus', 'sonnet', 'opus', 'opus']);
    await assertUnharmed(queue, [1, 2, 3]);
  });
});

describe('A machine that is offline', () => {
  async function openOffline(): Promise<Place> {
    const place = await openPlace();
    await place.queue.trust([
      { id: 1, prompt: 'First task' },
      { id: 2, prompt: 'Second task' },
    ]);
    await place.api.vanish();
    return place;
  }

  it('keeps all tasks waiting after one attempt, runs them when it is back, and counts no retry', async () => {
    const place = await openOffline();
    const { queue } = place;
    const worker = queue.start('work --until-empty');
    await worker.waitForLine(/Waiting[^:]*: the API cannot be reached, next try/);
    const { gate, tasks } = await queue.status();
    assert.deepEqual([gate.state, gate.reason], ['closed', 'offline']);
    assert.ok(tasks.every(({ reason }) => reason.startsWith('the API cannot be reached')));
    const { stdout: history } = await queue.run('history');
    assert.equal(history.match(/transient \(/g)?.length, 1, history);
    await place.api.comeBack();
    const probe = await queue.run('usage --probe');
    assert.match(probe.stdout, /probing with one task/);
    const { code, stdout } = await worker.ended;
    assert.equal(code, 0, stdout);
    assert.ok(place.api.turns().some((turn) => isAbout(turn, 'Second task')));
    await assertUnharmed(queue, [1, 2]);
  });
});
