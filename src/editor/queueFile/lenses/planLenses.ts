import type { QueueViewModel, TaskViewModel } from '../../../app/viewModel/queueViewModel';
import { describeRowProblem } from '../../../app/present/problems/rowProblem';
import { shorten } from '../../../app/present/text';
import type { FaultProblem, FileWhere } from '../../../domain/problem';
import type { World } from '../../../domain/reasons/world';
import { readRow } from '../../../queue/csv/row';
import type { RowContext } from '../../../queue/row/rowContext';
import { toSpokenSentence } from '../../spokenText';
import { hideIcons } from '../../hiddenLinks';
import type { DocumentRow } from '../document/documentRecord';
import type { QueueDocument } from '../document/queueDocument';
import type { TextPosition } from '../document/textRange';
import { rangeOfFault } from '../problems/placeProblems';
import { describeState } from './stateSentence';
import { hasLine, type LineSpan } from './lensSpans';
import { t } from '../../../platform/text/translate';

/** Lens above a row of a queue file. */
export interface PlannedLens {
  /** Line of the document, from 0. */
  readonly line: number;
  readonly title: string;
  /** Title in words, for screen readers. */
  readonly spoken: string;
  /** Whether a click lists the actions of the task, or the fixes of the row; else it shows the tree. */
  readonly hasActions: boolean;
  /** Task of the row, or the place of the problem of a row that is not valid. */
  readonly target: number | TextPosition;
}

/** Everything besides the text and the queue that decides about lenses. */
export interface LensContext {
  readonly isTrusted: boolean;
  readonly spans: readonly LineSpan[];
  /** Decides which rows are valid. */
  readonly rows: RowContext;
}

/**
 * Plans one lens for each row of a document, saved or not, that starts in one of the spans, and is a task of the queue
 * or not valid. Without trust they have no actions.
 */
export function planLenses(
  document: QueueDocument,
  viewModel: QueueViewModel,
  context: LensContext,
): readonly PlannedLens[] {
  const { spans, isTrusted } = context;
  const byId = new Map(viewModel.tasks.map((shown) => [shown.task.definition.id, shown]));
  const rows = new Set(spans.flatMap(({ first, last }) => document.rowsBetween(first, last)));
  return [...rows].flatMap((row) => {
    const { id, line } = row;
    if (!hasLine(spans, line)) return [];
    const shown = id === null ? undefined : byId.get(id);
    // A task that is running stays so, whatever is written meanwhile. If its id is double, its row is not known.
    const isRunning = shown?.task.claim !== undefined && !(id !== null && document.isDouble(id));
    const isKnown = shown !== undefined || wasInvalid(row, viewModel);
    const invalid = isRunning || !isKnown ? null : lensOfInvalid(document, row, viewModel, context);
    if (invalid !== null) return [invalid];
    return shown === undefined ? [] : [lensOf(shown, viewModel.world, { line, isTrusted })];
  });
}

/** Characters of a problem in a lens. */
const WIDTH = 100;

/** Returns the lens of a row that is not valid; null if it is. */
function lensOfInvalid(
  document: QueueDocument,
  row: DocumentRow,
  viewModel: QueueViewModel,
  { isTrusted, rows }: LensContext,
): PlannedLens | null {
  const { file } = document;
  if (!file.whole) return null;
  const reading = readRow(file, row.record, rows);
  const [own] = 'row' in reading ? [] : reading.problems;
  const fault = findFault(document, row, viewModel);
  const problem = own ?? fault;
  if (problem === undefined) return null;
  const text = shorten(describeRowProblem(problem), WIDTH).replace(/[.。…\s]+$/, '');
  const invalid = t('Invalid: {0}', text);
  const title = `$(warning)\u00a0${hideIcons(invalid)}${isTrusted ? '…' : ''}`;
  const spoken = toSpokenSentence(invalid);
  const target =
    'fault' in problem ? rangeOfFault(row, problem.fault, row.id).start : toPosition(problem.where);
  return { line: row.line, title, spoken, hasActions: isTrusted, target };
}

/** Returns the fault of a row among several. Only that its id is double is known before the file is saved. */
function findFault(
  document: QueueDocument,
  row: DocumentRow,
  { snapshot }: QueueViewModel,
): FaultProblem | undefined {
  const { id } = row;
  if (id !== null && document.isDouble(id)) {
    const places = document.rowsOf(id).map(placeOf);
    return { id, where: placeOf(row), row: row.line + 1, fault: { kind: 'duplicate-id', id, places } };
  }
  return snapshot.problems
    .filter((problem) => 'fault' in problem)
    .find((problem) => problem.id === id && problem.fault.kind !== 'duplicate-id');
}

const placeOf = ({ line }: DocumentRow): FileWhere => ({ kind: 'file', line: line + 1, column: 1 });

/** Whether the saved file has this row and it is not valid. No lens comes and goes above a row that is being typed. */
function wasInvalid({ id, line }: DocumentRow, { snapshot }: QueueViewModel): boolean {
  return snapshot.problems.some(({ id: other, row }) => (other ?? null) === id && row === line + 1);
}

function toPosition({ line, column }: FileWhere): TextPosition {
  return { line: line - 1, character: column - 1 };
}

function lensOf(
  shown: TaskViewModel,
  world: World,
  { line, isTrusted }: { readonly line: number; readonly isTrusted: boolean },
): PlannedLens {
  const icon = iconOf(shown);
  // An ordinary space after an icon is not drawn.
  const drawn = icon === undefined ? '' : `$(${icon})\u00a0`;
  const state = describeState(shown, world);
  const title = `${drawn}${hideIcons(state)}${isTrusted ? '…' : ''}`;
  const { id } = shown.task.definition;
  const spoken = toSpokenSentence(t('Task {0}: {1}', id, state));
  return { line, title, spoken, hasActions: isTrusted, target: id };
}

function iconOf({ task, reason, service }: TaskViewModel): string | undefined {
  if (task.claim?.owner.kind === 'person') return 'account';
  const isLate = service !== null && service.standing !== 'in-time';
  return ICONS[reason.state] ?? (isLate ? 'watch' : undefined);
}

const ICONS: Partial<Record<TaskViewModel['reason']['state'], string>> = {
  running: 'sync~spin',
  unapproved: 'shield',
  review: 'eye',
  completed: 'pass',
  dead: 'error',
  stuck: 'error',
};
