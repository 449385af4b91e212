import * as path from 'node:path';
import { QueueContext, type QueueContextOptions } from '../app/context/queueContext';
import { nameFolder } from '../platform/files/repositories';
import { resolveLinks } from '../platform/files/paths';
import { USUAL_QUEUE } from '../queue/queuePaths';
import { findQueueAbove, findRedis } from './whichQueue';
import type { System } from './system';

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

  /** Returns the context of a queue in Redis, with the other options of this one. */
  onRedis(address: string): Context {
    return new Context({ ...this.given, redis: address }, this.system);
  }

  /**
   * Path from the queue's workspace to the current folder, if the queue was found above it. Otherwise `.`; also in the
   * queue's own folder, in which nothing runs. Of a queue in Redis: the current folder as other machines may know it, by
   * the name of its repository, or absolute.
   */
  get here(): string {
    const cwd = resolveLinks(this.system.cwd);
    if (this.redis !== null) return nameFolder(cwd, this.repositories);
    const isInQueue = !path.relative(this.paths.folder, cwd).startsWith('..');
    return this.isAbove && !isInQueue ? path.relative(this.paths.workspace, cwd) : '.';
  }
}
