import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { readIfThere, replaceDurably } from '../../platform/files/files';
import type { RunProgram } from '../../platform/processes/programs';
import { t } from '../../platform/text/translate';
import {
  type Entry,
  type Installed,
  type InstallSteps,
  nameEntry,
  runOrRefuse,
  type Scheduler,
} from './scheduler';
import { composeService, composeTimer, readTimer, TARGET } from './systemdTexts';

/** Folder with the links to the enabled timers. */
const WANTED = `${TARGET}.wants`;

/** Entries of the user's own systemd: a timer and a service for each queue, with the same name. */
export class SystemdTimers implements Scheduler {
  readonly kind = 'systemd';
  readonly condition = t(
    'The timer runs only while you are signed in. To run it always: "loginctl enable-linger".',
  );

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
    return active?.code === 0
      ? { crons }
      : { crons, trouble: t('its timer is not active: install it again') };
  }

  stepsOf(entry: Entry): InstallSteps {
    const { service, timer } = this.filesOf(entry.queueFile);
    const name = path.basename(timer);
    return {
      texts: [
        { place: service, text: composeService(entry) },
        { place: timer, text: composeTimer(entry) },
      ],
      commands: [
        ['systemctl', '--user', 'daemon-reload'],
        ['systemctl', '--user', 'enable', name],
        // A running timer takes its new times only after a restart.
        ['systemctl', '--user', 'restart', name],
      ],
    };
  }

  async install(entry: Entry): Promise<void> {
    const { texts, commands } = this.stepsOf(entry);
    await fs.mkdir(this.folder, { recursive: true });
    for (const { place, text } of texts) await replaceDurably(place, text);
    for (const command of commands) await runOrRefuse(this.run, command);
  }

  async remove(queueFile: string): Promise<boolean> {
    const { service, timer } = this.filesOf(queueFile);
    if ((await readIfThere(timer)) === null) return false;
    // Without systemd, only the files are left to remove, and the link by which the timer is enabled.
    if (await this.isThere()) await this.ask('disable', '--now', path.basename(timer));
    await fs.rm(path.join(this.folder, WANTED, path.basename(timer)), { force: true });
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
    await runOrRefuse(this.run, ['systemctl', '--user', ...words]);
  }
}
