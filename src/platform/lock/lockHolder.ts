import { rmSync, writeFileSync } from 'node:fs';
import { PRIVATE_FILE, quietly, readIfThere } from '../files/files';
import { systemProcesses } from '../processes/processes';
import { t } from '../text/translate';

/** Time after which the holder of a lock writes its identity beside it. */
const WRITE_HOLDER_AFTER_MS = 1_000;

/** Writes the holder's identity beside a lock that is held for long, and removes it at the end. */
export class LockNotice {
  private isReported = false;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly lockPath: string) {
    this.timer = setTimeout(() => this.report(), WRITE_HOLDER_AFTER_MS).unref();
  }

  end(): void {
    clearTimeout(this.timer);
    if (this.isReported) quietly(() => rmSync(holderFile(this.lockPath), { force: true }));
  }

  private report(): void {
    quietly(() => {
      const holder = JSON.stringify(systemProcesses.identify(process.pid) ?? { pid: process.pid });
      writeFileSync(holderFile(this.lockPath), holder, { mode: PRIVATE_FILE });
      this.isReported = true;
    });
  }
}

/** Describes that a lock is held for too long: by whom, if that is known, and what to do. */
export async function describeHolder(lockPath: string): Promise<string> {
  const holder = (await readIfThere(holderFile(lockPath)))?.toString() ?? t('unknown');
  return t(
    '{0} has been locked by another process ({1}) for too long.\n' +
      'If that process is gone, remove the folder; if it hangs, end it.',
    lockPath,
    holder,
  );
}

/** Returns the file that names the holder. It is beside the lock, which is a folder that must stay empty. */
function holderFile(lockPath: string): string {
  return `${lockPath}.holder`;
}
