/** Names of a queue's keys in Redis. All have the queue's name as their hash tag, so that a cluster keeps them together. */
export class RedisKeys {
  private readonly prefix: string;

  constructor(queue: string) {
    this.prefix = `claude-queue:{${queue}}:`;
  }

  /** Stream: the entries that are not in the base. */
  get log(): string {
    return `${this.prefix}log`;
  }

  /** String: the newest entry, by its number and a random word. */
  get head(): string {
    return `${this.prefix}head`;
  }

  /** List: the state that the removed entries added up to, in parts. */
  get base(): string {
    return `${this.prefix}base`;
  }

  /** String: the last entry in the base. */
  get baseHead(): string {
    return `${this.prefix}base-head`;
  }

  /** Sorted set: numbers of the chapters of the past, by the time at which each ends. */
  get chapters(): string {
    return `${this.prefix}past`;
  }

  /** String: length of the chapters since the last one that starts with a base, in bytes. */
  get pastWeight(): string {
    return `${this.prefix}past-weight`;
  }

  /** List: a chapter of the past. It ends with the entry of this number. */
  chapter(number: string): string {
    return `${this.prefix}past:${number}`;
  }

  /** Sorted set: processes that work on the queue, by the end of their lease. */
  get leases(): string {
    return `${this.prefix}leases`;
  }

  /** Hash: since when and until when leases were renewed without a gap. */
  get pulse(): string {
    return `${this.prefix}pulse`;
  }

  /** List: archived attempts, one JSON text each. */
  get archive(): string {
    return `${this.prefix}archive`;
  }

  /** String: the gate of an account, as JSON. */
  gate(account: string): string {
    return `${this.prefix}gate:${account}`;
  }
}
