import {
  existsSync,
  mkdirSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import * as fs from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { lockSync } from 'proper-lockfile';
import { Problem } from '../domain/problem';
import { hasCode, PRIVATE_FILE } from './files';
import { systemProcesses } from './processes';

/** After this long without a sign of life a lock counts as left behind. */
const STALE_MS = 10_000;

/** How long somebody waits: longer than a lock lives that was left behind. */
const MOST_WAIT_MS = 20_000;

/** Between two tries: a lock is held for less than a millisecond mostly. */
const LEAST_PAUSE_MS = 1;
const MOST_PAUSE_MS = 25;

/** Nobody keeps those who wait in order. Who has waited for this long asks the others to let it in. */
const ASK_AFTER_MS = 30;

/** As long as others who were asked stay back at most: those who wait have tried many times by then. */
const COURTESY_MS = 20;

/** Who comes again so soon keeps the lock for as long: the next step of a burst finds it there. */
const BURST_MS = 3;
const KEPT_MS = 3;

/** Who has held the lock for this long says so beside it. */
const TELL_AFTER_MS = 1_000;

/**
 * Runs `work` while no other process does, and gives what it gives.
 *
 * The lock alone does not make an owner: one that was frozen past the stale time wakes up beside its successor.
 * What is written under it must be able to tell (as the journal's lines do, and the swap of a queue file).
 * @throws Problem `queue-locked` when another process holds it for longer than a lock may live
 */
export function withLock<T>(lockPath: string, work: () => Promise<T>): Promise<T> {
  const before = turns.get(lockPath);
  const answer = before === undefined ? holding(lockPath, work) : before.then(() => holding(lockPath, work));
  const turn = answer.then(ignore, ignore).then(() => {
    if (turns.get(lockPath) === turn) turns.delete(lockPath);
  });
  turns.set(lockPath, turn);
  return answer;
}

/** Those of this process who want the same lock go one after another: none has to meet a moment when it is free. */
const turns = new Map<string, Promise<void>>();

function ignore(): void {
  // Whoever asked is told; the next only waits for the end.
}

async function holding<T>(lockPath: string, work: () => Promise<T>): Promise<T> {
  const isBurst = performance.now() - (givenBackAt.get(lockPath) ?? -Infinity) < BURST_MS;
  const release = await take(lockPath);
  const telling = new Telling(lockPath);
  let isDone = false;
  try {
    const answer = await work();
    isDone = true;
    return answer;
  } finally {
    telling.end();
    if (isDone && isBurst && !existsSync(wantedFile(lockPath))) keep(lockPath, release);
    else giveBack(lockPath, release);
    givenBackAt.set(lockPath, performance.now());
  }
}

/** When this process last had no more use for a lock. */
const givenBackAt = new Map<string, number>();

/** A lock that is not given back yet: what this process does comes in a burst, or the disk did not let it. */
interface Kept {
  readonly release: () => void;
  readonly since: number;
  readonly timer?: NodeJS.Timeout;
}

const kept = new Map<string, Kept>();

/** To take and give back a lock costs as much as what is done under it. Whoever wants it gets it all the same. */
function keep(lockPath: string, release: () => void): void {
  const timer = setTimeout(() => {
    kept.delete(lockPath);
    // What cannot be removed is taken over once it is stale; there is nobody here to be told.
    quietly(() => giveBack(lockPath, release));
  }, KEPT_MS);
  kept.set(lockPath, { release, since: performance.now(), timer });
}

/** A lock that cannot be removed is still there when the disk is well again, and still this process's own. */
function giveBack(lockPath: string, release: () => void): void {
  try {
    release();
  } catch (error) {
    kept.set(lockPath, {
      release: () => rmSync(lockPath, { recursive: true, force: true }),
      since: performance.now(),
    });
    throw error;
  }
}

async function take(lockPath: string): Promise<() => void> {
  const own = kept.get(lockPath);
  const isWanted = existsSync(wantedFile(lockPath));
  if (own !== undefined) {
    kept.delete(lockPath);
    clearTimeout(own.timer);
    // Frozen since, this process may have lost it to a successor, whose lock is not to be touched.
    const isOurs = performance.now() - own.since < STALE_MS / 2;
    if (isOurs && !isWanted) return own.release;
    if (isOurs) giveBack(lockPath, own.release);
  }
  if (isWanted) await letOthersIn(wantedFile(lockPath));
  return tryTake(lockPath) ?? (await waitFor(lockPath));
}

/** Stays back until somebody who waited has come in. One that died while it waited does not come. */
async function letOthersIn(wanted: string): Promise<void> {
  for (let waited = 0; waited < COURTESY_MS; waited += LEAST_PAUSE_MS) {
    await pause(LEAST_PAUSE_MS);
    if (!existsSync(wanted)) return;
  }
  quietly(() => rmSync(wanted, { force: true }));
}

/** Is there while somebody waits for long. Whoever comes in takes it away: others who still wait put it there again. */
function wantedFile(lockPath: string): string {
  return `${lockPath}.wanted`;
}

/** Who holds the lock stands beside it: the lock itself is a folder that must stay empty. */
function holderFile(lockPath: string): string {
  return `${lockPath}.holder`;
}

/** Says who holds a lock that is held for long, as long as it is held. */
class Telling {
  private isTold = false;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly lockPath: string) {
    this.timer = setTimeout(() => this.tell(), TELL_AFTER_MS).unref();
  }

  end(): void {
    clearTimeout(this.timer);
    if (this.isTold) quietly(() => rmSync(holderFile(this.lockPath), { force: true }));
  }

  private tell(): void {
    const holder = JSON.stringify(systemProcesses.self());
    quietly(() => {
      writeFileSync(holderFile(this.lockPath), holder, { mode: PRIVATE_FILE });
      this.isTold = true;
    });
  }
}

