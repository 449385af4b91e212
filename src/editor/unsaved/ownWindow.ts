import type * as vscode from 'vscode';
import type { StatePaths } from '../../queue/queuePaths';
import type { IsAlive, OpenEditor } from '../../queue/file/editors/openEditors';

/**
 * Marker of this window beside the queue. There is one for the life of the window: sessions change with trust and
 * settings, but unsaved changes stay.
 */
export class OwnWindow implements vscode.Disposable {
  private marker: OpenEditor | null = null;

  /** @param findState returns the state folder of the queue: beside the file itself, whatever links lead to it */
  constructor(readonly findState: () => Promise<StatePaths>) {}

  /** Returns the marker. Writes nothing yet; the caller that writes knows that the workspace is trusted. */
  async open(): Promise<OpenEditor> {
    const { OpenEditor: Marker } = await import('../../queue/file/editors/openEditors');
    const { systemProcesses } = await import('../../platform/processes/processes');
    const isAlive: IsAlive = (process) => systemProcesses.isAlive(process);
    const state = await this.findState();
    // Only now: another call may have created it meanwhile, and two markers would write over each other.
    this.marker ??= new Marker(state, systemProcesses.self(), isAlive);
    return this.marker;
  }

  dispose(): void {
    this.marker?.leave();
  }
}
