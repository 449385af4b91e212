import type * as vscode from 'vscode';
import { Turns } from '../../platform/turns';

/** Does work on unsaved changes one after another, and logs what fails. */
export class LoggedTurns {
  private readonly turns = new Turns();

  constructor(private readonly log: vscode.LogOutputChannel) {}

  /** Adds work. */
  add(work: () => Promise<void>): void {
    this.turns.take(work).catch((error: unknown) => {
      this.log.error('Unsaved changes of the queue file could not be read or announced', String(error));
    });
  }

  /** Resolves once all work that was added has ended. */
  awaitAll(): Promise<void> {
    return this.turns.take(() => Promise.resolve());
  }
}
