import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { openKeptTrees } from '../../../../../src/app/context/openKeptTrees';
import type { Attempt } from '../../../../../src/domain/task/attempt';
import { createDiffMeasure } from '../../../../../src/platform/git/changeMeasure';
import { GitRepository } from '../../../../support/machine/gitRepository';
import { CliHarness } from '../../cliHarness';
import { openCliQueue } from '../../fileQueue';
import { live, MINUTE_MS } from '../../lived';

const NEVER = new AbortController().signal;

/** A queue of two tasks in a git repository, in which attempts change files. */
export class TaskRepository {
  readonly cli = new CliHarness();
  readonly repository: GitRepository;

  constructor() {
    const { cli } = this;
    cli.env['PATH'] = process.env['PATH'] ?? '';
    // The folders that attempts make are as old as the attempts.
    cli.now = Date.now() - MINUTE_MS;
    cli.write('1,high,.,First,pending,,,no,,0,3', '2,low,.,Second,pending,,,no,,0,3');
    this.repository = GitRepository.init(cli.workspace);
    this.write('a.txt', 'one\n');
    this.write('b.txt', 'b\n');
    this.write('old/c.sh', 'c\n');
    chmodSync(this.path('old/c.sh'), 0o755);
    symlinkSync('a.txt', this.path('link'));
    this.repository.commitAll('first');
  }

  get stateFolder(): string {
    return join(this.cli.env['XDG_STATE_HOME'] ?? '', 'claude-queue');
  }

  path(name: string): string {
    return join(this.cli.workspace, name);
  }

  write(name: string, content: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), content);
  }

  /** One attempt of the first pending task, which does `work`. */
  async attempt(work: () => void, end: Partial<Attempt> = {}): Promise<void> {
    const { cli } = this;
    const options = { environment: cli.env, except: [cli.queueFolder], longestMs: 3_600_000 };
    const measure = await createDiffMeasure(options)(cli.workspace, NEVER);
    const startedAt = cli.now;
    try {
      work();
      const change = await measure.end();
      if (change === undefined) throw new Error('The change is not known.');
      await live(cli, { tookMs: 1_000, diff: change.size, ...end });
      const queue = await openCliQueue(cli);
      const [last] = await queue.attempts({});
      await queue.close();
      if (last === undefined) throw new Error('There is no attempt.');
      const trees = openKeptTrees({ queueFile: cli.queueFile, host: { env: cli.env } as never });
      await trees.keep({ id: last.id, number: last.number, startedAt }, change, NEVER);
    } finally {
      measure.drop();
    }
  }

  /** All files of the workspace with their types, modes and contents, but those of the queue. */
  look(folder = '.'): string[] {
    return readdirSync(this.path(folder)).flatMap((name) => {
      const file = join(folder, name);
      if (file === 'claude_queue') return [];
      const found = lstatSync(this.path(file));
      if (found.isSymbolicLink()) return [`${file} -> ${readlinkSync(this.path(file))}`];
      if (found.isDirectory()) return [`${file}/`, ...this.look(file)];
      return [`${file} ${found.mode.toString(8)} ${readFileSync(this.path(file), 'latin1')}`];
    });
  }
}
