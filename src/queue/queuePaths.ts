import { existsSync } from 'node:fs';
import * as path from 'node:path';
import { outputName } from '../domain/task/attempt';
import type { Claim } from '../domain/queue/view';

/** Folder that a queue has to itself, and the name of its file there. */
export const QUEUE_FOLDER = 'claude_queue';
export const QUEUE_NAME = 'prompts.csv';

/** Path of a workspace's queue, relative to the workspace. */
export const USUAL_QUEUE = path.join(QUEUE_FOLDER, QUEUE_NAME);

/** Names beside the queue file. */
export const STATE_FOLDER = 'state';
export const NEXT_TASK = 'NEXT_TASK.md';
const SETTINGS = 'config.yaml';

/** Names in the state folder. */
export const STATE_NAMES = {
  /** First file of the journal. Later ones have a number after the name. */
  journal: 'journal',
  /** Lock for the steps of a queue. Names of related files start with it. */
  lock: 'step.lock',
  /** Lock of `queue_manager.sh`, and of earlier versions while a worker of one runs. */
  earlierLock: 'queue.lock',
  outputs: 'outputs',
  /** Archived attempts and histories. */
  archive: 'archive',
  /** One marker for each editor window that has the queue open. A reset leaves them there. */
  windows: 'windows',
  /** Versions of the queue file that an editor saved over. */
  replaced: 'replaced',
  /** Output of workers that an editor started. */
  workerLog: 'worker.log',
  /** Keeps the folder out of git: prompts, output and history belong to this machine. */
  gitIgnore: '.gitignore',
} as const;

/** All paths of a state folder. No other code joins these names. */
export class StatePaths {
  constructor(readonly folder: string) {}

  /** Returns the path of the file or folder with this name. */
  of(name: keyof typeof STATE_NAMES): string {
    return path.join(this.folder, STATE_NAMES[name]);
  }

  /** Path of the archived attempts: one line of JSON each. */
  get archivedAttempts(): string {
    return path.join(this.of('archive'), 'attempts.jsonl');
  }

  /** Returns the path of a log for the user, such as `executed.log`. */
  log(name: string): string {
    return path.join(this.folder, name);
  }

  /** Returns the path of an attempt's output by the name in its record. */
  output(name: string): string {
    return path.join(this.of('outputs'), name);
  }

  /** Returns the path of the output of a claim's attempt. */
  outputOf({ id, attempt }: Pick<Claim, 'id' | 'attempt'>): string {
    return this.output(outputName(id, attempt));
  }
}

/**
 * All paths of a queue: its file, and the files that belong to it in the same folder. No other code joins these
 * names.
 */
export class QueuePaths {
  readonly folder: string;
  readonly state: StatePaths;

  /** @param file the queue file, absolute and without links */
  constructor(readonly file: string) {
    this.folder = path.dirname(file);
    this.state = new StatePaths(path.join(this.folder, STATE_FOLDER));
  }

  /** Whether the queue file is not there, but the history of one is. Workers may still run its tasks. */
  get isFileGone(): boolean {
    return !existsSync(this.file) && existsSync(this.state.folder);
  }

  /** Path of the queue's settings. */
  get settings(): string {
    return path.join(this.folder, SETTINGS);
  }

  /** Path of the task that a user does by hand. */
  get nextTask(): string {
    return path.join(this.folder, NEXT_TASK);
  }

  /** Path of the `.gitignore` in a folder of the queue's own. */
  get gitIgnore(): string {
    return path.join(this.folder, '.gitignore');
  }

  /** Whether the queue has a folder to itself. */
  get hasOwnFolder(): boolean {
    return path.basename(this.folder) === QUEUE_FOLDER;
  }

  /**
   * Folder at which a relative `working_dir` starts: above the queue's own folder, or beside a queue file elsewhere.
   */
  get workspace(): string {
    return this.hasOwnFolder ? path.dirname(this.folder) : this.folder;
  }

  /** Paths that belong to the queue: its own folder, or its files if the folder has others too. */
  get all(): readonly string[] {
    return this.hasOwnFolder ? [this.folder] : [this.file, this.settings, this.nextTask, this.state.folder];
  }
}
