import { randomBytes } from 'node:crypto';
import { isProblem, Problem } from '../../domain/problem';
import type { EpochMs } from '../../domain/time/epoch';
import type { Clock } from '../../platform/clock';
import { t } from '../../platform/text/translate';
import type { Past } from '../model/replay/pastQueue';
import { isRefusal, type RedisConnection } from './connection';
import type { RedisKeys } from './keys';
import { FORGET_MS, LEASE_TIMES, Leases, nameOwner, ownersIn, type LeaseTimes } from './leases';
import {
  applyEntry,
  composeBase,
  emptyRedisState,
  isEntry,
  readEntry,
  restoreBase,
  type Entry,
  type RedisState,
} from './redisState';
import { forgetPast, readPast } from './redisPast';
import { APPEND, RENEW, COMPACT, LOAD, LOOK } from './scripts';
import { ServerTime } from './serverTime';
import type { Machine } from '../taskQueue';
import { asList } from '../../platform/text/shapes';

/** Name of the state before the first entry. */
const NO_ENTRY = '0:';

/** Largest difference of a writer's time from Redis's, in ms. */
const CLOCKS_APART_MS = 5_000;
/** Result of an append that is refused because its step is older than that. */
const LATE = -1;
/** Number of such results in a row after which the step itself takes too long. The process may have been frozen once. */
const MOST_LATE = 3;

/** Least number of entries after the base before the base is written anew. */
const LEAST_COMPACTED = 1_000;

/** Most times that the base is read for one answer. More are needed only if it is replaced each time. */
const MOST_LOADS = 20;

/** An entry to append, and what is written with it. */
export interface Writing {
  readonly entry: Entry;
  /** Time of the step that made the entry. */
  readonly at: EpochMs;
  /** Names of the processes that the entry makes owners: each gets a lease. */
  readonly owners: readonly string[];
  /** Archived attempts, one JSON text each. */
  readonly archive: readonly string[];
}

/** Options of a log. */
export interface LogOptions {
  readonly connection: RedisConnection;
  readonly keys: RedisKeys;
  /** Name of the queue for messages. */
  readonly name: string;
  readonly machine: Machine;
  /** Called with the queue's settings when they are read and when they change. */
  readonly settingsChanged?: (settings: string) => Promise<void>;
  /** Clock of a test; absent: Redis's. */
  readonly clock?: Pick<Clock, 'now'>;
  /** Times of a test. */
  readonly leaseTimes?: LeaseTimes;
  /** Least number of entries of a test after which the base is written anew. */
  readonly leastCompacted?: number;
}

/** Log of a queue in Redis, and the state that it adds up to, as this process has read it. */
export class RedisLog {
  state: RedisState = emptyRedisState();
  readonly leases: Leases;
  private readonly times: LeaseTimes;
  private head = NO_ENTRY;
  private lastSettings: string | null = null;
  /** Number of entries in a row that were refused because their step had taken too long. */
  private late = 0;
  /** Number of entries in a row whose answer was lost. */
  private unanswered = 0;
  /** Number of entries that were read or written since the base. */
  private sinceBase = 0;
  private readonly time = new ServerTime();
  /** Distinguishes the entries of this object from all others, with their number. */
  private readonly writer = `${randomBytes(6).toString('hex')}.`;
  private written = 0;

  constructor(private readonly options: LogOptions) {
    this.times = options.leaseTimes ?? LEASE_TIMES;
    this.leases = new Leases(options.machine, () => this.time.now(), this.times);
  }

  /** Time of the queue: Redis's, as of the last answer, plus what has passed since. */
  now(): EpochMs {
    return this.options.clock?.now() ?? this.time.now();
  }

  /** Reads what has happened. @throws Problem `redis-away`, `redis-refused`, `state-damaged` */
  async look(): Promise<void> {
    const { log, head, baseHead, leases, pulse } = this.options.keys;
    for (let loads = 0; loads < MOST_LOADS; loads += 1) {
      const answer = await this.run(LOOK, [log, head, baseHead, leases, pulse], [this.head]);
      const [entries, ends, lastPulse] = answer;
      const isKnown = this.takeUp(entries);
      // After the entries: what they started may have ended since.
      this.leases.update(asList(ends), asList(lastPulse));
      if (isKnown) {
        await this.reportSettings();
        return;
      }
      await this.load();
    }
    throw this.damaged(t('the name of its state'));
  }

  /** Appends an entry. Returns false, with the state brought up to date, if others were faster. */
  async append({ entry, at, owners, archive }: Writing): Promise<boolean> {
    const { log, head, baseHead, leases, archive: archiveKey, pulse } = this.options.keys;
    this.written += 1;
    const word = `${this.writer}${this.written.toString(36)}`;
    const most = this.options.clock === undefined ? CLOCKS_APART_MS : 0;
    // Nobody could read the queue any more.
    if (!isEntry(entry)) throw this.damaged(t('what this change would write'));
    const args = [this.head, word, JSON.stringify(entry), at, most, this.times.leaseMs, owners.length];
    const keys = [log, head, baseHead, leases, archiveKey, pulse];
    const answer = await this.runAppend(keys, [...args, ...owners, ...archive]);
    if (answer === null) return false;
    const [result, entries, ends, lastPulse] = answer;
    this.late = result === LATE ? this.late + 1 : 0;
    if (result === 1) {
      this.leases.begin(owners);
      this.head = `${String(numberOf(this.head) + 1)}:${word}`;
      this.sinceBase += 1;
      return true;
    }
    if (result === -2) throw this.damagedLog();
    if (this.late === MOST_LATE) {
      this.late = 0;
      throw new Problem(
        'queue-busy',
        t(
          'The change takes this machine longer than {0} s, and would not be of the newest queue. Make it in smaller parts.',
          CLOCKS_APART_MS / 1000,
        ),
      );
    }
    if (result === 0) {
      if (!this.takeUp(entries)) await this.load();
      // An owner that counted as dead may have renewed its lease before it was faster.
      this.leases.update(asList(ends), asList(lastPulse));
    }
    await this.reportSettings();
    return false;
  }

