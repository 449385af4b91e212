import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import type { TaskId } from '../../../src/domain/task/task';
import type { RedisQueue } from '../../../src/queue/redis/redisQueue';
import { isLong, randomFrom, report, seed } from '../../support/fuzz';
import type { Running } from '../../support/machine/processes';
import { TcpProxy } from '../../support/redis/tcpProxy';
import { until } from '../../support/until';
import { RULES } from '../faultQueue';
import { startRedisChild } from '../program';
import { RedisGround } from './redisFaults';
import { again, draftOf, endOf, LEASES, printShared, readShared } from './redisPlace';

const HOUR_MS = 3_600_000;
/** Faults of one queue: its history stays short. */
const ROUNDS = 40;
const QUEUES = isLong ? 250 : 1;
const CHILDREN = 3;
const TASKS_PER_ROUND = 4;
/** Processes of the test without faults: each has four workers. */
const CROWD = 5;
const CROWD_ROUNDS = isLong ? 20 : 1;
const CROWD_TASKS = isLong ? 500 : 300;
const FAULTS = ['kill', 'freeze', 'kill Redis', 'cut a reply', 'cut', 'delay', 'stall', 'half-open'] as const;

const nowMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);

/** A child, and when it could not run any more. */
interface Worker {
  readonly child: Running;
  readonly stoppedAt: number[];
}

/** A run of a task by a child, as the child said. */
interface Run {
  readonly id: TaskId;
  readonly from: number;
  readonly to: number;
}

/** One queue on which children work while faults happen. */
class Turmoil {
  readonly acknowledged: TaskId[] = [];
  private readonly workers: Worker[] = [];
  private readonly running = new Set<Worker>();
  private readonly frozen = new Set<Promise<void>>();
  private readonly sign = path.join(tmpdir(), `claude-task-queue-${randomUUID()}.sign`);

  constructor(
    private readonly ground: RedisGround,
    private readonly proxy: TcpProxy,
    private readonly queue: RedisQueue,
    private readonly random: () => number,
    private readonly children = CHILDREN,
  ) {
    for (let count = 0; count < children; count += 1) this.startWorker();
  }

  async round(number: number): Promise<void> {
    await this.add(number);
    await sleep(this.random() * 100);
    const fault = FAULTS[Math.floor(this.random() * FAULTS.length)];
    if (fault === 'kill') await this.kill();
    else if (fault === 'freeze') this.freeze();
    else if (fault === 'kill Redis') await this.ground.redis.restart();
    else if (fault === 'cut a reply') await this.proxy.cutAtNextReply();
    else if (fault === 'cut') this.proxy.cut();
    else await this.disturb(fault);
  }

  /** Lets the children finish everything, and checks what they leave. */
  async end(): Promise<void> {
    await Promise.all(this.frozen);
    writeFileSync(this.sign, '');
    await until('everything is done', () => this.letRun()).catch(async (error: unknown) => {
      const { tasks } = await this.queue.read();
      const left = tasks.filter(({ state }) => state.status !== 'completed');
      throw new Error(`Left: ${inspect(left, { depth: 4 })}`, { cause: error });
    });
    writeFileSync(endOf(this.sign), '');
    const ended = await Promise.all(this.workers.map(({ child }) => child.ended));
    for (const file of [this.sign, endOf(this.sign)]) rmSync(file);
    const said = ended.map(({ stdout, stderr }) => stdout + stderr).join('\n');
    assert.doesNotMatch(said, /failed|Error/);
    await this.checkHistory(said);
    this.checkOwners();
    await this.checkStates(said);
  }

  private startWorker(): void {
    const number = this.workers.length;
    const skewMs = [0, HOUR_MS, -HOUR_MS][number % 3] ?? 0;
    const orders = { port: this.proxy.port, queue: this.ground.name, name: `w${String(number)}`, skewMs };
    const child = startRedisChild({ ...orders, play: 'work', sign: this.sign });
    const worker = { child, stoppedAt: [] };
    this.workers.push(worker);
    this.running.add(worker);
  }

  async add(number: number, tasks = TASKS_PER_ROUND): Promise<void> {
    const drafts = Array.from({ length: tasks }, (_, index) => draftOf(`${String(number)}-${String(index)}`));
    const added = await again(() => this.queue.addAll(drafts, `add-${String(number)}`));
    this.acknowledged.push(...added.map(({ id }) => id));
  }

  private pick(): Worker | undefined {
    return [...this.running][Math.floor(this.random() * this.running.size)];
  }

  private async kill(): Promise<void> {
    const worker = this.pick();
    if (worker === undefined) return;
    this.running.delete(worker);
    worker.child.kill('SIGKILL');
    await worker.child.ended;
    worker.stoppedAt.push(nowMs());
    this.startWorker();
  }

  /** Stops a child for longer than its lease, while the others continue. */
  private freeze(): void {
    const worker = this.pick();
    if (worker === undefined || this.running.size === 1) return;
    this.running.delete(worker);
    worker.child.kill('SIGSTOP');
    worker.stoppedAt.push(nowMs());
    const over = sleep(LEASES.leaseMs + 1_000).then(() => {
      worker.child.kill('SIGCONT');
      this.running.add(worker);
      this.frozen.delete(over);
    });
    this.frozen.add(over);
  }

  private async disturb(how: 'delay' | 'stall' | 'half-open' | undefined): Promise<void> {
    if (how === 'delay') this.proxy.delay({ toServer: 30, toClient: 30 });
    else if (how === 'stall') this.proxy.stall();
    else this.proxy.stall('toClient');
    await sleep(this.random() * 400);
    this.proxy.heal();
  }

