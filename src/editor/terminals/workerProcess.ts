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

/** How often is looked whether it works, in its first moments and after them. */
const LOOK_AGAIN_MS = 100;
const FIRST_MOMENTS_MS = 15_000;
const LOOK_LATER_MS = 2_000;

/** Whether the program is seen running in the queue, or need not be waited for any more. */
type IsRunning = (snapshot: Snapshot) => boolean;

/**
 * Starts `claude-queue` in a session of its own, so that neither a closed window nor a reload ends it, and comes back
 * when it works or has ended well, however long Claude Code takes to answer it.
 * @throws Problem `worker-not-started` with what it said last
 */
export async function startProgram(
  services: ExtensionServices,
  args: readonly string[],
  isRunning: IsRunning,
): Promise<void> {
  const { queueContext, window } = await services.queueModel.useSession();
  const log = await openLog(queueContext.paths.state);
  await window?.announce();
  const child = spawn(process.execPath, [services.program, '--queue', queueContext.queueFile, ...args], {
    cwd: queueContext.paths.workspace,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    env: { ...services.settings.environment(), ELECTRON_RUN_AS_NODE: '1' },
  });
  child.unref();
  const begun = new ProgramStart(services, child, log, isRunning).settle();
  await showProgress('Starting… (waiting for Claude Code)', begun);
}

/** A program from its start until it is known to work, or to have failed. */
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

  /** @throws Problem `worker-not-started` */
  async settle(): Promise<void> {
    try {
      const failure = await Promise.race([this.ended, this.untilAtWork()]);
      // Of two starts at once one ends at once: the other's worker is there.
      if (failure === '' || (await this.look())) return;
      const said = (await readWhole(this.log)).trim();
      const last = said.split('\n').at(-1) ?? '';
      throw new Problem('worker-not-started', last === '' ? `The worker did not start: ${failure}.` : last);
    } finally {
      this.isOver = true;
      await this.log.close();
    }
  }

  private async untilAtWork(): Promise<string> {
    const later = systemClock.now() + FIRST_MOMENTS_MS;
    while (!this.isOver && !(await this.look())) {
      await systemClock.sleep(systemClock.now() < later ? LOOK_AGAIN_MS : LOOK_LATER_MS);
    }
    return '';
  }

  private async look(): Promise<boolean> {
    const { queue } = await this.services.queueModel.useSession();
    return this.isRunning(await queue.read());
  }
}

/** From its start: the program that appends to it moves the place where one would continue reading. */
async function readWhole(log: fs.FileHandle): Promise<string> {
  const { size } = await log.stat();
  const { buffer, bytesRead } = await log.read(Buffer.alloc(size), 0, size, 0);
  return buffer.subarray(0, bytesRead).toString();
}

/** How a program ended; empty: well. */
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
 * What a program of the editor says; private, since prompts are in it. Each has a log of its own, so that what is told
 * of one was said by it; the one before is kept. Anyone who still writes into that continues doing so.
 */
async function openLog(state: StatePaths): Promise<fs.FileHandle> {
  makeStateFolder(state);
  const file = state.of('workerLog');
  for (;;) {
    try {
      // Appended to, since the program writes through two handles; read by this window.
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
