import { describeAttempt, describeOutcome } from '../../../app/present/attempt';
import { describeMessage } from '../../../app/present/reasons/endNote';
import { describeFolder, shorten } from '../../../app/present/text';
import { possibleActions, type TaskAction } from '../../../app/viewModel/possibleActions';
import type { TaskViewModel } from '../../../app/viewModel/queueViewModel';
import type { Attempt, Outcome } from '../../../domain/task/attempt';
import { hasDiff } from '../../../domain/task/attemptFacts';
import { isInReview, type Claim } from '../../../domain/queue/view';
import { placeOfAttempt } from '../../../domain/task/place';
import { promptOf, type TaskId } from '../../../domain/task/task';
import { formatDuration } from '../../../domain/time/duration';
import { formatMinute } from '../../../domain/time/localTime';
import type { Moment } from '../../../domain/time/moment';
import { isElsewhere } from '../../../platform/processes/machine';
import { t } from '../../../platform/text/translate';
import type { CommandName } from '../../commandIds';
import { describeCommand, type ListedCommands } from '../../state/listedCommands';
import { toShown } from '../steps';
import { escapeHtml } from '../../pages/html';
import { cutMiddle } from './html';

/** One attempt of a task, as it is known now. */
export interface KnownAttempt {
  readonly id: TaskId;
  readonly number: number;
  /** Numbers of all attempts, the newest first. */
  readonly numbers: readonly number[];
  /** Null: its row was removed. */
  readonly shown: TaskViewModel | null;
  /** Null while it runs, and if the history does not have it. */
  readonly attempt: Attempt | null;
  /** The claim of a worker under which it runs now; null: it does not run. */
  readonly claim: Claim | null;
}

/** Facts of the window that shows the page. */
export interface PageContext {
  readonly moment: Moment;
  readonly isTrusted: boolean;
  readonly listed: ListedCommands;
  /** Whether the official extension can open the session. */
  readonly hasExtension: boolean;
  /** Last action of Claude; empty if there is none. */
  readonly now: string;
  /** Sentences about what the page does not show. */
  readonly notes: readonly string[];
}

/** Parts of the page as HTML, by the ids of their elements. */
export type PageParts = Readonly<
  Record<'title' | 'verdict' | 'actions' | 'attempts' | 'prompt' | 'notes' | 'facts', string>
>;

/** Returns everything on the page but the steps. */
export function renderParts(known: KnownAttempt, context: PageContext): PageParts {
  return {
    title: renderTitle(known),
    verdict: renderVerdict(known, context),
    actions: renderActions(known, context),
    attempts: renderAttempts(known),
    prompt: renderPrompt(known),
    notes: context.notes.map((note) => renderNote(note)).join(''),
    facts: renderFacts(known, context),
  };
}

function renderNote(text: string): string {
  return `<p class="dim">${escapeHtml(text)}</p>`;
}

/** Returns the parts of a page whose queue cannot be read: they say why. */
export function renderUnread(id: TaskId, why: string): Partial<PageParts> {
  return {
    title: escapeHtml(t('Task {0}', id)),
    verdict: `<strong class="warning">${escapeHtml(toShown(why))}</strong>`,
  };
}

const TITLE_WIDTH = 100;

function renderTitle({ id, shown }: KnownAttempt): string {
  const prompt =
    shown === null ? t('Its row was removed') : shorten(shown.task.definition.prompt, TITLE_WIDTH);
  return `<span class="number">${String(id)}</span> ${escapeHtml(toShown(prompt))}`;
}

const TONES: Readonly<Record<Outcome, string>> = {
  success: 'success',
  review: 'warning',
  error: 'failure',
  transient: 'warning',
  limit: 'warning',
  blocked: 'warning',
  permanent: 'failure',
  cancelled: 'dim',
  lost: 'warning',
};

function renderVerdict(known: KnownAttempt, { moment, now }: PageContext): string {
  const { number, attempt, claim } = known;
  if (claim !== null) {
    const running = t('Running for {0}.', formatDuration(moment.now - claim.at));
    const doing = now === '' ? '' : ` ${escapeHtml(t('Now:'))} <code>${escapeHtml(now)}</code>`;
    return `<strong class="running">${escapeHtml(running)}</strong>${doing}`;
  }
  if (attempt === null) return `<strong>${escapeHtml(t('This attempt is not in the history.'))}</strong>`;
  const isReviewed = attempt.outcome === 'review' && !awaitsReview(known);
  const words = t('Attempt {0} {1}.', number, isReviewed ? t('ended in review') : describeOutcome(attempt));
  const message = escapeHtml(toShown(describeMessage(attempt)));
  const tone = isReviewed ? 'dim' : TONES[attempt.outcome];
  return `<strong class="${tone}">${escapeHtml(words)}</strong> ${message}`;
}

/** Whether the user has neither answered nor decided since. */
function awaitsReview({ shown, number, numbers }: KnownAttempt): boolean {
  return shown !== null && number === numbers[0] && isInReview(shown.task.state);
}

/** Commands that the page offers for the newest attempt, the likely ones first, with the action that they need. */
const OFFERED: readonly (readonly [CommandName, TaskAction])[] = [
  ['answer', 'answer'],
  ['accept', 'accept'],
  ['allowTools', 'allow'],
  ['comment', 'comment'],
  ['retry', 'retry'],
  ['undoChanges', 'undo'],
  ['cancel', 'cancel'],
  ['showOutput', 'showOutput'],
];

