import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { composeQueue } from './queuePlace';

const CLI = path.join(process.cwd(), 'dist', 'cli.js');
const LONG_AGO = new Date('2026-01-01T00:00:00Z');
/** Number of files in a small project. */
const FILES = 200;

/** The parts of `claude` that a worker asks for; an attempt notes when it started and ended, and costs some milliseconds. */
const composeStandIn = (log: string): string => `#!/bin/bash
started=$EPOCHREALTIME
case "$1" in
  --version) echo '2.1.330 (Claude Code)'; exit ;;
  --help) exit ;;
  auth) echo '{"loggedIn": true, "authMethod": "claude.ai", "email": "me@example.com"}'; exit ;;
esac
IFS= read -r -d '' prompt
echo '{"type":"system","subtype":"init","claude_code_version":"2.1.330","model":"quick-1"}'
echo '{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"Done."}]}}'
echo '{"type":"result","subtype":"success","is_error":false,"result":"Done.","num_turns":1}'
echo "$started $EPOCHREALTIME" >> '${log}'
`;

/** A git repository with a queue of N approved rows, in a home of its own. Nothing of the user's is read. */
export class Workspace {
  readonly root = realpathSync(mkdtempSync(path.join(tmpdir(), 'claude-queue-bench-')));
  readonly folder = path.join(this.root, 'workspace');
  readonly file = path.join(this.folder, 'claude_queue', 'prompts.csv');
  /** A line with start and end of each attempt of the stand-in, in seconds. */
  readonly log = path.join(this.root, 'attempts.log');
  readonly standIn = path.join(this.root, 'claude');
  readonly home = path.join(this.root, 'home');
  readonly env: Readonly<Record<string, string>>;

  constructor(rows: number, env: Readonly<Record<string, string>> = {}) {
    this.env = {
      HOME: this.home,
      XDG_STATE_HOME: path.join(this.home, 'state'),
      XDG_CONFIG_HOME: path.join(this.home, 'config'),
      PATH: process.env['PATH'] ?? '',
      TMPDIR: this.root,
      LANG: 'C.UTF-8',
      CLAUDE_QUEUE_MAX_PER_HOUR: '1000000',
      CLAUDE_QUEUE_MAX_PER_DAY: '1000000',
      ...env,
      CLAUDE_QUEUE_CLAUDE: this.standIn,
    };
    for (const folder of [this.home, path.dirname(this.file)]) mkdirSync(folder, { recursive: true });
    this.trust(true);
    writeFileSync(this.log, '');
    writeFileSync(this.standIn, composeStandIn(this.log), { mode: 0o755 });
    for (let i = 0; i < FILES; i++) this.writeOld(path.join(this.folder, `file${i}.txt`), `Part ${i}\n`);
    this.git('init', '-q');
    this.git('add', '.');
    this.git('-c', 'user.name=n', '-c', 'user.email=e', 'commit', '-qm', 'Start');
    this.write(rows);
  }

  /** Runs `claude-queue` to its end and returns what it printed. */
  run(...args: readonly string[]): string {
    const options = { cwd: this.folder, env: this.env, encoding: 'utf8', maxBuffer: 1 << 30 } as const;
    return execFileSync(process.execPath, [CLI, ...args], options);
  }

  /** Says as Claude Code's dialog would whether this folder is trusted: of one that is not, git is asked more. */
  trust(isTrusted: boolean): void {
    const projects = { [this.folder]: { hasTrustDialogAccepted: isTrusted } };
    writeFileSync(path.join(this.home, '.claude.json'), JSON.stringify({ projects }));
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Writes a file that git takes for unchanged without reading it: it is older than the index. */
  private writeOld(file: string, text: string): void {
    writeFileSync(file, text);
    utimesSync(file, LONG_AGO, LONG_AGO);
  }

  private write(rows: number): void {
    this.writeOld(this.file, composeQueue(rows, '.'));
    this.run('trust');
  }

  private git(...args: readonly string[]): void {
    execFileSync('git', args, { cwd: this.folder, env: this.env, stdio: 'pipe' });
  }
}
