import * as path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Approvals } from '../../account/approvals';
import { createFileGate, createGate, type Gate } from '../../account/gate';
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
import type { ProcessOwner } from '../../domain/queue/view';
import type { Moment } from '../../domain/time/moment';
import { isProblem, Problem } from '../../domain/problem';
import type { Settings } from '../../domain/settings/settings';
import { makePrivateFolder } from '../../platform/files/files';
import { resolveAllowed } from '../../platform/files/allowedDirectories';
import { machineId } from '../../platform/processes/machine';
import { PromptFiles } from '../../platform/files/promptFiles';
import { RealFolders } from '../../platform/files/realFolders';
import { PacedCheck } from '../../platform/files/pacedCheck';
import { resolveRepositories, type Repositories } from '../../platform/files/repositories';
import { homeFolder, resolveLinks, userConfigFile, userStateFolder } from '../../platform/files/paths';
import { findLivingOwners, openForeignHistory, openFileQueue, openRedisQueue } from '../../queue/openQueue';
import type { SharedQueue } from '../../queue/sharedQueue';
import type { ForeignHistory } from '../../queue/foreignHistory';
import type { RowContext } from '../../queue/row/rowContext';
import { QueuePaths } from '../../queue/queuePaths';
import type { Machine, TaskQueue } from '../../queue/taskQueue';
import { whyUnpaid, type Paid } from '../present/installation';
import { LiveConfiguration, type Configuration } from './configuration';
import type { Host } from './host';
import { closeForPayer } from './payerGate';
import { completeServer, parseRedisAddress, type RedisAddress } from './redisAddress';
import { keepSettings, localFileOf } from './redisFolder';
import { createLiveness, createSharedStore, GateTexts } from './sharedGate';
import { refuseTracked } from './trackedState';

/** Options of a queue's context: which queue, and which Claude Code. */
export interface QueueContextOptions {
  /** The queue file, absolute or relative to the host's folder. */
  readonly queue: string;
  /** Address of a queue in Redis, used instead of the file. */
  readonly redis?: string;
  /** The claude program; overrides all settings. */
  readonly claude?: string;
  /** Starts no program, not even to find the account: the gate counts as open. */
  readonly readOnly?: boolean;
  /** Last known account; `peekGate` returns its gate until Claude Code has answered. */
  readonly lastAccount?: string;
}

/** Queue with everything that belongs to it on this machine. Claude Code is found when it is first needed. */
export class QueueContext {
  private found: Found | null = null;
  private lastAccount: string | undefined;
  private lastRows: RowContext | null = null;
  private readonly realFolders = new PacedCheck(new RealFolders());
  private readonly promptFiles: PacedCheck<PromptFiles>;
  private readonly gateTexts = new GateTexts();

  /** Paths of the queue and its files. Those of a queue in Redis are in the user's state folder. */
  readonly paths: QueuePaths;
  /** Null: the queue is a file. */
  readonly redis: RedisAddress | null;
  readonly configuration: LiveConfiguration;

  constructor(
    readonly options: QueueContextOptions,
    readonly host: Host,
  ) {
    this.redis = options.redis === undefined ? null : parseRedisAddress(options.redis);
    const file = this.redis === null ? options.queue : localFileOf(this.redis, host);
    this.paths = new QueuePaths(resolveLinks(path.resolve(host.cwd, file)));
    this.promptFiles = new PacedCheck(new PromptFiles(this.paths.workspace));
    this.configuration = new LiveConfiguration(
      { machine: userConfigFile(host.env), queue: this.paths.settings },
      // Machines in several zones must read the same time in a row.
      this.redis === null ? host : { env: host.env, timeZone: 'UTC' },
    );
    this.lastAccount = options.readOnly === true ? NO_CLAUDE : options.lastAccount;
  }

  /** Name of the queue: its file, absolute and with links resolved, or its address in Redis. The same by any path to it. */
  get queueFile(): string {
    return this.redis?.name ?? this.paths.file;
  }

  /** Paths that an attempt may not edit, lest it approve itself: the queue, and the user's approvals and settings. */
  get protectedPaths(): readonly string[] {
    const { env } = this.host;
    return [...this.paths.all, userStateFolder(env), path.dirname(userConfigFile(env))];
  }

