import * as vscode from 'vscode';
import { commandId, type CommandName } from '../commandIds';
import { bindTarget } from '../state/queueTarget';
import type { WindowServices } from '../state/services';
import { t } from '../../platform/text/translate';
import { showError } from '../messages';
import { settingCommand } from '../settingCommand';

/** Services of a queue, or of the window without a key. */
type Services = Pick<WindowServices, 'log'> & Partial<Pick<WindowServices, 'key'>>;

/** Step that the user can take at once, as a button of the message. */
interface Remedy {
  readonly title: string;
  readonly run: () => Thenable<unknown>;
}

/** Shows why a command failed; logs the stack if it is a bug. */
export async function showFailure(services: Services, what: string, error: unknown): Promise<void> {
  if (error instanceof vscode.CancellationError) return;
  const { Fenced, isProblem } = await import('../../domain/problem');
  if (!isProblem(error) && !(error instanceof Fenced)) {
    services.log.error(`Command ${what} failed`, error instanceof Error ? error : String(error));
    await offer(t('"{0}" failed: {1}', what, String(error)), [showLog(services)]);
    return;
  }
  const { describeError } = await import('../../app/present/problems/problem');
  const message = describeError(error);
  services.log.warn(`Command ${what}: ${message}`);
  const remedies = isProblem(error) ? remediesFor(services, error.reason) : [];
  await offer(message, remedies);
}

function remediesFor(services: Services, reason: string): Remedy[] {
  switch (reason) {
    case 'claude-missing':
      return [
        {
          title: t('Set Path'),
          run: () => showSetting('claudeQueue.claude'),
        },
        {
          title: t('How to Install'),
          run: () => vscode.env.openExternal(vscode.Uri.parse('https://code.claude.com/docs')),
        },
      ];
    case 'queue-missing':
      return hasFolder()
        ? [callOwn(services, t('Create Queue'), 'createQueue')]
        : [callCommand(t('Open Folder'), 'vscode.openFolder')];
    case 'settings-invalid':
      return [callOwn(services, t('Check This Machine'), 'checkMachine')];
    case 'queue-exists':
      return [callOwn(services, t('Open Queue File'), 'openQueueFile')];
    case 'untrusted':
      return [callCommand(t('Manage Workspace Trust'), 'workbench.trust.manage')];
    case 'worker-not-started':
      return [showLog(services)];
    default:
      return [];
  }
}

function hasFolder(): boolean {
  return (vscode.workspace.workspaceFolders?.length ?? 0) > 0;
}

function callCommand(title: string, command: string): Remedy {
  return { title, run: () => vscode.commands.executeCommand(command) };
}

function callOwn({ key }: Services, title: string, name: CommandName): Remedy {
  const targets = key === undefined ? [] : [bindTarget(key)];
  return { title, run: () => vscode.commands.executeCommand(commandId(name), ...targets) };
}

/** Opens a setting of the machine that runs the extension. */
export function showSetting(name: string): Thenable<unknown> {
  const { command, arguments: given = [] } = settingCommand(name);
  return vscode.commands.executeCommand(command, ...(given as readonly unknown[]));
}

function showLog(services: Pick<WindowServices, 'log'>): Remedy {
  return {
    title: t('Show Log'),
    run: () => {
      services.log.show();
      return Promise.resolve();
    },
  };
}

async function offer(message: string, remedies: readonly Remedy[]): Promise<void> {
  const chosen = await showError(message, ...remedies);
  await chosen?.run();
}
