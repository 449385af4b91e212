import {
  describeNextStart,
  describeNoSchedule,
  describeSchedule,
  describeScheduledWork,
  TIMINGS,
} from '../../../app/present/timers/schedule';
import type { InstallSteps } from '../../../app/schedule/scheduler';
import type { InstalledTimer } from '../../../app/schedule/installedTimers';
import type { PlannedSchedule } from '../../../app/schedule/installSchedule';
import type { Moment } from '../../../domain/time/moment';
import { revealInvisible } from '../../../platform/text/invisible';
import { t } from '../../../platform/text/translate';
import { fill, type Html, markup } from '../html';
import { drawOptions } from '../select';
import { OWN_TIMES, type ScheduleChoice } from './scheduleChoice';

/** Facts about the schedule of a queue. */
export interface ScheduleFacts {
  readonly queueFile: string;
  readonly installed: readonly InstalledTimer[];
  /** Schedulers that could not be asked. */
  readonly unseen: readonly string[];
  /** Schedulers of this machine, the preferred one first. */
  readonly kinds: readonly string[];
  /** Log of scheduled workers. */
  readonly log: string;
  /** Lines of the crontab that start `queue_manager.sh` for this queue. */
  readonly scripts: readonly string[];
  /** Sentences about secrets that a schedule does not have. */
  readonly warnings: readonly string[];
  /** Number of tasks that wait for approval. */
  readonly unapproved: number;
  /** Current time, in the zone of this machine. */
  readonly moment: Moment;
}

/** Effect of an installation, or the reason why there can be none. */
export type SchedulePreview =
  | {
      readonly kind: 'planned';
      readonly key: string;
      readonly planned: PlannedSchedule;
      readonly steps: InstallSteps;
    }
  | { readonly kind: 'refused'; readonly message: string }
  /** The user has not chosen the default permission mode. */
  | { readonly kind: 'no-mode' };

/** Draws the page; `note` says what just happened. */
export function drawSchedule(
  facts: ScheduleFacts,
  choice: ScheduleChoice,
  preview: SchedulePreview,
  note: string | null,
): Html {
  const { installed, kinds } = facts;
  return markup`<main>
<h1>${t('Schedule Worker')}</h1>
${note === null ? null : markup`<p class="note" role="status">${note}</p>`}
${installed.length === 0 ? drawNone(facts) : installed.map((timer, index) => drawTimer(timer, index, facts))}
${drawScripts(facts.scripts)}
<section><h2>${installed.length === 0 ? t('Install a Timer') : t('Replace the Timer')}</h2>
<div class="tools"><label>${drawTimes(choice)}</label>
<span id="own">${drawOwnTimes(choice)}</span>
${kinds.length < 2 ? null : markup`<label>${drawKinds(kinds, choice)}</label>`}</div>
<div id="preview">${drawPreview(facts, preview)}</div></section>
</main>`;
}

const TIMES = [
  ...TIMINGS.map(({ label }, index) => [String(index), label] as const),
  [OWN_TIMES, t('at the times of a cron expression')] as const,
];

function drawTimes({ timing }: ScheduleChoice): Html {
  return fill(
    t('Start the worker {0}'),
    markup`<select data-action="timing">${drawOptions(TIMES, timing)}</select>`,
  );
}

function drawKinds(kinds: readonly string[], { by }: ScheduleChoice): Html {
  return fill(t('by {0}'), markup`<select data-action="by">${drawOptions(nameKinds(kinds), by)}</select>`);
}

function nameKinds(kinds: readonly string[]): (readonly [string, string])[] {
  return kinds.map((kind, index) => [kind, index === 0 ? t('{0} (recommended)', kind) : kind]);
}

function drawNone({ queueFile, unseen }: ScheduleFacts): Html {
  return markup`<p class="sentence" tabindex="-1" data-focus>${describeNoSchedule(queueFile, unseen)}</p>`;
}

