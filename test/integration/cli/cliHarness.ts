import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessIdentity } from '../../../src/domain/task/processIdentity';
import { findInstallation } from '../../../src/claude/installation/installation';
import { renderLine } from '../../../src/cli/output/line';
import { runProgram } from '../../../src/cli/program';
import type { Keyboard, System } from '../../../src/cli/system';
import { createFileGate, type Gate } from '../../../src/account/gate';
import { defaults } from '../../../src/domain/settings/settings';
import { systemClock } from '../../../src/platform/clock';
import { systemProcesses } from '../../../src/platform/processes/processes';
import type { Processes } from '../../../src/platform/processes/processes';
import { createRunProgram } from '../../../src/platform/processes/programs';
import { createWatchdog } from '../../support/machine/watchdog';
import { setCommandName } from '../../../src/platform/text/commandName';
import { QueuePaths } from '../../../src/queue/queuePaths';

/** A stand-in of `claude`; what it does is named by FAKE_SCRIPT. */
export const FAKE_CLAUDE = resolve(__dirname, '../../fixtures/claude/fakeClaude.sh');

/** A Friday evening, in UTC. */
export const EVENING = Date.parse('2026-11-20T18:00:00Z');

export const HEADER =
  'id,priority,working_dir,prompt,status,scheduled_time,dependencies,repeat,repeat_interval,retry_count,max_retries';

/** Exit code and output of a command. */
export interface Answer {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Keys that a test presses. */
export class FakeKeyboard extends EventEmitter implements Keyboard {
  isRaw = false;
  isPaused = false;

  setRawMode(isRaw: boolean): void {
    this.isRaw = isRaw;
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  press(key: string): void {
    this.emit('data', Buffer.from(key));
  }
}

/** The user at a terminal: a home, a folder with a queue, and a clock that is frozen. */
export class CliHarness {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'desk-')));
  readonly workspace = join(this.folder, 'workspace');
  readonly queueFolder = join(this.workspace, 'claude_queue');
  readonly queueFile = join(this.queueFolder, 'prompts.csv');
  readonly paths = new QueuePaths(this.queueFile);
  readonly env: Record<string, string> = {
    HOME: join(this.folder, 'home'),
    XDG_STATE_HOME: join(this.folder, 'state'),
    XDG_CONFIG_HOME: join(this.folder, 'config'),
    PATH: join(this.folder, 'empty'),
  };
  /** Where commands are called. */
  cwd = this.workspace;
  now = EVENING;
  columns: number | null = null;
  hasColours = false;
  /** Texts that a terminal showed in one place, in order; null: no terminal. */
  passing: string[] | null = null;
  keyboard: FakeKeyboard | null = null;
  input = '';
  readonly end = new AbortController();
  /** Called with each line as it is written. */
  onLine: (text: string) => void = () => undefined;
  processes: Processes = {
    ...systemProcesses,
    isInsideAttempt: () => false,
    ancestors: () => [],
    // By the machine's clock: a process that is killed does not end sooner because a command hardly sleeps.
    endTree: (root, options) => systemProcesses.endTree(root, { ...options, clock: systemClock }),
  };
  /** Called whenever a command sleeps, which continues when that has come to its end. */
  onSleep: () => void | Promise<void> = () => undefined;
  platform: NodeJS.Platform = 'linux';
  timeZone = 'UTC';
  /** Lets everything fail that is to change the queue. */
  failIds = false;
  private ids = 0;
  /** Random: processes with the mark of an attempt are ended with it, also those of another test that runs now. */
  private readonly idStart = randomBytes(4).toString('hex');

  constructor() {
    for (const folder of [this.workspace, this.env['HOME'] ?? '']) mkdirSync(folder, { recursive: true });
  }

  remove(): void {
    setCommandName('claude-queue');
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Lets the stand-in of `claude` be found; its user trusts the workspace in it. */
  installClaude(script: string): void {
    const projects = { [this.workspace]: { hasTrustDialogAccepted: true } };
    writeFileSync(join(this.env['HOME'] ?? '', '.claude.json'), JSON.stringify({ projects }));
    Object.assign(this.env, {
      PATH: dirname(process.execPath),
      CLAUDE_QUEUE_CLAUDE: FAKE_CLAUDE,
      CLAUDE_CODE_OAUTH_TOKEN: 'made-up',
      FAKE_SCRIPT: script,
      FAKE_NOTES: join(this.folder, 'notes'),
    });
  }

  /** The gate of the account that the stand-in of `claude` is signed in with, which has been asked for it. */
  async openGateOfClaude(): Promise<Gate> {
    await this.call('status', '--live');
    const { accountKey } = await findInstallation({ claude: FAKE_CLAUDE, environment: this.env });
    return this.openGate(accountKey);
  }

  /** The gate of an account; by default the one that there is without a `claude` to ask. */
  openGate(account = 'no-claude'): Gate {
    const clock = { now: () => this.now, sleep: () => Promise.resolve() };
    const folder = join(this.env['XDG_STATE_HOME'] ?? '', 'claude-queue');
    return createFileGate({
      folder,
      account,
      clock,
      rules: () => ({ ...defaults, limitFallback: 3_600_000 }),
      isAlive: () => true,
    });
  }

  /** Writes the queue file: the eleven columns and these rows. */
  write(...rows: readonly string[]): void {
    this.writeFile('prompts.csv', `${[HEADER, ...rows].join('\n')}\n`);
  }

  writeFile(name: string, text: string): void {
    mkdirSync(this.queueFolder, { recursive: true });
    const file = join(this.queueFolder, name);
    writeFileSync(file, text);
    // Long enough ago that nobody has to wait for the rest of it.
    const past = new Date(Date.now() - 60_000);
    utimesSync(file, past, past);
  }

  read(name = 'prompts.csv'): string {
    return readFileSync(join(this.queueFolder, name), 'utf8');
  }

  has(name: string): boolean {
    return existsSync(join(this.queueFolder, name));
  }

  /** Lists what waits for approval, as the user who reads it, then approves these. */
  async approve(...words: readonly string[]): Promise<Answer> {
    await this.call('approve');
    return this.call('approve', ...words);
  }

  /** Calls `claude-queue` with these words. */
  async call(...args: readonly string[]): Promise<Answer> {
    const lines = { out: [] as string[], err: [] as string[] };
    const write = (stream: 'out' | 'err') => (text: string) => {
      lines[stream].push(text);
      this.onLine(text);
    };
    const code = await runProgram(args, this.createSystem(write('out'), write('err')));
    return { code, out: lines.out.join('\n'), err: lines.err.join('\n') };
  }

  /** The answer of `status --json`. */
  async status(): Promise<StatusJson> {
    const { out } = await this.call('status', '--json');
    return JSON.parse(out) as StatusJson;
  }

  /** Returns the shown state of a task, and its reason. */
  async shown(id: number): Promise<readonly [string, string] | undefined> {
    const task = (await this.status()).tasks.find((one) => one.id === id);
    return task === undefined ? undefined : [task.shown, task.reason];
  }

  self(): ProcessIdentity {
    return this.processes.self();
  }

  private createSystem(out: (text: string) => void, err: System['err']): System {
    return {
      env: this.env,
      cwd: this.cwd,
      clock: {
        now: () => this.now,
        sleep: async (ms, signal) => {
          await this.onSleep();
          await sleep(ms < 1_000 ? Math.min(ms, 5) : ms, undefined, {
            ...(signal === undefined ? {} : { signal }),
          }).catch(() => undefined);
        },
      },
      random: () => 0.5,
      createId: () => {
        if (this.failIds) throw new Error('The queue does not take it.');
        this.ids += 1;
        return `${this.idStart}-0000-4000-8000-${String(this.ids).padStart(12, '0')}`;
      },
      processes: this.processes,
      createWatchdog,
      timeZone: this.timeZone,
      warn: err,
      out: (line) => {
        out(renderLine(line, this.hasColours));
      },
      outExactly: async (text) => {
        await Promise.resolve();
        out(text.toString());
      },
      err,
      setColours: (isOn) => {
        this.hasColours = isOn;
      },
      hasColours: () => this.hasColours,
      pass:
        this.passing === null
          ? null
          : (line) => {
              this.passing?.push(renderLine(line, this.hasColours));
            },
      columns: this.columns,
      keyboard: this.keyboard,
      scheduling: {
        platform: this.platform,
        userId: 501,
        program: [process.execPath, join(this.folder, 'cli.js')],
        run: createRunProgram(this.env),
      },
      readInput: () => Promise.resolve(this.input),
      onEnd: () => this.end.signal,
    };
  }
}

