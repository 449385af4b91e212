import * as vscode from 'vscode';
import type { ExtensionServices } from '../state/extensionServices';
import { createCompletion } from './completion/completionProvider';
import { createLanguage } from './createLanguage';
import { createFixes } from './fixes/fixProvider';
import { createCellHovers } from './hover/cellHovers';
import { createNextTaskLenses } from './lenses/nextTaskLenses';
import { createRowLenses } from './lenses/rowLensProvider';
import { Diagnostics } from './problems/diagnostics';

/** Creates what helps to edit the files of a queue. */
export function createQueueLanguage(services: ExtensionServices): vscode.Disposable {
  return vscode.Disposable.from(
    createLanguage(services),
    createRowLenses(services),
    createCellHovers(services),
    createNextTaskLenses(services),
    new Diagnostics(services),
    createCompletion(services),
    createFixes(services),
  );
}
