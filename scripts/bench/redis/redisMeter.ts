import { Redis } from 'ioredis';

/** Work of Redis during a measurement. */
export interface RedisWork {
  /** Commands, with those that scripts call. */
  readonly commands: number;
  /** Processor time of its main thread. */
  readonly cpuMicros: number;
}

/** Commands of the meter itself, and of a connection that begins. */
const OWN = /^(?:info|config|hello|client|auth|select|ping|command|flushall)\b/;

/** Reads the counters of a Redis server. */
export class RedisMeter {
  private readonly client: Redis;

  constructor(url: string) {
    this.client = new Redis(url);
  }

  async empty(): Promise<void> {
    await this.client.flushall();
  }

  /** Bytes that it uses, but for its statistics and the buffers of its connections. */
  async memory(): Promise<number> {
    await this.client.config('RESETSTAT');
    const info = await this.client.info('memory');
    return find(info, 'used_memory') - find(info, 'mem_clients_normal');
  }

  async measure(work: () => Promise<unknown>): Promise<RedisWork> {
    await this.client.config('RESETSTAT');
    const before = await this.cpuMicros();
    await work();
    const cpuMicros = (await this.cpuMicros()) - before;
    const stats = await this.client.info('commandstats');
    let commands = 0;
    for (const [, name = '', calls] of stats.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm))
      if (!OWN.test(name)) commands += Number(calls);
    return { commands, cpuMicros };
  }

  close(): void {
    this.client.disconnect();
  }

  private async cpuMicros(): Promise<number> {
    const info = await this.client.info('cpu');
    const parts = ['used_cpu_user_main_thread', 'used_cpu_sys_main_thread'];
    return parts.reduce((sum, part) => sum + find(info, part) * 1_000_000, 0);
  }
}

function find(info: string, name: string): number {
  return Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1]);
}
