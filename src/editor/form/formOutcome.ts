import type { ShownState } from '../../domain/reasons/reason';
import { approvable, isApproved } from '../../domain/task/approval';
import { isSetUpSeen, listSeenSetUps } from '../../app/approval/setUp';
import { findDroppedWords } from '../../app/approval/ownEdit';
import { STATE_NAMES } from '../../app/present/reasons/stateNames';
import { describeDropped } from '../../app/present/rowChanges';
import { PERMISSION_COLUMNS } from '../../domain/task/permissionFingerprint';
import { formatDuration } from '../../domain/time/duration';
import { parseTypedTime } from '../../domain/time/typedTime';
import type { Definition } from '../../domain/task/task';
import { t } from '../../platform/text/translate';
import { formatDistance, formatWithDay } from '../queueFile/hover/nextTimes';
import { describeStateFully } from '../queueFile/lenses/stateSentence';
import { keptDueAt } from './keptDueAt';
import type { CheckedValues, FieldProblems } from './formProblems';
import { changedCells, FIELD_OF, FIELDS, LABELS, type FormValues } from './formValues';
import type { FormFacts } from './formFacts';
import { COMMA } from '../../app/present/text';

/** Sentence about what follows from Add or Save: the start, then the rest. */
export interface Outcome {
  readonly lead: string;
  readonly rest: string;
}

/** Describes what will happen with the task, or which fields are wrong. */
export function describeOutcome(
  values: FormValues,
  { problems, definition }: CheckedValues,
  facts: FormFacts,
): Outcome {
  const { id, unread, viewModel } = facts;
  if (unread !== null)
    return {
      lead: t('The queue cannot be read now.'),
      rest: `${unread} ${t('What you typed stays here.')}`,
    };
  if (id !== null && facts.edited === null && !viewModel.snapshot.invalidIds.has(id))
    return {
      lead: t('Task {0} was removed.', id),
      rest: t('Nothing can be saved. Copy your text, and add a task with it.'),
    };
  if (definition === null) return { lead: describeWrongFields(values, problems), rest: '' };
  const lead = describeStart(values, definition, facts);
  const rest = [
    ...describeStuck(definition, facts),
    describeApproval(values, definition, facts),
    ...describeLost(values, facts),
    describeRunner(definition, facts),
    ...describeStops(facts),
  ];
  return { lead, rest: rest.join(' ') };
}

/** States that an edit of the row does not end. */
const STAYING: readonly ShownState[] = ['running', 'review', 'completed', 'cancelled', 'dead'];

function describeWrongFields({ prompt }: FormValues, problems: FieldProblems): string {
  if (prompt.trim() === '') return t('Write a prompt.');
  const wrong = FIELDS.filter((field) => problems[field] !== undefined);
  const names = wrong.map((field) => LABELS[field]).join(COMMA);
  return wrong.length === 1
    ? t('1 field is wrong: {0}.', names)
    : t('{0} fields are wrong: {1}.', wrong.length, names);
}

function describeStart(values: FormValues, definition: Definition, facts: FormFacts): string {
  const { moment, rates, edited, viewModel } = facts;
  if (edited !== null && STAYING.includes(edited.shown.reason.state))
    return t('{0}.', describeStateFully(edited.shown, viewModel.world));
  const { dependencies, priority, repeat } = definition;
  const typed = values.time.trim() === '' ? null : parseTypedTime(values.time, moment);
  const at = keptDueAt(values, repeat, facts) ?? typed;
  const waits = {
    after: dependencies.length === 0 ? null : joinWords(dependencies.map(String)),
    at:
      at === null || at <= moment.now
        ? null
        : `${formatWithDay(at, moment.timeZone)} (${formatDistance(at, moment)})`,
  };
  const start = edited === null ? describeWaits(waits) : describeWaitsOfEdited(waits);
  const { meanDurationMs } = rates[priority];
  return meanDurationMs === null
    ? t('{0}.', start)
    : t('{0}, about {1}.', start, formatMinutes(meanDurationMs));
}

/** States of a task that only the user can end: until then no task that depends on it starts. */
const BLOCKING: readonly ShownState[] = ['dead', 'cancelled', 'stuck'];

