import { spawn } from 'node:child_process';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { Problem } from '../domain/problem';
import { makePrivateFolder } from '../platform/files';
import type { Desk } from './desk';
import type { QueueSession } from './session';

/** A log longer than this is begun anew; one older log is kept. */
const LOG_LIMIT = 1024 * 1024;

/** How long a program that does not end at once is waited for until it is taken to work. */
const STARTED_MS = 15_000;
const LOOK_AGAIN_MS = 100;

/**
 * Starts `claude-queue` in a session of its own, so that neither a closed window nor a reload ends it, and comes back
 * when it works (`isAtWork`), or has ended well already. @throws Problem `worker-not-started` with what it said
 */
export async function startProgram(
  desk: Desk,
  session: QueueSession,
  args: readonly string[],
  isAtWork: (pid: number) => Promise<boolean>,
): Promise<void> {
  const { site } = session;
  const log = await openLog(path.join(site.queueFolder, 'state'));
  const begin = (await log.handle.stat()).size;
  await session.window?.announce();
  const child = spawn(process.execPath, [desk.program, '--queue', site.queueFile, ...args], {
    cwd: site.workspace,
    detached: true,
    stdio: ['ignore', log.handle.fd, log.handle.fd],
    env: { ...desk.settings.environment(), ELECTRON_RUN_AS_NODE: '1' },
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => {
      resolve(error.message);
    });
    child.once('exit', (code, signal) => {
      resolve(code === 0 ? '' : `exit ${String(code ?? signal)}`);
    });
  });
  child.unref();
  await log.handle.close();
  const failure = await Promise.race([ended, untilAtWork(site.host.clock, () => isAtWork(child.pid ?? 0))]);
  // Of two starts at once one ends at once: the other's worker is there.
  if (failure === '' || (await isAtWork(child.pid ?? 0))) return;
  const said = (await fs.readFile(log.file)).subarray(begin).toString().trim();
  throw new Problem('worker-not-started', said === '' ? `The worker did not start: ${failure}.` : said);
}

async function untilAtWork(
  clock: QueueSession['site']['host']['clock'],
  isAtWork: () => Promise<boolean>,
): Promise<string> {
  const latest = clock.now() + STARTED_MS;
  while (clock.now() < latest && !(await isAtWork())) await clock.sleep(LOOK_AGAIN_MS);
  return '';
}

/** What workers of the editor say; private, since prompts stand in it. */
async function openLog(stateFolder: string): Promise<{ file: string; handle: fs.FileHandle }> {
  await makePrivateFolder(stateFolder);
  const file = path.join(stateFolder, 'worker.log');
  const handle = await fs.open(file, 'a', 0o600);
  if ((await handle.stat()).size <= LOG_LIMIT) return { file, handle };
  await handle.close();
  await fs.rename(file, `${file}.1`);
  return { file, handle: await fs.open(file, 'a', 0o600) };
}
