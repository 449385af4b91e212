import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../../../src/platform/files/files';
import { createClaudeHome } from '../claude/claudeHome';
import type { ClaudeHome, ClaudeHomeOptions } from '../claude/claudeHome';
import { callCli, startCli } from '../machine/cli';
import { startMessagesApi } from '../claude/messagesApi';
import type { MessagesApi, Respond } from '../claude/messagesApi';
import { endProcesses, listProcesses } from '../machine/processTable';
import type { ListedProcess } from '../machine/processTable';
import type { Ended, Running } from '../machine/processes';
import { text } from '../claude/replies';
import { composeCsv } from './rows';
import type { RowCells } from './rows';
import type { Turn } from '../claude/turn';

/** The part of `status --json` that tests look at. */
export interface Status {
  readonly gate: { readonly state: string; readonly until: string | null; readonly reason: string };
  readonly hold: string | null;
  readonly next: number | null;
  readonly workers: readonly { readonly worker: string; readonly running: readonly number[] }[];
  readonly tasks: readonly StatusTask[];
  readonly problems: readonly { readonly line: number; readonly column: number; readonly message: string }[];
}

export interface StatusTask {
  readonly id: number;
  readonly shown: string;
  readonly reason: string;
  readonly status: string;
  readonly retryCount: number;
  readonly session: string | null;
  readonly lastOutcome: string | null;
  readonly lastMessage: string | null;
}

type Environment = Readonly<Record<string, string>>;

/** A queue in a folder, worked on by the program as people get it. */
export class QueueFolder {
  readonly file: string;
  readonly state: string;

  constructor(
    readonly folder: string,
    readonly env: Environment,
  ) {
    this.file = join(folder, 'claude_queue', 'prompts.csv');
    this.state = join(folder, 'claude_queue', 'state');
    mkdirSync(join(folder, 'claude_queue'), { recursive: true });
  }

  /** Starts `claude-queue` with these words and leaves it running. */
  start(words: string | readonly string[], env: Environment = {}): Running {
    const args = typeof words === 'string' ? words.split(' ') : words;
    return startCli(args, { cwd: this.folder, env: { ...this.env, ...env } });
  }

  /** Runs `claude-queue` with these words to its end. */
  run(words: string | readonly string[], env: Environment = {}): Promise<Ended> {
    return this.start(words, env).ended;
  }

  private call(words: string): ReturnType<typeof callCli> {
    return callCli(words.split(' '), { cwd: this.folder, env: this.env });
  }

  write(rows: readonly RowCells[]): void {
    writeFileSync(this.file, composeCsv(rows));
  }

  /** Writes the rows and lets everything in the file run from now on. */
  async trust(rows: readonly RowCells[]): Promise<void> {
    this.write(rows);
    const { code, stderr } = await this.call('trust');
    if (code !== 0) throw new Error(stderr);
  }

  /** Lists what waits for approval, as the user who reads it, then approves these. */
  async approve(words: string): Promise<Ended> {
    await this.run('approve');
    return this.run(`approve ${words}`);
  }

  /** Writes the rules that the queue's owner has beside it, a line each. */
  writeRules(...lines: readonly string[]): void {
    writeFileSync(join(this.folder, 'claude_queue', 'config.yaml'), `${lines.join('\n')}\n`);
  }

  read(): string {
    return readFileSync(this.file, 'utf8');
  }

  /** A log of the queue; empty where it was never written. */
  log(name: 'executed' | 'repeat_tasks' | 'quota_exceeded' | 'retry_tasks'): string {
    const file = join(this.state, `${name}.log`);
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  }

  async status(): Promise<Status> {
    const { stdout } = await this.call('status --json');
    return JSON.parse(stdout) as Status;
  }

  /** Returns the entry of one task. */
  async task(id: number): Promise<StatusTask> {
    const found = (await this.status()).tasks.find((task) => task.id === id);
    if (found === undefined) throw new Error(`Task ${id} is not in the queue.`);
    return found;
  }

  /** The text of everything below `state/`, by file. */
  stateFiles(): Map<string, string> {
    return readFilesBelow(this.state);
  }
}

/** The text of everything below a folder, by file. What somebody takes away meanwhile is not there. */
export function readFilesBelow(folder: string): Map<string, string> {
  const entries = unlessGone(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return new Map(
    entries.flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return [...readFilesBelow(path)];
      const words = entry.isFile() ? unlessGone(() => readFileSync(path, 'utf8')) : null;
      return words === null ? [] : [[path, words] as const];
    }),
  );
}

function unlessGone<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** One account on one machine: a home, and the stand-in of the Messages API that its `claude` talks to. */
export interface Place {
  readonly api: MessagesApi;
  readonly home: ClaudeHome;
  readonly queue: QueueFolder;
  /** Another queue of the same account. */
  readonly addQueue: (name: string) => QueueFolder;
  /** Turns with this prompt. */
  readonly turnsOf: (prompt: string) => readonly Turn[];
  /** Prompts that Claude received, in order. */
  readonly reported: () => string[];
  /** Everything alive that was started from here. */
  readonly processes: () => readonly ListedProcess[];
}

export interface PlaceOptions extends Pick<ClaudeHomeOptions, 'signIn' | 'interactive'> {
  /** Default: every task is answered with a word. */
  readonly respond?: Respond;
  readonly env?: Environment;
}

/** Keeps a failed task from being retried while a test still looks, however slow the machine is. */
export const NO_SECOND_TRY = { CLAUDE_QUEUE_RETRY_BACKOFF: '1h' };

/** Nothing that the user would wait for: no retries inside Claude Code, no minute after a reset, no turns after it. */
export const IMPATIENT = {
  CLAUDE_QUEUE_CLAUDE_RETRIES: '0',
  CLAUDE_QUEUE_OPEN_AFTER_RESET: '0s',
  CLAUDE_QUEUE_OPEN_STAGGER: '0s',
  CLAUDE_QUEUE_STOP_GRACE: '5s',
};

const open = new Set<{ readonly place: Place; readonly close: () => Promise<void> }>();

afterEach('no place outlives its test', async () => {
  const places = [...open];
  open.clear();
  await Promise.all(places.map(({ close }) => close()));
});

/** Prepares an account with one queue; both are gone after the test that is running. */
export async function openPlace({ respond, signIn, interactive, env }: PlaceOptions = {}): Promise<Place> {
  const api = await startMessagesApi({ respond: respond ?? (() => text('Done.')) });
  const home = createClaudeHome({
    apiUrl: api.url,
    ...(signIn === undefined ? {} : { signIn }),
    ...(interactive === undefined ? {} : { interactive }),
  });
  const whole = { ...home.env, ...IMPATIENT, ...env };
  const started = `HOME=${home.env['HOME'] ?? ''}`;
  const place: Place = {
    api,
    home,
    queue: new QueueFolder(home.workspace, whole),
    addQueue: (name) => new QueueFolder(join(home.folder, name), whole),
    turnsOf: (prompt) => api.turns().filter((turn) => isAbout(turn, prompt)),
    reported: () => api.turns().map(({ lastUserText }) => lastUserText.trim()),
    processes: () => listProcesses(started),
  };
  const close = async (): Promise<void> => {
    await endProcesses(started);
    await api.close();
    home.remove();
  };
  open.add({ place, close });
  return place;
}

/** Whether this was said to Claude in the turn's conversation. */
export function isAbout(turn: Turn, prompt: string): boolean {
  return turn.userTexts.some((words) => words.includes(prompt));
}
