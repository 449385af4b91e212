import type { QueueViewModel, TaskViewModel } from '../../../app/viewModel/queueViewModel';
import { possibleActions } from '../../../app/viewModel/possibleActions';
import type { World } from '../../../domain/reasons/world';
import { hideIcons } from '../../tree/hideIcons';
import type { QueueDocument } from '../document/queueDocument';
import { describeState } from './lensSentence';
import { hasLine, type LineSpan } from './lensSpans';

/** Lens above a row of a queue file. */
export interface PlannedLens {
  /** Line of the document, from 0. */
  readonly line: number;
  readonly title: string;
  /** Whether a click lists the actions of the task; else it shows the tree, which has the details. */
  readonly hasActions: boolean;
  readonly taskId: number;
}

/**
 * Plans one lens for each row of a document, saved or not, that is a task of the queue and starts in one of the spans.
 * Without trust they have no actions.
 */
export function planLenses(
  document: QueueDocument,
  { tasks, world }: QueueViewModel,
  { isTrusted, spans }: { readonly isTrusted: boolean; readonly spans: readonly LineSpan[] },
): readonly PlannedLens[] {
  const byId = new Map(tasks.map((shown) => [shown.task.definition.id, shown]));
  const rows = new Set(spans.flatMap(({ first, last }) => document.rowsBetween(first, last)));
  return [...rows].flatMap(({ id, line }) => {
    const shown = id === null ? undefined : byId.get(id);
    return shown === undefined || !hasLine(spans, line) ? [] : [lensOf(shown, world, { line, isTrusted })];
  });
}

function lensOf(
  shown: TaskViewModel,
  world: World,
  { line, isTrusted }: { readonly line: number; readonly isTrusted: boolean },
): PlannedLens {
  const hasActions = isTrusted && possibleActions(shown).size > 0;
  const icon = iconOf(shown);
  // An ordinary space after an icon is not drawn.
  const drawn = icon === undefined ? '' : `$(${icon})\u00a0`;
  const title = `${drawn}${hideIcons(describeState(shown, world))}${hasActions ? '…' : ''}`;
  return { line, title, hasActions, taskId: shown.task.definition.id };
}

function iconOf({ task, reason, service }: TaskViewModel): string | undefined {
  if (task.claim?.owner.kind === 'person') return 'account';
  const isLate = service !== null && service.standing !== 'in-time';
  return ICONS[reason.shown] ?? (isLate ? 'watch' : undefined);
}

const ICONS: Partial<Record<TaskViewModel['reason']['shown'], string>> = {
  running: 'sync~spin',
  unapproved: 'shield',
  review: 'eye',
  completed: 'pass',
  dead: 'error',
  stuck: 'error',
};
