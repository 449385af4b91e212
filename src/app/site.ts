import { realpathSync } from 'node:fs';
import * as path from 'node:path';
import { Approvals } from '../account/approvals';
import { createFileGate, type Gate } from '../account/gate';
import { findInstallation, type Installation } from '../claude/installation';
import { isProblem, Problem } from '../domain/problem';
import { readSettings, type SettingProblem, type Settings } from '../domain/settings';
import { readConfig } from '../platform/config';
import { hasCode } from '../platform/files';
import { homeFolder, machineId, userConfigFile, userStateFolder } from '../platform/paths';
import { openFileQueue } from '../queue/openQueue';
import type { Machine, TaskQueue } from '../queue/taskQueue';
import type { Host } from './host';

/** Which queue, and which Claude Code. */
export interface SiteOptions {
  /** The queue file, absolute or from the host's folder. */
  readonly queue: string;
  /** The claude program, over all settings. */
  readonly claude?: string;
  /** Nothing is started, not even to ask whose account it is: its gate stays unknown. */
  readonly readOnly?: boolean;
}

/** The settings in force, and what was not taken. */
export interface Configuration {
  readonly settings: Settings;
  readonly problems: readonly SettingProblem[];
  /** The queue's zone, by its setting or the machine's. */
  readonly timeZone: string;
}

/** A queue file with all that belongs to it on this machine; each part is made when it is first asked for. */
export class QueueSite {
  private configuration: Promise<Configuration> | undefined;
  private installation: Promise<Installation> | undefined;

  /** The queue file, absolute and without links: by whatever name it is reached, its tasks are the same ones. */
  readonly queueFile: string;

  constructor(
    readonly options: SiteOptions,
    readonly host: Host,
  ) {
    this.queueFile = resolveLinks(path.resolve(host.cwd, options.queue));
  }

  /** The folder of the queue file: its settings, NEXT_TASK.md and `state/` stand in it too. */
  get queueFolder(): string {
    return path.dirname(this.queueFile);
  }

  /** Where a relative `working_dir` starts: above `claude_queue/`, or beside a queue file that stands elsewhere. */
  get workspace(): string {
    return path.basename(this.queueFolder) === 'claude_queue'
      ? path.dirname(this.queueFolder)
      : this.queueFolder;
  }

  /**
   * What a run may not edit: all of `claude_queue/`, or the queue's own files where it stands among others; and what
   * this person approved and set, which would let a run approve itself.
   */
  get protectedPaths(): readonly string[] {
    const { env } = this.host;
    const names = ['config.yaml', 'NEXT_TASK.md', 'state'];
    const own =
      path.basename(this.queueFolder) === 'claude_queue'
        ? [this.queueFolder]
        : [this.queueFile, ...names.map((name) => path.join(this.queueFolder, name))];
    return [...own, userStateFolder(env), path.dirname(userConfigFile(env))];
  }

  get machine(): Machine {
    const { processes } = this.host;
    return { id: machineId(), isAlive: (identity) => processes.isAlive(identity) };
  }

  configure(): Promise<Configuration> {
    this.configuration ??= this.readConfiguration();
    return this.configuration;
  }

  /** The settings, none of them wrong: what runs by itself must not run by a misread rule. */
  async configureStrictly(): Promise<Configuration> {
    const configuration = await this.configure();
    if (configuration.problems.length === 0) return configuration;
    const lines = configuration.problems.map((problem) => `${problem.source}: ${problem.message}`);
    throw new Problem('settings-invalid', `The settings are not right:\n${lines.join('\n')}`);
  }

  /** The queue, to be closed by the caller. @throws Problem `queue-missing`, `queue-unreadable`, `settings-invalid` */
  async openQueue(): Promise<TaskQueue> {
    const { settings, timeZone } = await this.configure();
    return openFileQueue({
      file: this.queueFile,
      rows: {
        timeZone,
        folder: this.workspace,
        home: homeFolder(this.host.env),
        allowBypass: settings.allowBypass,
      },
      machine: this.machine,
      clock: this.host.clock,
      warn: (message) => {
        this.host.warn(message);
      },
    });
  }

  /** Opens the queue for this work, and closes it behind it. */
  async withQueue<T>(work: (queue: TaskQueue) => Promise<T>): Promise<T> {
    const queue = await this.openQueue();
    try {
      return await work(queue);
    } finally {
      await queue.close();
    }
  }

  openApprovals(): Approvals {
    return new Approvals(userStateFolder(this.host.env), this.queueFile);
  }

  /** The user's Claude Code. @throws Problem `claude-missing` */
  findClaude(): Promise<Installation> {
    this.installation ??= this.locateClaude();
    return this.installation;
  }

  /** The gate of the account that `claude` is signed in with. Without a `claude` there is none to be closed. */
  async openGate(): Promise<Gate> {
    const { settings } = await this.configure();
    return createFileGate({
      folder: userStateFolder(this.host.env),
      account: await this.nameAccount(),
      clock: this.host.clock,
      limitFallbackMs: settings.limitFallback,
    });
  }

  private async nameAccount(): Promise<string> {
    if (this.options.readOnly === true) return NO_CLAUDE;
    try {
      return (await this.findClaude()).accountKey;
    } catch (error) {
      if (isProblem(error, 'claude-missing')) return NO_CLAUDE;
      throw error;
    }
  }

  private async locateClaude(): Promise<Installation> {
    const { settings } = await this.configure();
    const claude = this.options.claude ?? settings.claude;
    return findInstallation({ environment: { ...this.host.env }, ...(claude === '' ? {} : { claude }) });
  }

  private async readConfiguration(): Promise<Configuration> {
    const { env } = this.host;
    const userFile = userConfigFile(env);
    const queueConfig = path.join(this.queueFolder, 'config.yaml');
    const { settings, problems } = readSettings(
      [
        { source: userFile, scope: 'machine', values: await readConfig(userFile) },
        { source: queueConfig, scope: 'queue', values: await readConfig(queueConfig) },
      ],
      env,
    );
    const timeZone = settings.timeZone === '' ? this.host.timeZone : settings.timeZone;
    return { settings, problems, timeZone };
  }
}

/** The account of whoever has no Claude Code. */
const NO_CLAUDE = 'no-claude';

/** Of a file that is not there yet, the links in what is there of its path. */
function resolveLinks(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    const folder = path.dirname(file);
    if (!hasCode(error, 'ENOENT', 'ENOTDIR') || folder === file) throw error;
    return path.join(resolveLinks(folder), path.basename(file));
  }
}
