import type { Command } from 'commander';
import {
  countFresh,
  describeDiffOf,
  describeOutcomes,
  formatCost,
  formatCount,
  formatRunTime,
} from '../../../app/present/counts';
import { describeWaited, formatRan, nameEnd } from '../../../app/present/attempt';
import { count } from '../../../app/present/text';
import { type Attempt, type Outcome, OUTCOMES } from '../../../domain/task/attempt';
import type { TaskId } from '../../../domain/task/task';
import { formatMinute } from '../../../domain/time/localTime';
import type { Moment } from '../../../domain/time/moment';
import { Problem } from '../../../domain/problem';
import { formatUsd } from '../../../domain/usd';
import type { AttemptFilter, TaskQueue } from '../../../queue/taskQueue';
import { sumOf } from '../../../app/viewModel/ledger';
import type { Act } from '../../action';
import type { Context } from '../../context';
import { OK } from '../../exitCodes';
import { layAttemptOut } from '../../output/attemptFacts';
import { noteArchived, noteKnownFrom } from '../../output/report/archivedNote';
import { explainMissing } from '../../output/missingTask';
import { historyToJson } from '../../output/historyJson';
import { parsePastSince } from '../../options/since';
import { parseCount, parseId } from '../../options/parseArguments';

const NOTHING = 'No attempt has ended yet, or the history was archived.';

const HEAD = [
  ...['started', 'task', 'attempt', 'outcome', 'took', 'turns', 'cost', 'tokens', 'changed', 'refused'],
  ...['priority', 'waited'],
];

export function defineHistory(program: Command, act: Act): void {
  const command = program
    .command('history')
    .description('show attempts, newest first: time, outcome, cost')
    .argument('[id]', 'only this task, with the details of its latest attempt')
    .option('--attempt <number>', 'with an id: the details of this attempt')
    .option('--since <time>', 'attempts started since then: 7d, HH:MM or YYYY-MM-DD HH:MM')
    .option('--outcome <word>', `only attempts with this outcome: ${OUTCOMES.join(', ')}`)
    .option('--limit <count>', 'show at most N attempts')
    .option('--occurrences', 'with an id: the result of each due time of a repeating or scheduled task')
    .option('--json', 'print JSON');
  act(command, async (context, [id], options) => {
    const { timeZone } = await context.configure();
    if (options['occurrences'] === true) {
      refuseAttemptOptions(options);
      if (id === undefined) throw new Problem('usage', 'Give a task, such as "history 7 --occurrences".');
      const { showOccurrences } = await import('../../output/occurrences');
      return context.withQueue((queue) => {
        const filter = readFilter(id, options, { now: queue.now(), timeZone });
        return showOccurrences(context, queue, { ...filter, id: parseId(id) }, options['json'] === true);
      });
    }
    const number = readNumber(id, options);
    const { filter, attempts, note } = await context.withQueue(async (queue) => {
      const read = readFilter(id, options, { now: queue.now(), timeZone });
      const found = await findAttempts(queue, read, number);
      if (found.length === 0 && read.id !== undefined) await refuseUnknown(queue, read.id, context);
      return { filter: read, attempts: found, note: await readNote(context, queue, read) };
    });
    const [newest] = attempts;
    const notes = note === null ? [] : [note];
    if (options['json'] === true) context.system.out(historyToJson(attempts));
    else if (newest === undefined) {
      const none = Object.keys(filter).length === 0 ? NOTHING : ['No attempt matches.', ...notes].join(' ');
      context.system.out(none);
    } else {
      if (number === null) context.system.out([await toText(attempts, timeZone), ...notes].join('\n'));
      if (id !== undefined)
        context.system.out(
          layAttemptOut(newest, {
            ...context.moment(),
            withMachine: context.redis !== null,
            isLatest: false,
          }),
        );
    }
    return OK;
  });
}

/** Refuses the options of attempts that a list of due times cannot honor. */
function refuseAttemptOptions(options: Readonly<Record<string, unknown>>): void {
  for (const name of ['attempt', 'outcome'])
    if (options[name] !== undefined) throw new Problem('usage', `Give --occurrences or --${name}: not both.`);
}

