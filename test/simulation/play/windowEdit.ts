import type { Kernel } from '../machine/kernel';
import type { Random } from '../machine/random';
import type { HandOwner } from './handOwner';
import type { Machine } from './machine';

const SECOND = 1_000;

/** Lets the user edit the queue file in an editor window of its own, and save it. */
export function editInWindow(
  {
    machine,
    kernel,
    owner,
  }: { readonly machine: Machine; readonly kernel: Kernel; readonly owner: HandOwner },
  random: Random,
): void {
  const { process, window } = machine.openWindow();
  let isSaving = false;
  const { ended } = process;
  process.ended = () => {
    ended();
    owner.dirtySince.delete(process);
    if (isSaving) owner.forgetSave(window);
  };
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      kernel.after(process, ms, resolve);
    });
  const work = async (): Promise<void> => {
    await window.open();
    const opened = window.text();
    // The disk may change before the user types.
    if (random.oneIn(2)) await pause(random.between(1, 400));
    const text = owner.draftIn(opened, random);
    if (text !== null) {
      await untilDone(() => window.type(text), pause);
      owner.dirtySince.set(process, kernel.now);
      await pause(random.between(100, 60 * SECOND));
      isSaving = true;
      owner.dirtySince.delete(process);
      await untilDone(() => owner.saveWindow(window, opened, text), pause);
      isSaving = false;
    }
    await window.close();
    // The import of what was saved continues.
    await pause(10 * SECOND);
    process.kill();
  };
  machine.follow(process, work());
}

/** The user tries again what the editor could not do because of the disk. */
async function untilDone(work: () => Promise<void>, pause: (ms: number) => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      await pause(2 * SECOND);
    }
  }
}