function describeStuck({ dependencies }: Definition, { edited, viewModel }: FormFacts): string[] {
  if (edited !== null && STAYING.includes(edited.shown.reason.state)) return [];
  const found = viewModel.tasks.find(
    ({ task, reason }) => dependencies.includes(task.definition.id) && BLOCKING.includes(reason.state),
  );
  const invalid = dependencies.find((id) => viewModel.snapshot.invalidIds.has(id));
  const id = found?.task.definition.id ?? invalid;
  if (id === undefined) return [];
  const state = STATE_NAMES[found?.reason.state ?? 'invalid'];
  return [t('It cannot start: {0}.', t('waits for {0} ({1})', id, state))];
}

/** Conditions for the start of a task, in words. */
interface Waits {
  /** Tasks. */
  readonly after: string | null;
  /** Time. */
  readonly at: string | null;
}

function describeWaits({ after, at }: Waits): string {
  if (after !== null && at !== null) return t('After {0} and at {1}', after, at);
  if (after !== null) return t('After {0}', after);
  return at === null ? t('As soon as its turn comes') : t('At {0}', at);
}

function describeWaitsOfEdited({ after, at }: Waits): string {
  if (after !== null && at !== null) return t('Runs after {0} and at {1}', after, at);
  if (after !== null) return t('Runs after {0}', after);
  return at === null ? t('Runs as soon as its turn comes') : t('Runs at {0}', at);
}

function formatMinutes(ms: number): string {
  return formatDuration(Math.max(1, Math.round(ms / MINUTE_MS)) * MINUTE_MS);
}

const MINUTE_MS = 60_000;

function joinWords(words: readonly string[]): string {
  return words.length < 2
    ? words.join('')
    : t('{0} and {1}', words.slice(0, -1).join(COMMA), words.at(-1) ?? '');
}

function describeApproval(
  values: FormValues,
  row: Definition,
  { id, edited, moment, viewModel }: FormFacts,
): string {
  const { approvedRows } = viewModel.world;
  const isSeen =
    approvedRows.trusted ||
    isSetUpSeen(
      row,
      listSeenSetUps({ tasks: viewModel.tasks.map(({ task }) => task), approved: approvedRows }),
    );
  const unseen = t(
    "It needs your approval: its check is set up by a command of the queue's settings that you have not approved yet.",
  );
  if (edited === null && id !== null) return t('It still needs your approval.');
  if (edited === null) return isSeen ? t('Approved, because you write it here.') : unseen;
  const { shown, initial } = edited;
  const changed = Object.keys(changedCells(initial, values, moment));
  const powers = changed.filter((column) => column in PERMISSION_COLUMNS);
  const isRunning = shown.task.claim !== undefined;
  if (changed.length === 0) return t('Nothing is changed yet.');
  if (isRunning && powers.length > 0)
    return t('The task is running: {0} can be changed when it has ended.', namesOf(powers));
  const { definition, state } = shown.task;
  if (!isApproved(approvable(definition, state.power), approvedRows))
    return t('It still needs your approval.');
  if (!isSeen) return unseen;
  return powers.length === 0
    ? t('Changes {0}; its approval stays.', namesOf(changed))
    : t('Changes {0}. Approved again, because you write it here.', namesOf(changed));
}

/** Says which words to Claude are lost with the changes. */
function describeLost(values: FormValues, { edited, moment }: FormFacts): string[] {
  if (edited === null) return [];
  const changed = Object.keys(changedCells(edited.initial, values, moment));
  const dropped = findDroppedWords(edited.shown.task.state);
  const isOther = changed.some((column) => column in PERMISSION_COLUMNS);
  return dropped === null || !isOther ? [] : [describeDropped(dropped)];
}

function namesOf(columns: readonly string[]): string {
  const found = Object.entries(FIELD_OF).filter(([column]) => columns.includes(column));
  return joinWords([...new Set(found.map(([, field]) => LABELS[field].toLowerCase()))]);
}

function describeRunner({ user }: Definition, { login }: FormFacts): string {
  const runner = t('It runs unattended as {0}.', login);
  return user === undefined ? runner : `${runner} ${t('Its turn is that of user {0}.', user)}`;
}

/** Returns why nothing starts now. */
function describeStops({ viewModel: { stops, snapshot } }: FormFacts): string[] {
  const [stop] = stops;
  if (stop !== undefined) return [t('Nothing starts now: {0}.', stop.text.replace(/[.。]$/, ''))];
  return snapshot.workers.length === 0 ? [t('No worker is running: press Start afterwards.')] : [];
}
