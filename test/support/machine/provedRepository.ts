import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { randomUUID } from 'node:crypto';
import type { CheckBefore, Job, Verdict } from '../../../src/domain/task/attempt';
import { placeOf } from '../../../src/domain/task/place';
import type { Definition } from '../../../src/domain/task/task';
import { systemClock } from '../../../src/platform/clock';
import { ScratchFolders } from '../../../src/platform/files/scratchFolders';
import { createSnapshots } from '../../../src/platform/git/snapshot';
import { systemProcesses } from '../../../src/platform/processes/processes';
import { verify } from '../../../src/worker/attempt/verify';
import { verifyBefore, type BeforeDeps } from '../../../src/worker/attempt/verifyBefore';
import { GitRepository } from './gitRepository';

const NEVER = new AbortController().signal;
const ENVIRONMENT = { PATH: process.env['PATH'], HOME: '/nonexistent' };

const DONE: Verdict = {
  outcome: 'success',
  reason: 'done',
  message: 'Done.',
  denials: [],
  usage: [],
  exitCode: 0,
};

/** One attempt whose check is to prove something. */
export interface ProvedAttempt {
  /** Changes the files as the attempt does. */
  readonly change: () => void;
  readonly check: readonly [string, ...string[]];
  readonly setUp?: readonly string[];
  /** Working directory from the top of the repository. */
  readonly below?: string;
  readonly job?: Partial<Job>;
  readonly deps?: Partial<BeforeDeps>;
  readonly stop?: AbortSignal;
}

/** A repository in which attempts run with real checks, before and after. */
export class ProvedRepository {
  readonly folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'proved-')));
  readonly repository = GitRepository.init(this.folder);
  /** Copies of the files that were made. */
  readonly copies: string[] = [];
  /** Lines and troubles that the worker showed. */
  readonly shown: string[] = [];

  write(name: string, content: string | Buffer = 'x\n'): void {
    const file = path.join(this.folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, content);
  }

  remove(): void {
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  get deps(): BeforeDeps {
    const scratch = new ScratchFolders(systemProcesses);
    return {
      processes: systemProcesses,
      clock: systemClock,
      // Random, since a check ends every process of the machine with its mark.
      mark: randomUUID(),
      prepareCheck: () => Promise.resolve({ outside: null, environment: ENVIRONMENT, secrets: [] }),
      describeError: String,
      events: {
        line: (_id: number, text: string) => this.shown.push(text),
        trouble: (text: string) => this.shown.push(text),
      } as unknown as BeforeDeps['events'],
      filesBefore: {
        take: createSnapshots({ environment: ENVIRONMENT, except: [] }),
        scratch: {
          make: async () => {
            const copy = await scratch.make();
            this.copies.push(copy);
            return copy;
          },
          remove: (copy) => scratch.remove(copy),
          removeLeftovers: () => scratch.removeLeftovers(),
        },
      },
    };
  }

  /** Plays an attempt, and returns its verdict after its check, in its folder and in copies of the files. */
  async play({ change, check, setUp = [], below = '.', ...more }: ProvedAttempt): Promise<Verdict> {
    const deps = { ...this.deps, ...more.deps };
    const definition: Definition = {
      ...{ id: 1, priority: 'medium', prompt: 'Do it.', dependencies: [], maxRetries: 3 },
      workingDir: path.join(this.folder, below),
      ...{ verify: check, verifyBefore: setUp },
    };
    const job: Job = {
      ...{
        definition,
        place: placeOf(definition),
        session: 'session',
        outputFile: '/dev/null',
        timeoutMs: 1000,
        attemptMark: deps.mark,
      },
      ...more.job,
    };
    const snapshot = await deps.filesBefore?.take(definition.workingDir, NEVER);
    change();
    await snapshot?.end();
    try {
      const checked = await verify(job, DONE, deps, NEVER);
      return await verifyBefore(job, checked, Promise.resolve(snapshot), deps, more.stop ?? NEVER);
    } finally {
      snapshot?.drop();
    }
  }

  /** Plays an attempt, and returns what its check says about the files before it. */
  async prove(attempt: ProvedAttempt): Promise<CheckBefore | undefined> {
    return (await this.play(attempt)).check?.before;
  }
}
