import { listForeign, without } from '../../platform/processes/environment';
import { homeFolder } from '../../platform/files/paths';
import { inhibitSleep, type SleepInhibitor } from '../../platform/processes/sleepInhibitor';
import type { EpochMs } from '../../domain/time/epoch';
import type { Idle } from '../../queue/taskQueue';
import { describeWorker } from '../../worker/registered';
import type { WorkerAwake, WorkerDeps } from '../../worker/workerDeps';
import type { Host } from './host';

/** Dependencies of the sleep inhibitor. */
export interface KeepAwakeDeps extends Pick<
  WorkerDeps,
  'queue' | 'rules' | 'owner' | 'since' | 'choice' | 'byTimer' | 'createId' | 'clock'
> {
  readonly host: Pick<Host, 'env'>;
  readonly platform: NodeJS.Platform;
  readonly say: (line: string) => void;
}

/** Longest delay of a task for which the machine is kept awake, in ms (12 h). */
const LONGEST_AWAKE_MS = 12 * 3_600_000;

/** Whether a task may start by itself soon: at its time, at a reset, after a delay, or when another one has ended. */
function startsSoon({ passesByItself, askAgainAt }: Idle, now: EpochMs): boolean {
  return askAgainAt === null ? passesByItself : askAgainAt - now <= LONGEST_AWAKE_MS;
}

/**
 * Creates the sleep inhibitor of a worker. If the setting `keepAwake` asks for it, it prevents sleep while attempts run
 * and while a task starts soon. It reports that and records it for `status`.
 */
export function createKeepAwake(deps: KeepAwakeDeps): WorkerAwake {
  return new KeepAwake(deps);
}

class KeepAwake implements WorkerAwake {
  private held: SleepInhibitor | null = null;
  /** Sleep could not be prevented; not tried again until it was not needed for a while. */
  private hasFailed = false;
  private recording: Promise<void> = Promise.resolve();

  constructor(private readonly deps: KeepAwakeDeps) {}

  whileRunning(): void {
    this.need(true);
  }

  whileIdle(idle: Idle): void {
    this.need(startsSoon(idle, this.deps.clock.now()));
  }

  async end(): Promise<void> {
    this.release();
    await this.recording;
  }

  private need(isNeeded: boolean): void {
    const isWanted = isNeeded && this.deps.rules.last.settings.keepAwake === 'while-working';
    if (!isWanted) this.release();
    else if (this.held === null && !this.hasFailed) this.hold();
  }

  private hold(): void {
    const { host, owner, platform, say } = this.deps;
    const inhibitor = inhibitSleep({
      platform,
      env: without(host.env, listForeign(host.env)),
      cwd: homeFolder(host.env),
      pid: owner.process.pid,
    });
    if (inhibitor === null) {
      this.fail('this system has no program for it');
      return;
    }
    this.held = inhibitor;
    say(`Preventing sleep while there is work to do (${inhibitor.program}).`);
    this.record(true);
    void inhibitor.ended.then((why) => {
      if (why === null || this.held !== inhibitor) return;
      this.held = null;
      this.fail(`${inhibitor.program}: ${why}`);
      this.record(false);
    });
  }

  private fail(why: string): void {
    this.hasFailed = true;
    this.deps.say(`Sleep is not prevented: ${why}.`);
  }

  private release(): void {
    this.hasFailed = false;
    if (this.held === null) return;
    this.held.release();
    this.held = null;
    this.deps.say('Sleep is allowed again.');
    this.record(false);
  }

  /** Records changes one after another; the last one counts. */
  private record(keepsAwake: boolean): void {
    const { queue, createId, say } = this.deps;
    const worker = { ...describeWorker(this.deps), ...(keepsAwake ? ({ keepsAwake: true } as const) : {}) };
    this.recording = this.recording
      .then(() => queue.register(worker, { alone: false }, createId()))
      .then(
        () => undefined,
        (error: unknown) => {
          say(`Sleep prevention could not be recorded: ${String(error)}`);
        },
      );
  }
}
