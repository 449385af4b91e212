import { approvable, isApproved } from '../../domain/task/approval';
import { PERMISSION_COLUMNS } from '../../domain/task/permissionFingerprint';
import { formatDuration } from '../../domain/time/duration';
import { parseTypedTime } from '../../domain/time/typedTime';
import type { Definition } from '../../domain/task/task';
import { formatDistance, formatWithDay } from '../queueFile/hover/nextTimes';
import { changedCells, FIELD_OF, LABELS, type FormValues } from './formValues';
import type { FormFacts } from './formFacts';

/** Sentence about what follows from Add or Save: the start, then the rest. */
export interface Outcome {
  readonly lead: string;
  readonly rest: string;
}

/** Describes what will happen with the task. `definition` is null while a field is wrong. */
export function describeOutcome(
  values: FormValues,
  definition: Definition | null,
  facts: FormFacts,
): Outcome {
  const lead = describeStart(values, definition, facts);
  if (definition === null) return { lead, rest: '' };
  const rest = [describeApproval(values, facts), describeRunner(definition, facts), ...describeStops(facts)];
  return { lead, rest: rest.join(' ') };
}

function describeStart(
  values: FormValues,
  definition: Definition | null,
  { moment, rates, edited }: FormFacts,
): string {
  if (definition === null) return values.prompt.trim() === '' ? 'Write a prompt.' : 'Some fields are wrong.';
  const { dependencies, priority } = definition;
  const at = values.time.trim() === '' ? null : parseTypedTime(values.time, moment);
  const waits = [
    ...(dependencies.length === 0 ? [] : [`after ${joinWords(dependencies.map(String))}`]),
    ...(at === null || at <= moment.now
      ? []
      : [`at ${formatWithDay(at, moment.timeZone)} (${formatDistance(at, moment)})`]),
  ];
  const start = waits.length === 0 ? 'as soon as its turn comes' : waits.join(' and ');
  const { meanDurationMs } = rates[priority];
  const duration = meanDurationMs === null ? '' : `, about ${formatMinutes(meanDurationMs)}`;
  const lead = edited === null ? start : `runs ${start}`;
  return `${lead.charAt(0).toUpperCase()}${lead.slice(1)}${duration}.`;
}

function formatMinutes(ms: number): string {
  return formatDuration(Math.max(1, Math.round(ms / MINUTE_MS)) * MINUTE_MS);
}

const MINUTE_MS = 60_000;

function joinWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}

function describeApproval(values: FormValues, { edited, moment, viewModel }: FormFacts): string {
  if (edited === null) return 'Approved, because you write it here.';
  const { shown, initial } = edited;
  const changed = Object.keys(changedCells(initial, values, moment));
  const powers = changed.filter((column) => column in PERMISSION_COLUMNS);
  const isRunning = shown.task.claim !== undefined;
  if (changed.length === 0) return 'Nothing is changed yet.';
  if (isRunning && powers.length > 0)
    return `The task is running: ${namesOf(powers)} can be changed when it has ended.`;
  const { definition, state } = shown.task;
  if (!isApproved(approvable(definition, state.power), viewModel.world.approvedRows))
    return 'It still needs your approval.';
  return powers.length === 0
    ? `Changes ${namesOf(changed)}; its approval stays.`
    : `Changes ${namesOf(changed)}. Approved again, because you write it here.`;
}

function namesOf(columns: readonly string[]): string {
  const found = Object.entries(FIELD_OF).filter(([column]) => columns.includes(column));
  return joinWords([...new Set(found.map(([, field]) => LABELS[field].toLowerCase()))]);
}

function describeRunner({ user }: Definition, { login }: FormFacts): string {
  const owner = user === undefined ? '' : ` Its turn is that of user ${user}.`;
  return `It runs unattended as ${login}.${owner}`;
}

/** Returns why nothing starts now. */
function describeStops({ viewModel: { stops, snapshot } }: FormFacts): string[] {
  const [stop] = stops;
  if (stop !== undefined) return [`Nothing starts now: ${stop.text.replace(/\.$/, '')}.`];
  return snapshot.workers.length === 0 ? ['No worker is running: press Start afterwards.'] : [];
}
