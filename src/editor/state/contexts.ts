import * as vscode from 'vscode';
import { findRun } from '../../app/present/workers';
import { resolveLinks } from '../../platform/files/paths';
import type { Desk } from './extensionServices';
import { isForeign, pictureOf, type QueueState } from './queueState';

type Contexts = Readonly<Record<string, unknown>>;

/** Tells menus and welcome texts what the state is; a key is set only when it changes. */
export function showContexts({ keeper, queueFile }: Desk): vscode.Disposable {
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
  return keeper.onDidChange((state) => {
    show(contextsOf(state));
  });
}

function contextsOf(state: QueueState): Contexts {
  const picture = pictureOf(state);
  const snapshot = picture?.snapshot;
  const claims = snapshot?.claims ?? [];
  return {
    state: state.kind,
    foreign: isForeign(state),
    working: snapshot !== undefined && (snapshot.workers.length > 0 || findRun(snapshot) !== null),
    held: picture !== null && picture.pause !== null,
    inHand: claims.some(({ owner }) => owner.kind === 'person'),
  };
}