function offerCommands({ shown, attempt, number, numbers }: KnownAttempt): readonly CommandName[] {
  if (shown === null) return [];
  const can = possibleActions(shown);
  const hasChanges = attempt !== null && hasDiff(attempt) && can.has('showChanges');
  const own = number === numbers[0] ? OFFERED : [];
  return [
    ...(hasChanges ? (['showChanges'] as const) : []),
    ...own.flatMap(([command, action]) => {
      const isShown = can.has(action) && (command !== 'cancel' || shown.reason.state === 'running');
      return isShown ? [command] : [];
    }),
  ];
}

/** Commands that are never the main one of the page. */
const MINOR: readonly CommandName[] = ['cancel', 'comment', 'retry', 'undoChanges', 'showOutput'];

function renderActions(known: KnownAttempt, context: PageContext): string {
  if (!context.isTrusted) return renderNote(t('Trust this workspace to act on the task.'));
  const buttons = offerCommands(known).map((command, index) => {
    const { title } = describeCommand(command, context.listed);
    const isMain = index === 0 && !MINOR.includes(command);
    return `<button type="button" data-command="${command}"${isMain ? ' class="primary"' : ''}>${escapeHtml(title)}</button>`;
  });
  return [...buttons, ...renderContinue(known, context)].join('');
}

/** Whether the user may continue the attempt's session now. */
export function canContinue({ shown, attempt }: KnownAttempt): boolean {
  if (shown === null || attempt?.session === undefined || attempt.session === null) return false;
  const { claim, state } = shown.task;
  return claim === undefined && state.power === attempt.power;
}

function renderContinue(known: KnownAttempt, { hasExtension }: PageContext): readonly string[] {
  if (!canContinue(known)) return [];
  const button = (where: 'terminal' | 'extension', title: string): string =>
    `<button type="button" data-continue="${where}" aria-describedby="outside">${escapeHtml(title)}</button>`;
  const note = t(
    'A continued session is outside the queue: it changes no state, and its usage is not counted here.',
  );
  return [
    button('terminal', t('Continue Session in Terminal')),
    ...(hasExtension ? [button('extension', t('Continue in Claude Code Extension'))] : []),
    `<p id="outside" class="dim">${escapeHtml(note)}</p>`,
  ];
}

function renderAttempts({ number, numbers }: KnownAttempt): string {
  if (numbers.length < 2) return escapeHtml(t('attempt {0} of {1}', number, Math.max(...numbers, number)));
  const options = numbers.map(
    (each) =>
      `<option value="${String(each)}"${each === number ? ' selected' : ''}>${escapeHtml(t('Attempt {0}', each))}</option>`,
  );
  return `<label for="attempt">${escapeHtml(t('Attempt'))}</label> <select id="attempt">${options.join('')}</select>`;
}

/** Lines of a prompt that are shown at once, and characters of all of it. */
const FIRST_LINES = 6;
const LONGEST_PROMPT = 50_000;

function renderPrompt({ shown, claim, attempt }: KnownAttempt): string {
  if (shown === null) return renderNote(t('The row was removed, so its prompt is not known.'));
  const { definition, state } = shown.task;
  const lines = cutMiddle(toShown(promptOf(definition).trim()), LONGEST_PROMPT).split('\n');
  const changed =
    attempt === null || attempt.power === state.power
      ? ''
      : `<p class="warning">${escapeHtml(t('The row has changed since this attempt. This is its prompt now.'))}</p>`;
  const place = placeOfAttempt(claim ?? attempt ?? {}, definition);
  const about = t('{0} priority · in {1}', definition.priority, describeFolder(place));
  const facts = renderNote(toShown(about));
  const text = (part: readonly string[]): string => `<div class="words">${escapeHtml(part.join('\n'))}</div>`;
  if (lines.length <= FIRST_LINES) return `${changed}${text(lines)}${facts}`;
  const more = t('Show {0} more lines', lines.length - FIRST_LINES);
  const rest = `<details><summary>${escapeHtml(more)}</summary>${text(lines.slice(FIRST_LINES))}</details>`;
  return `${changed}${text(lines.slice(0, FIRST_LINES))}${rest}${facts}`;
}

/** Facts that the head of the page has. */
const IN_HEAD: readonly (string | undefined)[] = ['task', 'why'];

function renderFacts({ attempt, claim }: KnownAttempt, { moment }: PageContext): string {
  const facts = attempt === null ? describeRunning(claim, moment) : describeEnded(attempt, moment);
  return facts
    .filter(({ kind }) => !IN_HEAD.includes(kind))
    .map(({ name, text }) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(toShown(text))}</dd>`)
    .join('');
}

function describeEnded(attempt: Attempt, moment: Moment): ReturnType<typeof describeAttempt> {
  const { machine } = attempt;
  return describeAttempt(attempt, { ...moment, withMachine: machine !== undefined && isElsewhere(machine) });
}

function describeRunning(claim: Claim | null, { timeZone }: Moment): ReturnType<typeof describeAttempt> {
  if (claim === null) return [];
  return [
    { name: t('started'), text: formatMinute(claim.at, timeZone) },
    ...(claim.resume === undefined
      ? []
      : [{ name: t('resumes'), text: t('the session of an earlier attempt') }]),
    ...(claim.user === undefined ? [] : [{ name: t('user'), text: claim.user }]),
    { name: t('session'), text: claim.session },
  ];
}

/** Returns the folder in which the attempt ran; null if nothing says so. */
export function folderOfAttempt({ shown, claim, attempt }: KnownAttempt): string | null {
  return placeOfAttempt(claim ?? attempt ?? {}, shown?.task.definition)?.folder ?? null;
}
