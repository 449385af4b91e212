import * as path from 'node:path';
import { QueueContext, type QueueContextOptions } from '../app/context/queueContext';
import { isProblem, Problem } from '../domain/problem';
import { statIfThere } from '../platform/files/files';
import { nameFolder } from '../platform/files/repositories';
import { isBelow, resolveLinks } from '../platform/files/paths';
import { quoteIfNeeded } from '../platform/text/shellQuote';
import { USUAL_QUEUE } from '../queue/queuePaths';
import type { TaskQueue } from '../queue/taskQueue';
import { findQueueAbove, findRedis } from './whichQueue';
import type { System } from './system';
import { setCommandName } from '../platform/text/commandName';

/** Options of every command. */
export interface GlobalOptions extends Omit<QueueContextOptions, 'queue'> {
  /** Absent: the queue of this folder, or of the nearest folder above that has one. */
  readonly queue?: string;
}

/** Option for coloured output. */
export interface ColourOptions {
  readonly color: 'auto' | 'always' | 'never';
}

/** Context of a command: a queue's context with the terminal. */
export class Context extends QueueContext {
  /** Whether the queue belongs to a folder above, and was not named. */
  readonly isAbove: boolean;
  /** Whether the command line or a variable names the queue. */
  readonly isNamed: boolean;

  constructor(
    private readonly given: GlobalOptions,
    readonly system: System,
  ) {
    const { queue, ...options } = given;
    const redis = findRedis(given, system);
    const above = queue === undefined && redis === undefined ? findQueueAbove(system.cwd) : null;
    const which = redis === undefined ? {} : { redis };
    super({ ...options, ...which, queue: queue ?? above ?? USUAL_QUEUE }, system);
    this.isAbove = above !== null;
    this.isNamed = queue !== undefined || redis !== undefined;
  }

  /** Returns the context of a queue in Redis, with the other options of this one. Hints name that queue from now on. */
  onRedis(address: string): Context {
    const context = new Context({ ...this.given, redis: address }, this.system);
    setCommandName(context.command);
    return context;
  }

  /** Returns the context of the same queue that only reads it, and does not know the account. */
  forReading(): Context {
    return new Context({ ...this.given, readOnly: true }, this.system);
  }

  /**
   * Current folder as a row names it: its path from the queue's workspace. Outside of that it is `.`, and so it is in the
   * queue's own folder: nothing runs there unless the user names the folder. Of a queue in Redis: the current folder as
   * other machines may know it, by the name of its repository, or absolute.
   */
  get here(): string {
    const cwd = resolveLinks(this.system.cwd);
    if (this.redis !== null) return nameFolder(cwd, this.repositories);
    const { workspace, folder, hasOwnFolder } = this.paths;
    const isInQueue = hasOwnFolder && isBelow(cwd, folder);
    return this.isInWorkspace && !isInQueue ? path.relative(workspace, cwd) || '.' : '.';
  }

  /** Whether the current folder is the queue's workspace or in it. */
  get isInWorkspace(): boolean {
    return isBelow(resolveLinks(this.system.cwd), this.paths.workspace);
  }

  /** Start of a command for this queue, for hints: with `--queue` or `--redis` if the user named it so. */
  get command(): string {
    const { queue, redis } = this.given;
    if (redis !== undefined) return `claude-queue --redis ${quoteIfNeeded(redis)}`;
    return queue === undefined ? 'claude-queue' : `claude-queue --queue ${quoteIfNeeded(queue)}`;
  }

  override async openQueue(): Promise<TaskQueue> {
    try {
      return await super.openQueue();
    } catch (error) {
      throw this.given.queue === undefined ? error : await this.explainNamed(error);
    }
  }

  /** Returns the problem of a file that `--queue` names wrongly; other errors as they are. */
  private async explainNamed(error: unknown): Promise<unknown> {
    const { queueFile: file } = this;
    if (!isProblem(error, 'queue-unreadable')) return error;
    const stat = await statIfThere(file);
    if (stat?.isDirectory() !== true) return error;
    const message = `${file} is a folder, not a regular file. --queue must name the CSV file of a queue.`;
    return new Problem('queue-unreadable', message, { cause: error });
  }
}
