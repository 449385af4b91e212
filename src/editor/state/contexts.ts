import * as vscode from 'vscode';
import { findRunningClaim } from '../../app/present/workers';
import { resolveLinks } from '../../platform/files/paths';
import type { ExtensionServices } from './extensionServices';
import type { TreeOptions } from '../tree/rows/treeOptions';
import { isForeign, viewModelOf, type QueueState } from './queueState';

type Contexts = Readonly<Record<string, unknown>>;

/** Sets context keys for menus and welcome texts; a key is set only when it changes. */
export function showContexts({ queueModel, queueFile, choices }: ExtensionServices): vscode.Disposable {
  const known = new Map<string, unknown>();
  const show = (contexts: Contexts): void => {
    for (const [name, value] of Object.entries(contexts)) {
      if (known.get(name) === value) continue;
      known.set(name, value);
      void vscode.commands.executeCommand('setContext', `claudeQueue.${name}`, value);
    }
  };
  void vscode.commands.executeCommand(
    'setContext',
    'claudeQueue.files',
    queueFile === null ? [] : [...new Set([queueFile, resolveLinks(queueFile)])],
  );
  const showChoices = (): void => {
    show(contextsOfChoices(choices.options));
  };
  showChoices();
  return vscode.Disposable.from(
    choices.onDidChange(showChoices),
    queueModel.onDidChange((state) => {
      show(contextsOf(state));
    }),
  );
}

function contextsOfChoices({ filter }: TreeOptions): Contexts {
  return {
    filtered: filter !== '',
  };
}

function contextsOf(state: QueueState): Contexts {
  const viewModel = viewModelOf(state);
  const snapshot = viewModel?.snapshot;
  const claims = snapshot?.claims ?? [];
  return {
    foreign: isForeign(state),
    working: snapshot !== undefined && (snapshot.workers.length > 0 || findRunningClaim(snapshot) !== null),
    held: viewModel !== null && viewModel.pause !== null,
    inHand: claims.some(({ owner }) => owner.kind === 'person'),
    // Last: a button that appears with it must not be redrawn for another key while it is pressed.
    state: state.kind,
  };
}