async function waitFor(lockPath: string): Promise<() => void> {
  const wanted = wantedFile(lockPath);
  for (let waited = 0; waited < MOST_WAIT_MS;) {
    if (waited > ASK_AFTER_MS && !existsSync(wanted)) quietly(() => writeFileSync(wanted, ''));
    const begun = performance.now();
    await pause(Math.min(MOST_PAUSE_MS, LEAST_PAUSE_MS + waited / 500));
    waited += performance.now() - begun;
    const release = tryTake(lockPath);
    if (release === null) continue;
    if (waited > ASK_AFTER_MS) quietly(() => rmSync(wanted, { force: true }));
    return release;
  }
  throw new Problem('queue-locked', await describeHolder(lockPath));
}

/** For what only helps others: a disk that takes no file will stop the work itself. */
function quietly(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}

/** What gives the lock back; null where somebody holds it. Without a detour through other threads, which takes longer than it all. */
function tryTake(lockPath: string): (() => void) | null {
  let compromised = false;
  try {
    const release = lockSync(lockPath, {
      lockfilePath: lockPath,
      stale: STALE_MS,
      realpath: false,
      fs: LOCK_CALLS,
      // Taken over by a successor, who will see what this owner still writes for what it is.
      onCompromised: () => {
        compromised = true;
      },
    });
    return () => {
      if (!compromised) releaseQuietly(release);
    };
  } catch (error) {
    if (!hasCode(error, 'ELOCKED') && !isTakenOver(error)) throw error;
    quietly(() => clearFromFuture(lockPath));
    return null;
  }
}

/** A lock that was left behind before the clock was set back would never grow stale. */
function clearFromFuture(lockPath: string): void {
  const stat = statSync(lockPath, { throwIfNoEntry: false });
  if (stat !== undefined && stat.mtimeMs > Date.now() + STALE_MS) rmdirSync(lockPath);
}

/** Whether this process was frozen between making the lock and marking it, for so long that it was cleared away. */
function isTakenOver(error: unknown): boolean {
  return hasCode(error, 'ENOENT') && (error as NodeJS.ErrnoException).syscall !== 'mkdir';
}

/** What the lock is made of. */
const LOCK_CALLS = {
  mkdirSync: (folder: string) => mkdirSync(folder),
  rmdirSync: (folder: string) => rmdirSync(folder),
  statSync: (folder: string) => statSync(folder),
  utimesSync: (folder: string, atime: Date, mtime: Date) => utimesSync(folder, atime, mtime),
  realpathSync: (folder: string) => realpathSync(folder),
};

function releaseQuietly(release: () => void): void {
  try {
    release();
  } catch (error) {
    // Taken over between the last sign of life and now: the successor's lock is not ours to remove.
    if (!hasCode(error, 'ENOTACQUIRED', 'ERELEASED')) throw error;
  }
}

async function describeHolder(lockPath: string): Promise<string> {
  let holder = 'unknown';
  try {
    holder = await fs.readFile(holderFile(lockPath), 'utf8');
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  return (
    `${lockPath} is held by another process (${holder}) and has been for longer than it should.\n` +
    'If that process is gone, remove the folder; if it hangs, end it.'
  );
}