/** The part of `status --json` that tests look at. */
export interface StatusJson {
  readonly gate: { readonly state: string; readonly until: string | null; readonly reason: string };
  readonly gates: readonly {
    readonly kind: string;
    readonly model: string | null;
    readonly state: string;
    readonly phase: string;
    readonly next: string | null;
    readonly first: { readonly queue: string; readonly id: number } | null;
  }[];
  readonly claude: Readonly<Record<string, unknown>> | null;
  readonly hold: string | null;
  readonly holds: readonly {
    readonly by: string;
    readonly why: string;
    readonly priorities: readonly string[] | null;
  }[];
  readonly failures: { readonly reason: string; readonly ids: readonly number[] } | null;
  readonly service: { readonly violated: number; readonly atRisk: number };
  readonly rates: Readonly<Record<string, { readonly lastHour: number; readonly lastDay: number }>>;
  readonly users: readonly {
    readonly user: string | null;
    readonly queued: number;
    readonly longestWaitMs: number;
    readonly lastDay: number;
  }[];
  readonly usage: {
    readonly attempts: Readonly<Record<string, number>>;
    readonly windows: readonly unknown[];
  };
  readonly next: number | null;
  readonly workers: readonly {
    readonly worker: string;
    readonly since: string;
    readonly running: readonly number[];
  }[];
  readonly tasks: readonly (Readonly<Record<string, unknown>> & {
    readonly id: number;
    readonly shown: string;
    readonly reason: string;
  })[];
  readonly problems: readonly { readonly line: number; readonly column: number; readonly message: string }[];
}

/** A trusted queue of which a worker can run the first task, fails at the second, and has to wait for the third. */
export async function openWorkCli(): Promise<CliHarness> {
  const cli = new CliHarness();
  cli.write(
    '1,high,.,Do it,pending,,,no,,0,3',
    '2,low,gone,Elsewhere,pending,,,no,,0,3',
    '3,low,.,Tomorrow,pending,2026-11-21 09:00,,no,,0,3',
  );
  cli.installClaude('ok');
  await cli.call('trust');
  return cli;
}
