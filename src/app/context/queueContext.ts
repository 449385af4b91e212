import * as path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Approvals } from '../../account/approvals';
import { createFileGate, type Gate } from '../../account/gate';
import { Grants } from '../../account/grants';
import { Histories } from '../../account/histories';
import { ReportToken } from '../../account/reportToken';
import {
  findInstallation,
  type Installation,
  type InstallationOptions,
} from '../../claude/installation/installation';
import {
  InstallationMemory,
  type RememberedInstallation,
} from '../../claude/installation/installationMemory';
import type { Moment } from '../../domain/time/moment';
import { isProblem } from '../../domain/problem';
import type { Settings } from '../../domain/settings/settings';
import { resolveAllowed } from '../../platform/files/allowedDirectories';
import { machineId } from '../../platform/processes/machine';
import { FolderLinks } from '../../platform/files/realFolders';
import { homeFolder, resolveLinks, userConfigFile, userStateFolder } from '../../platform/files/paths';
import { openForeignHistory, openFileQueue } from '../../queue/openQueue';
import type { ForeignHistory } from '../../queue/foreignHistory';
import type { RowContext } from '../../queue/row/rowContext';
import { QueuePaths } from '../../queue/queuePaths';
import type { Machine, TaskQueue } from '../../queue/taskQueue';
import { whyUnpaid, type Paid } from '../present/account';
import { LiveConfiguration, type Configuration } from './configuration';
import type { Host } from './host';
import { closeForPayer } from './payerGate';
import { refuseTracked } from './trackedState';

/** Which queue, and which Claude Code. */
export interface QueueContextOptions {
  /** The queue file, absolute or from the host's folder. */
  readonly queue: string;
  /** The claude program, over all settings. */
  readonly claude?: string;
  /** Nothing is started, not even to ask whose account it is: its gate stays unknown. */
  readonly readOnly?: boolean;
  /** Whose account it was when last asked: its gate is what `peekGate` has until Claude Code has answered. */
  readonly lastAccount?: string;
}

/** A queue file with all that belongs to it on this machine; each part is made when it is first asked for. */
export class QueueContext {
  private found: Found | null = null;
  private lastAccount: string | undefined;
  private rows: RowContext | null = null;
  private readonly links = new FolderLinks();

  /** Where the queue and all that belongs to it is. */
  readonly paths: QueuePaths;
  readonly configuration: LiveConfiguration;

  constructor(
    readonly options: QueueContextOptions,
    readonly host: Host,
  ) {
    this.paths = new QueuePaths(resolveLinks(path.resolve(host.cwd, options.queue)));
    this.configuration = new LiveConfiguration(
      { machine: userConfigFile(host.env), queue: this.paths.settings },
      host,
    );
    this.lastAccount = options.readOnly === true ? NO_CLAUDE : options.lastAccount;
  }

  /** The queue file, absolute and without links: by whatever name it is reached, its tasks are the same ones. */
  get queueFile(): string {
    return this.paths.file;
  }

  /** What a run may not edit: the queue, and what this user approved and set, which would let a run approve itself. */
  get protectedPaths(): readonly string[] {
    const { env } = this.host;
    return [...this.paths.all, userStateFolder(env), path.dirname(userConfigFile(env))];
  }

  /** In which folders tasks may run, as they are set now; none: anywhere. */
  get allowedDirectories(): readonly string[] {
    const { allowedDirectories } = this.configuration.last.settings;
    return resolveAllowed(allowedDirectories, homeFolder(this.host.env));
  }

  get machine(): Machine {
    const { processes } = this.host;
    return { id: machineId(), isAlive: (identity) => processes.isAlive(identity) };
  }

  /** The settings as they are now, and what was not taken of them. */
  configure(): Promise<Configuration> {
    return this.configuration.look();
  }

  /** The settings as they are now, none of them wrong. */
  configureStrictly(): Promise<Configuration> {
    return this.configuration.read();
  }

  /**
   * The queue, to be closed by the caller. @throws Problem `queue-missing`, `queue-unreadable`, `settings-invalid`;
   * `state-foreign`, `state-tracked` and others where its state folder is not to be used
   */
  async openQueue(): Promise<TaskQueue> {
    const { settings } = await this.configure();
    await refuseTracked(this.paths.state.folder, this.host);
    return openFileQueue({
      file: this.queueFile,
      rows: () => this.describeRows(),
      machine: this.machine,
      known: this.openHistories(),
      clock: this.host.clock,
      keepHistoryMs: settings.keepHistory,
      warn: (message) => {
        this.host.warn(message);
      },
    });
  }