  /** Folders in which tasks may run by the current settings; none means anywhere. */
  get allowedDirectories(): readonly string[] {
    const { allowedDirectories } = this.configuration.last.settings;
    return resolveAllowed(allowedDirectories, homeFolder(this.host.env));
  }

  /** Folders of this machine's repositories by the current settings. */
  get repositories(): Repositories {
    return resolveRepositories(this.configuration.last.settings.repositories, homeFolder(this.host.env));
  }

  get machine(): Machine {
    const { processes } = this.host;
    return { id: machineId(), isAlive: (identity) => processes.isAlive(identity) };
  }

  /** Returns the valid settings, and problems with the rest. */
  configure(): Promise<Configuration> {
    return this.configuration.look();
  }

  /** Returns the settings if all are valid. @throws Problem `settings-invalid` */
  configureStrictly(): Promise<Configuration> {
    return this.configuration.read();
  }

  /**
   * Opens the queue; the caller closes it.
   * @throws Problem `queue-missing`, `queue-unreadable`, `settings-invalid`; `state-foreign`, `state-tracked` and
   * others if its state folder must not be used
   */
  async openQueue(): Promise<TaskQueue> {
    if (this.redis !== null) return this.openRedis(this.redis);
    const { settings } = await this.configure();
    await refuseTracked(this.paths.state.folder, this.host);
    return openFileQueue({
      ...this.historyOptions,
      rows: () => this.rowContext(),
      keepHistoryMs: settings.keepHistory,
      warn: (message) => {
        this.host.warn(message);
      },
    });
  }

  /** Opens the queue in Redis. @throws Problem `redis-away`, `redis-refused`, `usage`, `settings-invalid` */
  async openShared(): Promise<SharedQueue> {
    if (this.redis !== null) return this.openRedis(this.redis);
    throw new Problem(
      'usage',
      `${this.queueFile} is a file. This command is for a queue in Redis: name it with --redis.`,
    );
  }

  private async openRedis(address: RedisAddress): Promise<SharedQueue> {
    const { settings } = await this.configure();
    await makePrivateFolder(this.paths.folder);
    return openRedisQueue({
      server: completeServer(address, this.host.env, settings.redisPlain),
      queue: address.queue,
      machine: this.machine,
      rows: () => this.rowContext(),
      keepHistoryMs: () => this.configuration.last.settings.keepHistory,
      settingsChanged: async (text) => {
        await keepSettings(this.paths.settings, text);
        await this.configure();
      },
    });
  }

  /** Opens the history of a queue that `openQueue` refuses with `state-foreign`. */
  openForeignHistory(): Promise<ForeignHistory> {
    return openForeignHistory(this.historyOptions);
  }

  /** Returns the living processes of this machine that work on a queue whose file is gone. */
  findLivingOwners(): Promise<readonly ProcessOwner[]> {
    return findLivingOwners(this.historyOptions);
  }

  private get historyOptions(): Parameters<typeof openForeignHistory>[0] {
    const { queueFile: file, machine, host } = this;
    return { file, machine, known: this.openHistories(), clock: host.clock };
  }

  /** Opens the queue for this work and closes it afterwards. */
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
   * Returns the user's Claude Code. Searches again if the settings that select it changed, or with `anew`, because its
   * sign-in may have changed.
   * @throws Problem `claude-missing`
   */
  async findClaude({ anew = false } = {}): Promise<Installation> {
    const choice = await this.claudeSettings();
    const { found: last } = this;
    if (!anew && last !== null && isDeepStrictEqual(last.choice, choice)) return last.answer;
    const found = { choice, answer: this.inspectClaude(choice) };
    this.found = found;
    // A failure is not kept: the next call asks again.
    found.answer.catch(() => {
      if (this.found === found) this.found = null;
    });
    return found.answer;
  }

  /** Returns the last answer of Claude Code; null: none. Starts no program. @throws Problem `claude-missing` */
  async recallClaude(): Promise<RememberedInstallation | null> {
    return this.installationMemory.recall(this.installationOptions(await this.claudeSettings()));
  }

  private async claudeSettings(): Promise<ClaudeChoice> {
    const { claude, billing, account } = (await this.configure()).settings;
    return { claude: this.options.claude ?? claude, billing, account };
  }