  /** Repeats what was lost more than once. Returns whether everything is done. */
  async letRun(): Promise<boolean> {
    await again(() => this.queue.recover(RULES, randomUUID()));
    const { tasks } = await this.queue.read();
    for (const { definition, state, claim } of tasks)
      if (
        claim === undefined &&
        state.status !== 'completed' &&
        (state.retryCount > 0 || state.status === 'failed')
      )
        await this.queue.command(definition.id, 'retry', randomUUID()).catch(() => undefined);
    return tasks.every(({ state }) => state.status === 'completed');
  }

  private async checkHistory(said: string): Promise<void> {
    const { tasks } = await this.queue.read();
    assert.deepEqual(sorted(tasks.map(({ definition }) => definition.id)), sorted(this.acknowledged));
    const attempts = await this.queue.attempts({});
    const names = attempts.map(({ id, number }) => `${String(id)} ${String(number)}`);
    assert.equal(new Set(names).size, names.length, 'each attempt is recorded once');
    const successes = attempts.filter(({ outcome }) => outcome === 'success');
    assert.deepEqual(
      sorted(successes.map(({ id }) => id)),
      sorted(this.acknowledged),
      'each task succeeded once',
    );
    const finished = [...said.matchAll(/^finished (\d+ \d+) (\d+) @/gm)];
    const tokens = finished.map(([, , token]) => token);
    assert.equal(new Set(tokens).size, tokens.length, 'each token ends once');
    const succeeded = new Set(successes.map(({ id, number }) => `${String(id)} ${String(number)}`));
    for (const [, name = ''] of finished) assert.ok(succeeded.has(name), `the end of ${name} was accepted`);
  }

  /** No two children ran a task at the same time. */
  private checkOwners(): void {
    const runs = this.workers.flatMap((worker) => runsOf(worker));
    for (const run of runs) {
      const others = runs.filter(
        (one) => one !== run && one.id === run.id && one.from < run.to && run.from < one.to,
      );
      assert.deepEqual(others, [], inspect(run));
    }
  }

  /** All processes read the same in the end, also one that begins only now. */
  private async checkStates(said: string): Promise<void> {
    const state = await readShared(this.queue);
    assert.deepEqual(await readShared(await this.ground.open()), state);
    const text = await printShared(this.queue);
    const files = [...said.matchAll(/^state (\S+) @/gm)].map(([, file = '']) => file);
    assert.ok(files.length >= this.children);
    for (const file of files) {
      assert.equal(readFileSync(file, 'utf8'), text, file);
      rmSync(file);
    }
  }

  fenced(): number {
    return this.workers.reduce((sum, { child }) => sum + (child.output().match(/^fenced/gm)?.length ?? 0), 0);
  }
}

/** The runs whose start was accepted. One that was frozen meanwhile did not run after that. */
function runsOf({ child, stoppedAt }: Worker): Run[] {
  const said = child.output();
  const timeOf = (what: string): number =>
    Number(new RegExp(`^${what} @(\\d+)$`, 'm').exec(said)?.[1] ?? NaN);
  return [...said.matchAll(/^started (?<what>(\d+) \d+ \d+) @\d+$/gm)].map(([, what = '', id]) => {
    const from = timeOf(`starts ${what}`);
    const ran = timeOf(`ran ${what}`);
    const stopped = stoppedAt.filter((time) => time >= from);
    return { id: Number(id), from, to: Math.min(Number.isNaN(ran) ? from : ran, ...stopped) };
  });
}

function sorted(ids: readonly TaskId[]): TaskId[] {
  return ids.toSorted((a, b) => a - b);
}

describe('Workers of a queue in Redis', () => {
  const ground = new RedisGround({ aof: 'always' });

  it('lose no task, run none twice and accept no stale end, whatever is killed, frozen or cut', async () => {
    const random = randomFrom(seed);
    let fenced = 0;
    for (let count = 0; count < QUEUES; count += 1) {
      ground.newQueue();
      const proxy = await TcpProxy.open(ground.redis.port);
      const queue = await ground.open({ leaseTimes: LEASES });
      const turmoil = new Turmoil(ground, proxy, queue, random);
      try {
        for (let number = 0; number < ROUNDS; number += 1) await turmoil.round(number);
        await turmoil.end();
      } finally {
        fenced += turmoil.fenced();
        await proxy.close();
      }
    }
    report(`${String(QUEUES * ROUNDS)} faults, ${String(fenced)} ends refused`);
  }).timeout(isLong ? 4 * HOUR_MS : 300_000);

  it('record each attempt once, 20 of them in five processes', async () => {
    ground.newQueue();
    const proxy = await TcpProxy.open(ground.redis.port);
    try {
      const queue = await ground.open({ leaseTimes: LEASES });
      const crowd = new Turmoil(ground, proxy, queue, randomFrom(seed), CROWD);
      for (let round = 0; round < CROWD_ROUNDS; round += 1) {
        await crowd.add(round, CROWD_TASKS);
        await until('the round is done', () => crowd.letRun());
      }
      await crowd.end();
      assert.equal((await queue.attempts({})).length, CROWD_ROUNDS * CROWD_TASKS);
    } finally {
      await proxy.close();
    }
    report(`${String(CROWD_ROUNDS * CROWD_TASKS)} tasks by 20 workers, each attempt recorded once`);
  }).timeout(isLong ? HOUR_MS : 120_000);
});