/** Says that archived attempts are not listed; null: none that matches is archived, or only the newest are asked for. */
async function readNote(
  context: Context,
  queue: TaskQueue,
  { id, since, limit }: AttemptFilter,
): Promise<string | null> {
  if (limit !== undefined) return null;
  const { settings, timeZone } = await context.configure();
  if (since !== undefined) return noteKnownFrom({ settings, timeZone, now: queue.now() }, since);
  const known = await queue.attempts(id === undefined ? {} : { id });
  const { tasks } = await queue.read();
  const own = id === undefined ? tasks : tasks.filter(({ definition }) => definition.id === id);
  return noteArchived(own, known);
}

/** Refuses a task that has neither a row nor an attempt. @throws Problem `no-such-task` */
async function refuseUnknown(queue: TaskQueue, id: TaskId, context: Context): Promise<void> {
  if ((await queue.attempts({ id, limit: 1 })).length > 0) return;
  const snapshot = await queue.read();
  if (!snapshot.tasks.some(({ definition }) => definition.id === id))
    throw explainMissing(id, snapshot, context);
}

/** Returns the attempts that match, newest first. The limit counts those that also have the number. */
async function findAttempts(
  queue: TaskQueue,
  { limit, ...filter }: AttemptFilter,
  number: number | null,
): Promise<readonly Attempt[]> {
  if (number === null) return queue.attempts({ ...filter, ...(limit === undefined ? {} : { limit }) });
  const found = await queue.attempts(filter);
  return found.filter((attempt) => attempt.number === number).slice(0, limit);
}

function readFilter(
  id: string | undefined,
  { since, outcome, limit }: Readonly<Record<string, unknown>>,
  { now, timeZone }: Pick<Moment, 'now' | 'timeZone'>,
): AttemptFilter {
  return {
    ...(id === undefined ? {} : { id: parseId(id) }),
    ...(typeof since === 'string' ? { since: parsePastSince(since, now, timeZone) } : {}),
    ...(typeof outcome === 'string' ? { outcome: parseOutcome(outcome) } : {}),
    ...(typeof limit === 'string' ? { limit: parseCount(limit) } : {}),
  };
}

function readNumber(id: string | undefined, { attempt }: Readonly<Record<string, unknown>>): number | null {
  if (typeof attempt !== 'string') return null;
  if (id !== undefined) return parseCount(attempt);
  throw new Problem(
    'usage',
    'Attempts are numbered per task. Give the task too, such as "history 7 --attempt 2".',
  );
}

function parseOutcome(text: string): Outcome {
  const outcome = OUTCOMES.find((word) => word === text);
  if (outcome !== undefined) return outcome;
  throw new Problem('usage', `"${text}" is not an outcome: give one of ${OUTCOMES.join(', ')}.`);
}

async function toText(attempts: readonly Attempt[], timeZone: string): Promise<string> {
  const { layOut } = await import('../../output/table');
  const rows = attempts.map((attempt) => toCells(attempt, timeZone));
  return [...layOut(HEAD, rows), sumUp(attempts)].join('\n');
}

function toCells(attempt: Attempt, timeZone: string): string[] {
  const { costUsd, turns, tokens, diff, denials = [] } = attempt;
  return [
    formatMinute(attempt.startedAt, timeZone),
    String(attempt.id),
    String(attempt.number),
    nameEnd(attempt),
    formatRan(attempt),
    turns === undefined ? '' : String(turns),
    costUsd === undefined ? '' : formatUsd(costUsd),
    tokens === undefined ? '' : formatCount(countFresh(tokens)),
    diff === undefined ? '' : describeDiffOf(attempt),
    denials.length === 0 ? '' : String(denials.length),
    attempt.priority ?? '',
    describeWaited(attempt),
  ];
}

/** Describes the totals in one line. */
function sumUp(attempts: readonly Attempt[]): string {
  const sums = sumOf(attempts);
  const ended = `${count(attempts.length, 'attempt')}: ${describeOutcomes(sums.outcomes)}`;
  const ran = formatRunTime(sums);
  return `${ended}; ${ran === '' ? '' : `in all ${ran}, `}cost ${formatCost(sums)}.`;
}
