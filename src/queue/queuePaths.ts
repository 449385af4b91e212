import * as path from 'node:path';
import { outputName } from '../domain/task/attempt';
import type { Claim } from '../domain/queue/view';

/** The folder that a queue has to itself, and the name of its file there. */
export const QUEUE_FOLDER = 'claude_queue';
export const QUEUE_NAME = 'prompts.csv';

/** Where the queue of a workspace is, seen from there. */
export const USUAL_QUEUE = path.join(QUEUE_FOLDER, QUEUE_NAME);

/** Names beside the queue file. */
export const STATE_FOLDER = 'state';
export const NEXT_TASK = 'NEXT_TASK.md';
const SETTINGS = 'config.yaml';

/** Names in the state folder. */
export const STATE_NAMES = {
  /** The first file of the journal; later ones have a number behind the name. */
  journal: 'journal',
  /** The lock on a queue's steps; what belongs to it starts with the same name. */
  lock: 'step.lock',
  /** The lock of earlier versions, as long as a worker of one runs, and of `queue_manager.sh`. */
  earlierLock: 'queue.lock',
  outputs: 'outputs',
  /** What is no longer needed. */
  archive: 'archive',
  /** A marker of each editor window that has the queue open. A reset leaves it there. */
  windows: 'windows',
  /** Versions of the queue file that an editor saved over. */
  replaced: 'replaced',
  /** What a worker says that an editor started. */
  workerLog: 'worker.log',
  /** By this git ignores the folder: prompts, output and history are this machine's. */
  gitIgnore: '.gitignore',
} as const;

/** Every path of a state folder. Nobody else joins these names. */
export class StatePaths {
  constructor(readonly folder: string) {}

  /** The file or folder of this name. */
  of(name: keyof typeof STATE_NAMES): string {
    return path.join(this.folder, STATE_NAMES[name]);
  }

  /** Where old attempts go, a line of JSON each. */
  get archivedAttempts(): string {
    return path.join(this.of('archive'), 'attempts.jsonl');
  }

  /** A log for the user, such as `executed.log`. */
  log(name: string): string {
    return path.join(this.folder, name);
  }

  /** An attempt's output by the name that its record has. */
  output(name: string): string {
    return path.join(this.of('outputs'), name);
  }

  /** The output of a claim's attempt. */
  outputOf({ id, attempt }: Pick<Claim, 'id' | 'attempt'>): string {
    return this.output(outputName(id, attempt));
  }
}

/** Every path of a queue: its file, and what belongs to it in the same folder. Nobody else joins these names. */
export class QueuePaths {
  readonly folder: string;
  readonly state: StatePaths;

  /** @param file the queue file, absolute and without links */
  constructor(readonly file: string) {
    this.folder = path.dirname(file);
    this.state = new StatePaths(path.join(this.folder, STATE_FOLDER));
  }

  /** The queue's settings. */
  get settings(): string {
    return path.join(this.folder, SETTINGS);
  }

  /** The task that a user does by hand. */
  get nextTask(): string {
    return path.join(this.folder, NEXT_TASK);
  }

  /** The list of what git ignores in a folder of the queue's own. */
  get gitIgnore(): string {
    return path.join(this.folder, '.gitignore');
  }

  /** Whether the queue has a folder to itself. */
  get hasOwnFolder(): boolean {
    return path.basename(this.folder) === QUEUE_FOLDER;
  }

  /** Where a relative `working_dir` starts: above the queue's own folder, or beside a queue file elsewhere. */
  get workspace(): string {
    return this.hasOwnFolder ? path.dirname(this.folder) : this.folder;
  }

  /** What belongs to the queue: its own folder, or its files where it is among others. */
  get all(): readonly string[] {
    return this.hasOwnFolder ? [this.folder] : [this.file, this.settings, this.nextTask, this.state.folder];
  }
}
