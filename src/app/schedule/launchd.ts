import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type { Clock } from '../../platform/clock';
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
import { composeAgent, readAgent } from './launchTexts';

const POLL_MS = 100;
const MOST_POLLS = 50;

/** Agents of macOS: one property list for each queue. */
export class LaunchAgents implements Scheduler {
  readonly kind = 'launchd';
  readonly condition = t('The agent runs only while you are signed in.');
  private readonly domain: string;

  /** `folder` is where the user's agents are. */
  constructor(
    private readonly run: RunProgram,
    private readonly folder: string,
    userId: number,
    private readonly clock: Clock,
  ) {
    this.domain = `gui/${String(userId)}`;
  }

  async isThere(): Promise<boolean> {
    return (await this.run('launchctl', ['version'])) !== null;
  }

  async find(queueFile: string): Promise<Installed | null> {
    const text = await readIfThere(this.fileOf(queueFile));
    const crons = text === null ? null : readAgent(text.toString());
    if (crons === null) return null;
    const isLoaded = await this.isLoaded(queueFile);
    return isLoaded ? { crons } : { crons, trouble: t('launchd has not loaded it: install it again') };
  }

  stepsOf(entry: Entry): InstallSteps {
    const file = this.fileOf(entry.queueFile);
    return {
      texts: [{ place: file, text: composeAgent(entry) }],
      commands: [['launchctl', 'bootstrap', this.domain, file]],
    };
  }

  async install(entry: Entry): Promise<void> {
    const { texts, commands } = this.stepsOf(entry);
    await fs.mkdir(this.folder, { recursive: true });
    await this.unload(entry.queueFile);
    for (const { place, text } of texts) await replaceDurably(place, text);
    for (const command of commands) await runOrRefuse(this.run, command);
  }

  async remove(queueFile: string): Promise<boolean> {
    const file = this.fileOf(queueFile);
    if ((await readIfThere(file)) === null) return false;
    await this.unload(queueFile);
    await fs.rm(file, { force: true });
    return true;
  }

  private async isLoaded(queueFile: string): Promise<boolean> {
    const printed = await this.run('launchctl', ['print', `${this.domain}/${nameEntry(queueFile)}`]);
    return printed?.code === 0;
  }

  private async unload(queueFile: string): Promise<void> {
    if (!(await this.isLoaded(queueFile))) return;
    await runOrRefuse(this.run, ['launchctl', 'bootout', `${this.domain}/${nameEntry(queueFile)}`]);
    // launchctl returns before the agent is gone, and an agent that is still going cannot be loaded again.
    for (let polls = 0; polls < MOST_POLLS && (await this.isLoaded(queueFile)); polls += 1) {
      await this.clock.sleep(POLL_MS);
    }
  }

  private fileOf(queueFile: string): string {
    return path.join(this.folder, `${nameEntry(queueFile)}.plist`);
  }
}
