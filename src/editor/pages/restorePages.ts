import * as vscode from 'vscode';
import type { ExtensionServices } from '../state/extensionServices';
import type { Queues } from '../state/queues';
import { unbindTarget } from '../state/queueTarget';
import { showFailure } from '../status/failures';
import type { Page } from './page';
import { viewTypeOf } from './pagePanel';

/** Pages that only read, with the function that fills them. */
const READING: Readonly<Record<string, (services: ExtensionServices) => Promise<void>>> = {
  history: async (services) => (await import('./history/historyPage')).showHistoryPage(services),
  usage: async (services) => (await import('./history/usagePage')).showUsagePage(services),
  report: async (services) => (await import('./report/reportPage')).showReportPage(services),
};

/** Fills the tabs again that were open when the window was loaded again. Those of unknown queues are closed. */
export function restorePages(queues: Queues): vscode.Disposable {
  const attempts = restore('attempt', async (panel, state) => {
    const { AttemptPage } = await import('../attempt/attemptPage');
    await AttemptPage.restore(queues, panel, state);
  });
  const reading = Object.entries(READING).map(([kind, show]) =>
    restore(kind, async (panel, state) => {
      const { queue } = unbindTarget(state);
      // VS Code may have ended before it stored what a page remembers.
      const services = (queue === null ? queues.only : queues.find(queue))?.services;
      if (services === undefined) panel.dispose();
      else await showAgain(services, services.pages.adopt(kind, panel), show);
    }),
  );
  return vscode.Disposable.from(attempts, ...reading);
}

/** Fills a page; closes it if that fails, and says why. */
async function showAgain(
  services: ExtensionServices,
  page: Page,
  show: (services: ExtensionServices) => Promise<void>,
): Promise<void> {
  try {
    await show(services);
  } catch (error) {
    page.close();
    await showFailure(services, 'restore a page', error);
  }
}

function restore(
  kind: string,
  fill: (panel: vscode.WebviewPanel, state: unknown) => Promise<void>,
): vscode.Disposable {
  return vscode.window.registerWebviewPanelSerializer(viewTypeOf(kind), { deserializeWebviewPanel: fill });
}
