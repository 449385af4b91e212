import * as vscode from 'vscode';
import type { TaskId } from '../../../domain/task/task';
import type { BulkAction } from './bulkActions';
import { describeResult } from './selection';
import { showInformation } from '../../messages';

/** Time for which the status bar shows what was done, in ms. */
const SHOWN_MS = 5_000;

/** Reports what was done with several tasks: in the status bar, or in a message if it was not possible with all. */
export function reportResult(done: number, others: readonly TaskId[], action: BulkAction): void {
  const text = describeResult(done, others, action);
  if (others.length === 0) vscode.window.setStatusBarMessage(text, SHOWN_MS);
  else void showInformation(text);
}
