import * as path from 'node:path';
import { QueueContext, type QueueContextOptions } from '../app/context/queueContext';
import { resolveLinks } from '../platform/files/paths';
import { USUAL_QUEUE } from '../queue/queuePaths';
import { findQueueAbove } from './findQueue';
import type { System } from './system';

/** The options that every command has. */
export interface GlobalOptions extends Omit<QueueContextOptions, 'queue'> {
  /** Absent: the queue of this folder, or of the nearest folder above that has one. */
  readonly queue?: string;
}

/** Whether what is printed has colours. */
export interface ColourOptions {
  readonly color: 'auto' | 'always' | 'never';
}

/** What a command works with. */
export class Context extends QueueContext {
  /** Whether the queue belongs to a folder above, where nobody named one. */
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
   * The path from the queue's workspace to the folder in which the command was called, where the queue was found above
   * it; `.` otherwise, and for the queue's own folder, in which nothing runs.
   */
  get here(): string {
    const cwd = resolveLinks(this.system.cwd);
    const isInQueue = !path.relative(this.paths.folder, cwd).startsWith('..');
    return this.isAbove && !isInQueue ? path.relative(this.paths.workspace, cwd) : '.';
  }
}
