import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { readIfThere, replaceDurably } from '../../platform/files/files';
import type { RunProgram } from '../../platform/processes/programs';
import { type Entry, type Installed, nameEntry, refusalOf, type Scheduler } from './entry';
import { composeService, composeTimer, readTimer } from './systemdTexts';

/** Entries of the user's own systemd: a timer and a service for each queue, with the same name. */
export class SystemdTimers implements Scheduler {
  readonly kind = 'systemd';
  readonly condition =
    'The timer runs only while you are signed in. To run it always: "loginctl enable-linger".';

  /** `folder` is where the user's units are. */
  constructor(
    private readonly run: RunProgram,
    private readonly folder: string,
  ) {}

  /** Whether the user's systemd answers: in a container, in WSL or over su, the program may exist without it. */
  async isThere(): Promise<boolean> {
    return (await this.run('systemctl', ['--user', 'show-environment']))?.code === 0;
  }

  async find(queueFile: string): Promise<Installed | null> {
    const { timer } = this.filesOf(queueFile);
    const text = await readIfThere(timer);
    const crons = text === null ? null : readTimer(text.toString());
    if (crons === null) return null;
    const active = await this.run('systemctl', ['--user', 'is-active', '--quiet', path.basename(timer)]);
    return active?.code === 0 ? { crons } : { crons, trouble: 'its timer is not active: install it again' };
  }

  async install(entry: Entry): Promise<void> {
    const { service, timer } = this.filesOf(entry.queueFile);
    const texts = { service: composeService(entry), timer: composeTimer(entry) };
    await fs.mkdir(this.folder, { recursive: true });
    await replaceDurably(service, texts.service);
    await replaceDurably(timer, texts.timer);
    await this.ask('daemon-reload');
    await this.ask('enable', path.basename(timer));
    // A running timer takes its new times only after a restart.
    await this.ask('restart', path.basename(timer));
  }

  async remove(queueFile: string): Promise<boolean> {
    const { service, timer } = this.filesOf(queueFile);
    if ((await readIfThere(timer)) === null) return false;
    // Without systemd, only the files are left to remove.
    if (await this.isThere()) await this.ask('disable', '--now', path.basename(timer));
    await fs.rm(timer, { force: true });
    await fs.rm(service, { force: true });
    if (await this.isThere()) await this.ask('daemon-reload');
    return true;
  }

  private filesOf(queueFile: string): { readonly service: string; readonly timer: string } {
    const file = path.join(this.folder, nameEntry(queueFile));
    return { service: `${file}.service`, timer: `${file}.timer` };
  }

  private async ask(...words: readonly string[]): Promise<void> {
    const ran = await this.run('systemctl', ['--user', ...words]);
    if (ran?.code !== 0)
      throw refusalOf(`"systemctl --user ${words.join(' ')}"`, ran ?? { err: '', out: '' });
  }
}