function drawTimer(timer: InstalledTimer, index: number, { log, moment }: ScheduleFacts): Html {
  const { kind, crons, trouble } = timer;
  const sentence = t('{0}.', describeSchedule(kind, crons));
  return markup`${index === 0 ? markup`<p class="sentence" tabindex="-1" data-focus>${sentence}</p>` : markup`<p>${sentence}</p>`}
${trouble === undefined ? markup`<p>${describeNextStart(timer, moment)}</p>` : markup`<p class="warning">${t('But {0}.', trouble)}</p>`}
${
  index > 0
    ? null
    : markup`<p>${fill(t('Its output is appended to {0}.'), markup`<button class="link" data-action="log">${log}</button>`)}</p>
<p><button class="other" data-action="remove">${t('Remove Timer')}</button></p>`
}`;
}

function drawScripts(lines: readonly string[]): Html | null {
  if (lines.length === 0) return null;
  return markup`<section><h2>${t('The Crontab Also Starts queue_manager.sh')}</h2>
<p>${t('Two programs must not process the same rows. These lines are for this queue:')}</p>
${drawText(t('The lines of queue_manager.sh'), lines.join('\n'))}
<p><button class="other" data-action="removeScripts">${t('Remove These Lines')}</button></p></section>`;
}

/** Draws the field for a cron expression, if the user chose one. */
export function drawOwnTimes({ timing, cron }: ScheduleChoice): Html {
  if (timing !== OWN_TIMES) return markup``;
  return markup`<input data-action="cron" value="${cron}" spellcheck="false" placeholder="${t('minute hour day month weekday')}" aria-label="${t('Cron expression')}">`;
}

/** Draws the effect of an installation, with its button. */
export function drawPreview(facts: ScheduleFacts, preview: SchedulePreview): Html {
  switch (preview.kind) {
    case 'refused':
      return markup`<p class="warning" role="status">${preview.message}</p>`;
    case 'no-mode':
      return markup`<p class="warning">${t('A scheduled worker cannot ask. Choose first what Claude may do by itself.')}</p>
<p><button class="main" data-action="mode">${t('Choose Permission Mode…')}</button></p>`;
    case 'planned':
      return drawPlanned(facts, preview);
  }
}

function drawPlanned(
  { installed, warnings, unapproved }: ScheduleFacts,
  { key, planned, steps }: Extract<SchedulePreview, { kind: 'planned' }>,
): Html {
  const { scheduler, entry } = planned;
  const others = installed.filter(({ kind }) => kind !== scheduler.kind);
  return markup`<p>${describeScheduledWork(entry)} ${scheduler.condition}</p>
${warnings.map((warning) => markup`<p class="warning">${warning}</p>`)}
${drawUnapproved(unapproved)}
${steps.texts.map(({ place, text }) => markup`<h3>${fill(t('Written to {0}'), markup`<code>${place}</code>`)}</h3>${drawText(place, text)}`)}
<h3>${t('Then run')}</h3>${drawText(t('Commands'), steps.commands.map((words) => words.join(' ')).join('\n'))}
${others.map(({ kind }) => markup`<p>${t('The timer of {0} is removed.', kind)}</p>`)}
<p><button class="main" data-action="install" data-value="${key}">${installed.length === 0 ? t('Install Timer') : t('Replace Timer')}</button></p>`;
}

function drawUnapproved(unapproved: number): Html | null {
  if (unapproved === 0) return null;
  const waiting =
    unapproved === 1
      ? t('1 task waits for approval and will not run until then.')
      : t('{0} tasks wait for approval and will not run until then.', unapproved);
  return markup`<p>${waiting} <button class="link" data-action="approve">${t('Approve…')}</button></p>`;
}

function drawText(name: string, text: string): Html {
  return markup`<pre tabindex="0" role="region" aria-label="${name}">${revealInvisible(text)}</pre>`;
}