  /**
   * As `append`, for attempts that are too old. If it fails, it is tried again once as much has happened: the change after
   * which it is done was made, and must not be reported as failed.
   */
  async retire(writing: Writing): Promise<boolean> {
    try {
      return await this.append(writing);
    } catch (error) {
      if (!isProblem(error)) throw error;
      this.sinceBase = 0;
      return false;
    }
  }

  /** Renews the leases of these processes. */
  async renewLeases(owners: readonly string[]): Promise<void> {
    const { leases, pulse } = this.options.keys;
    const { leaseMs, longestGapMs, settleMs } = this.times;
    const [ends, lastPulse] = await this.run(
      RENEW,
      [leases, pulse],
      [leaseMs, longestGapMs, settleMs, FORGET_MS, ...owners],
    );
    this.leases.update(asList(ends), asList(lastPulse));
  }

  /** Returns the kept past from this time on. */
  past(from: EpochMs): Past {
    const { connection, keys, name } = this.options;
    return readPast({ connection, keys, name }, from);
  }

  /** Whether so much has happened since the base that it is to be written anew. */
  isCompactionDue(): boolean {
    return this.sinceBase >= (this.options.leastCompacted ?? LEAST_COMPACTED) + this.state.queue.tasks.size;
  }

  /**
   * Writes the base anew, and keeps the entries that are in it for this time, in ms. Another process may have done it
   * already.
   */
  async compact(keptMs: number): Promise<void> {
    const { connection, keys, name } = this.options;
    this.sinceBase = 0;
    const chapter = keys.chapter(String(numberOf(this.head)));
    try {
      await connection.run(
        COMPACT,
        [keys.log, keys.base, keys.baseHead, keys.chapters, keys.pastWeight, chapter],
        [this.head, ...composeBase(this.state)],
      );
      await forgetPast({ connection, keys, name }, this.time.now() - keptMs);
    } catch (error) {
      // The log has everything. It is longer to read until the next base.
      if (!isProblem(error)) throw error;
    }
  }

  /** Reports the settings if they are others than those reported last. */
  async reportSettings(): Promise<void> {
    const { settings } = this.state;
    if (settings === this.lastSettings) return;
    await this.options.settingsChanged?.(settings);
    this.lastSettings = settings;
  }

  private async run(
    script: string,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<unknown[]> {
    const [now, ...answer] = asList(await this.options.connection.run(script, keys, args));
    this.time.set(now);
    return answer;
  }

  /**
   * Returns the answer; null, with the state brought up to date, if it was lost: the log says what came of the entry. Once,
   * since a server may accept each look and no change.
   * @throws Problem `redis-away`: the entry may be in the log; `redis-refused`
   */
  private async runAppend(
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<unknown[] | null> {
    try {
      const [result, now, ...answer] = asList(await this.options.connection.run(APPEND, keys, args));
      this.unanswered = 0;
      this.time.set(now);
      return [result, ...answer];
    } catch (error) {
      if (!isProblem(error, 'redis-away') || isRefusal(error)) throw error;
      this.unanswered += 1;
      if (this.unanswered === 1 && (await this.canLook())) return null;
      this.unanswered = 0;
      throw new Problem('redis-away', t('{0} The change may have been made.', error.message), {
        cause: error,
      });
    }
  }

  private async canLook(): Promise<boolean> {
    try {
      await this.look();
      return true;
    } catch (error) {
      if (isProblem(error, 'redis-away')) return false;
      throw error;
    }
  }

  /** Takes up entries, each a random word and a text. Returns false if this state is not in the log. */
  private takeUp(entries: unknown): boolean {
    if (entries === -1) throw this.damagedLog();
    if (!Array.isArray(entries)) return false;
    for (let index = 0; index + 1 < entries.length; index += 2) {
      const entry = readEntry(String(entries[index + 1]));
      if (entry === null) throw this.damaged(t('entry {0}', numberOf(this.head) + 1));
      applyEntry(this.state, entry);
      this.leases.begin(ownersIn(entry.events ?? []).map(nameOwner));
      this.head = `${String(numberOf(this.head) + 1)}:${String(entries[index])}`;
      this.sinceBase += 1;
    }
    return true;
  }

  private async load(): Promise<void> {
    const { connection, keys } = this.options;
    const [head, parts] = asList(await connection.run(LOAD, [keys.base, keys.baseHead], []));
    const state = restoreBase(asList(parts).map(String));
    if (state === null) throw this.damaged(t('its state'));
    if (head !== NO_ENTRY && asList(parts).length === 0) throw this.damagedLog();
    // Revisions are compared: a log that was replaced must not repeat one.
    state.queue.revision += this.state.queue.revision + 1;
    this.state = state;
    this.head = String(head);
    this.sinceBase = 0;
  }

  private damagedLog(): Problem {
    const message = t(
      '{0}: a part of its log is missing. Another program removed it, or the server did to free memory. Restore a backup.',
      this.options.name,
    );
    return new Problem('state-damaged', message);
  }

  private damaged(what: string): Problem {
    const message = t(
      '{0}: {1} cannot be understood. It was written by a later version, or not by this program.',
      this.options.name,
      what,
    );
    return new Problem('state-damaged', message);
  }
}

function numberOf(head: string): number {
  return Number.parseInt(head, 10);
}
