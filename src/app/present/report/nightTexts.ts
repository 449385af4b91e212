import { WINDOWS } from '../../../domain/gate/usageWindows';
import { formatDuration } from '../../../domain/time/duration';
import { t } from '../../../platform/text/translate';
import type { Gap, GapCause } from '../../viewModel/report/gaps';
import type { NightReport } from '../../viewModel/report/nightReport';
import { describeSkippedTimes } from '../../viewModel/taskSkips';
import { describeWhy } from '../pause';
import { formatShare, formatPastTime, WINDOW_NAMES } from '../reasons/amounts';
import { FULL_STOP, shorten, withoutStop } from '../text';

/** Describes the times in which nothing ran, with the reason of each, one sentence each. */
export function describeGaps(report: NightReport): readonly string[] {
  return report.gaps.map((gap) => t('{0}: {1}.', describeTimes(gap, report), describeGapCauses(gap, report)));
}

/** Describes when nothing ran: from, to and for how long. */
export function describeTimes({ from, to, isOpen }: Gap, report: NightReport): string {
  const [start, duration] = [formatPastTime(from, report), formatDuration(to - from)];
  return isOpen
    ? t('Since {0} ({1})', start, duration)
    : t('{0} to {1} ({2})', start, formatPastTime(to, report), duration);
}

/** Describes why nothing ran, as the rest of a sentence. Sentences about now may follow; the last one has no full stop. */
export function describeGapCauses({ causes, isOpen }: Gap, report: NightReport): string {
  const texts = new Set(causes.map((cause) => withoutStop(describeCause(cause, report))));
  const now = isOpen ? report.idle.map(withoutStop).filter((text) => !texts.has(text)) : [];
  const all = texts.size === 0 ? now : [[...texts].join('; '), ...now];
  return all.length === 0 ? t('reason not recorded') : all.join(`${FULL_STOP} `);
}

function describeCause(cause: GapCause, report: NightReport): string {
  switch (cause.kind) {
    case 'limit':
      return t('usage limit ({0}), reached by task {1}', nameLimit(cause.reason), cause.id);
    case 'account':
      return t('the account was blocked ({0}) for task {1}', shorten(cause.reason, REASON_WIDTH), cause.id);
    case 'paused':
      return cause.to === null
        ? t('paused since {0}: {1}', formatPastTime(cause.from, report), describeWhy(cause, report))
        : t(
            'paused {0} to {1}: {2}',
            formatPastTime(cause.from, report),
            formatPastTime(cause.to, report),
            describeWhy(cause, report),
          );
    case 'worker-died':
      return t(
        'a worker died at an unknown time after it started task {0} at {1}',
        cause.id,
        formatPastTime(cause.startedAt, report),
      );
    case 'redis-away':
      return t(
        'Redis did not answer for too long at an unknown time after task {0} started at {1}',
        cause.id,
        formatPastTime(cause.startedAt, report),
      );
    case 'quiet':
      return t('quiet hours');
    case 'waiting':
      return t('task {0} was waiting: {1}', cause.id, cause.reason.text);
    case 'no-worker':
      return t('no worker was running; task {0} was waiting', cause.id);
    case 'nothing-due':
      return t('no task is known to have been due');
    case 'unknown':
      return cause.waiting === null
        ? t('reason not recorded')
        : t('reason not recorded; task {0} was waiting', cause.waiting);
  }
}

const REASON_WIDTH = 40;

function nameLimit(reason: string): string {
  const window = WINDOWS.find((one) => one === reason);
  return window === undefined ? shorten(reason, REASON_WIDTH) : WINDOW_NAMES[window];
}

/** Describes which usage limits were reached, how long they were waited for, and how full the usage windows were. */
export function describeLimits(report: NightReport): readonly string[] {
  const { limits, waitedForLimitsMs, usage } = report;
  const reached = limits.map(({ reason, at, resumedAt }) =>
    resumedAt === null
      ? t('Limit at {0}: {1}; nothing has started since.', formatPastTime(at, report), nameLimit(reason))
      : t(
          'Limit at {0}: {1}; next start at {2}.',
          formatPastTime(at, report),
          nameLimit(reason),
          formatPastTime(resumedAt, report),
        ),
  );
  const windows = WINDOWS.flatMap((window) => {
    const shares = usage.points[window].map(({ utilization }) => utilization);
    const [first, last] = [shares[0], shares.at(-1)];
    if (first === undefined || last === undefined) return [];
    const texts = [first, last, shares.reduce((most, share) => Math.max(most, share))].map(formatShare);
    return [t('{0}: {1} at first, {2} at the end, {3} at most.', WINDOW_NAMES[window], ...texts)];
  });
  return [
    ...(limits.length === 0 ? [describeNoLimit(report)] : reached),
    ...(waitedForLimitsMs === 0
      ? []
      : [t('Nothing ran for {0} because of usage limits alone.', formatDuration(waitedForLimitsMs))]),
    ...(windows.length === 0 ? [t('How full the usage windows were is unknown.')] : windows),
  ];
}

/** A limit from before the period explains a gap in it. */
function describeNoLimit({ gaps }: NightReport): string {
  const isLimited = gaps.some(({ causes }) => causes.some(({ kind }) => kind === 'limit'));
  return isLimited
    ? t('No attempt was stopped by a usage limit in this time; an earlier one still applied.')
    : t('No attempt was stopped by a usage limit.');
}

/** Describes the due times that were skipped, one sentence each. */
export function describeSkips(report: NightReport): readonly string[] {
  return describeSkippedTimes(report.skipped, report);
}

/** Describes which attempts were stopped for critical tasks, one sentence each. */
export function describeMadeWay(report: NightReport): readonly string[] {
  return report.madeWay.map((one) =>
    t('{0}: task {1} made way for {2}.', formatPastTime(one.at, report), one.id, one.for),
  );
}
