import * as vscode from 'vscode';
import { isUserHere } from '../../domain/queue/view';
import { findRunningClaim } from '../../app/present/workers';
import { resolveLinks } from '../../platform/files/paths';
import type { QueueViewModel } from '../../app/viewModel/queueViewModel';
import { describeActive } from '../changes/activeDiff';
import type { Review } from '../changes/diffTarget';
import type { Queues } from './queues';
import type { ExtensionServices } from './extensionServices';
import type { TreeOptions } from '../tree/rows/treeOptions';
import { isForeign, isGone, runsUnread, viewModelOf, type QueueState } from './queueState';

type Contexts = Readonly<Record<string, unknown>>;

/** Sets context keys for menus and welcome texts; a key is set only when it changes. */
export function showContexts(
  queues: Queues,
  { choices, review, log }: Pick<ExtensionServices, 'choices' | 'review' | 'log'>,
): vscode.Disposable {
  const known = new Map<string, string>();
  const show = (contexts: Contexts): void => {
    for (const [name, value] of Object.entries(contexts)) {
      const text = JSON.stringify(value);
      if (known.get(name) === text) continue;
      known.set(name, text);
      void vscode.commands.executeCommand('setContext', `claudeQueue.${name}`, value);
    }
  };
  const showChoices = (): void => {
    show(contextsOfChoices(choices.options));
  };
  let looks = 0;
  const showReview = async (): Promise<void> => {
    looks += 1;
    const look = looks;
    const contexts = await contextsOfReview(review);
    if (look === looks) show(contexts);
  };
  const reviewed = (): void => {
    showReview().catch((error: unknown) => {
      log.warn(`The buttons of an editor of changes may be wrong: ${String(error)}`);
    });
  };
  const showStates = (): void => {
    const states = queues.all.map(({ services }) => services.queueModel.state);
    reviewed();
    // Before the first read the view shows that it loads.
    if (states.some(({ kind }) => kind !== 'opening')) show(contextsOf(states));
  };
  showChoices();
  show(contextsOfList(queues));
  showStates();
  return vscode.Disposable.from(
    choices.onDidChange(showChoices),
    review.diffs.onDidChange(reviewed),
    review.drafts.onDidChange(reviewed),
    queues.onDidChange((change) => {
      if (change === 'list') show(contextsOfList(queues));
      if (change !== 'live') showStates();
    }),
  );
}

function contextsOfList(queues: Queues): Contexts {
  const files = queues.all.flatMap(({ services: { queueFile } }) => queueFile ?? []);
  return {
    // Each also by the path that links lead to.
    files: [...new Set(files.flatMap((file) => [file, resolveLinks(file)]))],
  };
}

function contextsOfChoices({ filter }: TreeOptions): Contexts {
  return {
    filtered: filter !== '',
  };
}

async function contextsOfReview(review: Review): Promise<Contexts> {
  return {
    diff: await describeActive(review),
    drafts: review.drafts.byTask.length > 0,
  };
}

function contextsOf(states: readonly QueueState[]): Contexts {
  const viewModels = states.flatMap((state) => viewModelOf(state) ?? []);
  const isWorking = ({ snapshot }: QueueViewModel): boolean =>
    snapshot.workers.length > 0 || findRunningClaim(snapshot) !== null;
  const isInHand = ({ snapshot, world }: QueueViewModel): boolean =>
    snapshot.claims.some(({ owner }) => isUserHere(owner, world));
  return {
    foreign: states.some(isForeign),
    working: viewModels.some(isWorking) || states.some(runsUnread),
    held: viewModels.length > 0 && viewModels.every(({ pause }) => pause !== null),
    inHand: viewModels.some(isInHand),
    // One of several folders has no queue.
    creatable: states.length > 1 && states.some(({ kind }) => kind === 'missing'),
    gone: states.some(isGone),
    // Last: a button that appears with it must not be redrawn for another key while it is pressed.
    state: BY_USE.find((kind) => states.some((state) => state.kind === kind)),
  };
}

/** Kinds of states: the first that one of the queues has decides about the view. */
const BY_USE: readonly QueueState['kind'][] = ['ready', 'failing', 'opening', 'missing'];