  /** The history of a queue that `openQueue` refuses with `state-foreign`. */
  openForeignHistory(): Promise<ForeignHistory> {
    const { clock } = this.host;
    return openForeignHistory({
      file: this.queueFile,
      machine: this.machine,
      known: this.openHistories(),
      clock,
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

  private openHistories(): Histories {
    return new Histories(userStateFolder(this.host.env), this.paths.state.folder, this.openApprovals());
  }

  openGrants(): Grants {
    return new Grants(userStateFolder(this.host.env), this.queueFile);
  }

  openReportToken(): ReportToken {
    return new ReportToken(userStateFolder(this.host.env));
  }

  /**
   * The user's Claude Code: looked for again where the settings that say which have changed, or, with `anew`, since it
   * may be signed in otherwise by now. @throws Problem `claude-missing`
   */
  async findClaude({ anew = false } = {}): Promise<Installation> {
    const by = await this.claudeSettings();
    if (!anew && this.found !== null && isDeepStrictEqual(this.found.by, by)) return this.found.asked;
    const found = { by, asked: this.askClaude(by) };
    this.found = found;
    // What went wrong is asked again the next time.
    found.asked.catch(() => {
      if (this.found === found) this.found = null;
    });
    return found.asked;
  }

  /** What Claude Code answered when it was last asked; null: nothing yet. Starts no program. @throws Problem `claude-missing` */
  async recallClaude(): Promise<RememberedInstallation | null> {
    return this.installationMemory.recall(this.installationOptions(await this.claudeSettings()));
  }

  private async claudeSettings(): Promise<FoundBy> {
    const { settings } = await this.configure();
    const { billing, account } = settings;
    return { claude: this.options.claude ?? settings.claude, billing, account };
  }

  /** The name of the account that `claude` is signed in with, as far as it is known by now. */
  get knownAccount(): string | undefined {
    return this.lastAccount;
  }

  /** The gate of the account that `claude` is signed in with. Without a `claude` there is none to be closed. */
  async openGate(): Promise<Gate> {
    const claude = await this.findClaudeOrNone();
    return claude === null ? this.gateOf(NO_CLAUDE) : this.openGateOf(claude);
  }

  /** The gate of this account, closed where it is not what is to pay. */
  async openGateOf(claude: Paid): Promise<Gate> {
    const gate = await this.gateOf(claude.accountKey);
    const why = whyUnpaid(claude);
    return why === null ? gate : closeForPayer(gate, why, this.host.clock);
  }

  /** As `openGate`, by what Claude Code answered last instead of asking it; null while it is not known whose gate. */
  async peekGate(): Promise<Gate | null> {
    if (this.lastAccount !== undefined) return this.gateOf(this.lastAccount);
    try {
      const remembered = await this.recallClaude();
      return remembered === null ? null : await this.openGateOf(remembered.claude);
    } catch (error) {
      if (!isProblem(error, 'claude-missing')) throw error;
      return this.gateOf(NO_CLAUDE);
    }
  }

  private async gateOf(account: string): Promise<Gate> {
    await this.configure();
    const { env, clock, processes } = this.host;
    return createFileGate({
      folder: userStateFolder(env),
      account,
      clock,
      rules: () => this.configuration.last.settings,
      isAlive: (identity) => processes.isAlive(identity),
    });
  }

  private async findClaudeOrNone(): Promise<Installation | null> {
    if (this.options.readOnly === true) return null;
    try {
      return await this.findClaude();
    } catch (error) {
      if (!isProblem(error, 'claude-missing')) throw error;
      this.lastAccount = NO_CLAUDE;
      return null;
    }
  }

  private async askClaude(by: FoundBy): Promise<Installation> {
    const options = this.installationOptions(by);
    const installation = await findInstallation(options);
    const { readOffers: _, ...facts } = installation;
    await this.installationMemory.remember(options, facts, this.host.clock.now());
    this.lastAccount = installation.accountKey;
    return installation;
  }

  private get installationMemory(): InstallationMemory {
    return new InstallationMemory(userStateFolder(this.host.env));
  }

  private installationOptions({ claude, billing, account }: FoundBy): InstallationOptions {
    return { environment: { ...this.host.env }, billing, account, ...(claude === '' ? {} : { claude }) };
  }

  /** The time now and the time zone that was read last, for texts. */
  moment(): Moment {
    return { now: this.host.clock.now(), timeZone: this.configuration.last.timeZone };
  }

  /** The very same object as long as it says the same: by another one, every row is understood again. */
  private describeRows(): RowContext {
    const { settings, timeZone } = this.configuration.last;
    const rows = {
      timeZone,
      folder: this.paths.workspace,
      home: homeFolder(this.host.env),
      allowBypass: settings.allowBypass,
      allowedDirectories: this.allowedDirectories,
      realFolders: this.links.look(),
      priorityRules: settings.priorityRules,
    };
    if (this.rows === null || !isDeepStrictEqual(rows, this.rows)) this.rows = rows;
    return this.rows;
  }
}

/** The account of anyone who has no Claude Code. */
const NO_CLAUDE = 'no-claude';

/** What says which Claude Code it is, and whose account. */
type FoundBy = Pick<Settings, 'claude' | 'billing' | 'account'>;

interface Found {
  readonly by: FoundBy;
  readonly asked: Promise<Installation>;
}
