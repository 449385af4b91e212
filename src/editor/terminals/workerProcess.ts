import { type ChildProcess, spawn } from 'node:child_process';
import * as fs from 'node:fs/promises';
import { Problem } from '../../domain/problem';
import { systemClock } from '../../platform/clock';
import { hasCode } from '../../platform/files/files';
import { makeStateFolder } from '../../queue/openQueue';
import type { StatePaths } from '../../queue/queuePaths';
import type { Snapshot } from '../../queue/taskQueue';
import type { ExtensionServices } from '../state/extensionServices';
import { showProgress } from '../status/progress';
import { t } from '../../platform/text/translate';

/** Milliseconds between two looks at whether it runs: during the first moments, and later. */
const LOOK_AGAIN_MS = 100;
const FIRST_MOMENTS_MS = 15_000;
const LOOK_LATER_MS = 2_000;

/** Whether the program is seen running in the queue, or need not be waited for any more. */
type IsRunning = (snapshot: Snapshot) => boolean;

/**
 * Starts `claude-queue` in a session of its own, so that neither a closed window nor a reload ends it. Resolves when it
 * runs or has ended successfully, however long Claude Code takes to answer it.
 * @throws Problem `worker-not-started` with its last output
 */
export async function startProgram(
  services: ExtensionServices,
  args: readonly string[],
  isRunning: IsRunning,
): Promise<void> {
  const { queueContext, window } = await services.queueModel.useQueue();
  await window?.announce();
  const { redis, program, settings } = services;
  const place = redis === null ? ['--queue', queueContext.queueFile] : ['--redis', redis.address];
  const env = { ...settings.environment(), ...(await redis?.environment()), ELECTRON_RUN_AS_NODE: '1' };
  const cwd = queueContext.paths.workspace;
  // Opened last, and closed by `settle`: nothing that fails comes between.
  const log = await openLog(queueContext.paths.state);
  const stdio = ['ignore' as const, log.fd, log.fd];
  const child = spawn(process.execPath, [program, ...place, ...args], { cwd, detached: true, stdio, env });
  child.unref();
  const started = new ProgramStart(services, child, log, isRunning).settle();
  await showProgress(t('Starting… (waiting for Claude Code)'), started);
}

/** Program from its start until it is known to run, or to have failed. */
class ProgramStart {
  private readonly ended: Promise<string>;
  private isOver = false;

  constructor(
    private readonly services: ExtensionServices,
    child: ChildProcess,
    private readonly log: fs.FileHandle,
    private readonly isRunning: IsRunning,
  ) {
    this.ended = untilEnd(child);
  }

  /** Waits until the program runs or has ended. @throws Problem `worker-not-started` */
  async settle(): Promise<void> {
    try {
      const failure = await Promise.race([this.ended, this.untilRunning()]);
      // If two programs start together, one ends at once: the worker of the other is running.
      if (failure === '' || (await this.look())) return;
      const said = (await readWhole(this.log)).trim();
      const last = said.split('\n').at(-1) ?? '';
      throw new Problem(
        'worker-not-started',
        last === '' ? t('The worker did not start: {0}.', failure) : last,
      );
    } finally {
      this.isOver = true;
      await this.log.close();
    }
  }

  private async untilRunning(): Promise<string> {
    const later = systemClock.now() + FIRST_MOMENTS_MS;
    while (!this.isOver && !(await this.look())) {
      await systemClock.sleep(systemClock.now() < later ? LOOK_AGAIN_MS : LOOK_LATER_MS);
    }
    return '';
  }

  private async look(): Promise<boolean> {
    const { queue } = await this.services.queueModel.useQueue();
    return this.isRunning(await queue.read());
  }
}

/** Reads the log from its start: the program's writes move the position of the shared handle. */
async function readWhole(log: fs.FileHandle): Promise<string> {
  const { size } = await log.stat();
  const { buffer, bytesRead } = await log.read(Buffer.alloc(size), 0, size, 0);
  return buffer.subarray(0, bytesRead).toString();
}

/** Resolves to how a program ended; empty on success. */
function untilEnd(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      resolve(error.message);
    });
    child.once('exit', (code, signal) => {
      resolve(code === 0 ? '' : `exit ${String(code ?? signal)}`);
    });
  });
}

/**
 * Opens a log for the output of a program that the editor started. It is private, because it contains prompts. Each
 * program has its own log, so that its errors are its own; the previous log is kept, and a program may still write to
 * it.
 */
async function openLog(state: StatePaths): Promise<fs.FileHandle> {
  makeStateFolder(state);
  const file = state.of('workerLog');
  for (;;) {
    try {
      // The program appends through two handles; this window reads.
      return await fs.open(file, 'ax+', 0o600);
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    }
    try {
      await fs.rename(file, `${file}.1`);
    } catch (error) {
      // Another window was quicker.
      if (!hasCode(error, 'ENOENT')) throw error;
    }
  }
}
