import * as path from 'node:path';
import { QueueContext, type QueueContextOptions } from '../app/context/queueContext';
import { resolveLinks } from '../platform/files/paths';
import { USUAL_QUEUE } from '../queue/queuePaths';
import { findQueueAbove } from './findQueue';
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

  constructor(
    { queue, ...options }: GlobalOptions,
    readonly system: System,
  ) {
    const above = queue === undefined ? findQueueAbove(system.cwd) : null;
    super({ ...options, queue: queue ?? above ?? USUAL_QUEUE }, system);
    this.isAbove = above !== null;
  }

  /**
   * Path from the queue's workspace to the current folder, if the queue was found above it. Otherwise `.`; also in the
   * queue's own folder, in which nothing runs.
   */
  get here(): string {
    const cwd = resolveLinks(this.system.cwd);
    const isInQueue = !path.relative(this.paths.folder, cwd).startsWith('..');
    return this.isAbove && !isInQueue ? path.relative(this.paths.workspace, cwd) : '.';
  }
}