  /** Account that `claude` is signed in with, if known; `NO_CLAUDE` without it, or if read-only. */
  get knownAccount(): string | undefined {
    return this.lastAccount;
  }

  /**
   * Opens the gate of the account that `claude` is signed in with. Without `claude`, or if read-only, it is a gate that
   * nothing closes.
   */
  async openGate(): Promise<Gate> {
    const claude = await this.findClaudeOrNone();
    return claude === null ? this.gateOf(NO_CLAUDE) : this.openGateOf(claude);
  }

  /** Opens the gate of this account. It is closed, from `since` on, if the account is not the chosen payer. */
  async openGateOf(claude: Paid, since = this.host.clock.now()): Promise<Gate> {
    const gate = await this.gateOf(claude.accountKey);
    const why = whyUnpaid(claude);
    return why === null ? gate : closeForPayer(gate, why, since);
  }

  /**
   * Like `openGate`, but uses the last answer of Claude Code instead of asking it. Null while the account is unknown.
   */
  async peekGate(): Promise<Gate | null> {
    const { lastAccount } = this;
    try {
      // Also where the account is known: the answer says whether it is the chosen payer.
      const remembered = lastAccount === NO_CLAUDE ? null : await this.recallClaude();
      if (remembered !== null) return await this.openGateOf(remembered.claude, remembered.since);
      return lastAccount === undefined ? null : await this.gateOf(lastAccount);
    } catch (error) {
      if (!isProblem(error, 'claude-missing')) throw error;
      return this.gateOf(lastAccount ?? NO_CLAUDE);
    }
  }

  private async gateOf(account: string): Promise<Gate> {
    const { settings } = await this.configure();
    const { env, clock } = this.host;
    const here = this.machine;
    const options = { rules: () => this.configuration.last.settings, isAlive: createLiveness(here) };
    if (this.redis === null || account === NO_CLAUDE)
      return createFileGate({ ...options, folder: userStateFolder(env), account, clock });
    const server = completeServer(this.redis, env, settings.redisPlain);
    const text = await this.gateTexts.open(server, this.redis.queue, account);
    return createGate({ ...options, store: createSharedStore(text, here.id), clock: text });
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

  private async inspectClaude(choice: ClaudeChoice): Promise<Installation> {
    const options = this.installationOptions(choice);
    const memory = this.installationMemory;
    const installation = await findInstallation(options, memory);
    const { readOffers: _, ...facts } = installation;
    await memory.remember(options, facts, this.host.clock.now());
    this.lastAccount = installation.accountKey;
    return installation;
  }

  private get installationMemory(): InstallationMemory {
    return new InstallationMemory(userStateFolder(this.host.env));
  }

  private installationOptions({ claude, billing, account }: ClaudeChoice): InstallationOptions {
    return { environment: { ...this.host.env }, billing, account, ...(claude === '' ? {} : { claude }) };
  }

  /** Current time, last known time zone and this machine, for texts. */
  moment(): Moment {
    const { timeZone } = this.configuration.last;
    return { now: this.host.clock.now(), timeZone, machine: this.machine.id };
  }

  /** Returns what the meaning of rows depends on: the same object until it changes, as then all rows are parsed again. */
  rowContext(): RowContext {
    const { settings, timeZone } = this.configuration.last;
    const { allowBypass, priorityRules, verifyBefore, verifySetup } = settings;
    const rows = {
      ...{ timeZone, allowBypass, priorityRules, ...(verifyBefore ? { verifyBefore: verifySetup } : {}) },
      folder: this.redis === null ? this.paths.workspace : null,
      home: homeFolder(this.host.env),
      allowedDirectories: this.allowedDirectories,
      repositories: this.repositories,
      ...{ realFolders: this.realFolders.look(), promptFiles: this.promptFiles.look() },
    };
    if (this.lastRows === null || !isDeepStrictEqual(rows, this.lastRows)) this.lastRows = rows;
    return this.lastRows;
  }
}

/** Account name while there is no Claude Code, or none may be started. Nothing closes its gate. */
const NO_CLAUDE = 'no-claude';

/** Settings that select Claude Code and its account. */
type ClaudeChoice = Pick<Settings, 'claude' | 'billing' | 'account'>;

interface Found {
  readonly choice: ClaudeChoice;
  readonly answer: Promise<Installation>;
}
