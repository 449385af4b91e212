import * as vscode from 'vscode';
import { isUserHere } from '../../../domain/queue/view';
import { NEXT_TASK } from '../../../queue/queuePaths';
import { commandId } from '../../commandIds';
import type { ExtensionServices } from '../../state/extensionServices';
import { registerLenses } from './registerLenses';
import { bindTarget } from '../../state/queueTarget';
import { isSameFile } from '../../state/queuePlace';
import { viewModelOf } from '../../state/queueState';
import { t } from '../../../platform/text/translate';

const LENSES = [
  [t('Done'), 'markDone'],
  [t('Failed'), 'markFailed'],
  [t('Return to Queue'), 'giveBack'],
  [t('Run Interactively'), 'runTaskInteractively'],
] as const;

/** Creates lenses on NEXT_TASK.md to report the result of its task. */
export function createNextTaskLenses({ key, queueModel }: ExtensionServices): vscode.Disposable {
  return registerLenses(queueModel, `**/${NEXT_TASK}`, async (document) => {
    const claims = viewModelOf(queueModel.state)?.snapshot.claims ?? [];
    if (claims.length === 0 || !vscode.workspace.isTrusted) return [];
    const { paths, machine } = (await queueModel.useQueue()).queueContext;
    if (!isSameFile(document.uri.fsPath, paths.nextTask)) return [];
    const { readNextTask } = await import('../../../app/actions/attempts/nextTaskFile');
    const id = readNextTask(document.getText());
    if (!claims.some((claim) => claim.id === id && isUserHere(claim.owner, { machine: machine.id })))
      return [];
    const top = new vscode.Range(0, 0, 0, 0);
    return LENSES.map(
      ([title, command]) =>
        new vscode.CodeLens(top, { title, command: commandId(command), arguments: [bindTarget(key, id)] }),
    );
  });
}
