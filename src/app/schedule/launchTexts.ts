import { Problem } from '../../domain/problem';
import { type CronField, type CronTimes, hasEitherDay } from './cronTimes';
import { type Entry, joinCrons, nameEntry, refuseControlCharacters, splitCrons } from './scheduler';
import { t } from '../../platform/text/translate';

const CRON_COMMENT = /<!-- Cron: (.*?) -->/;

/** Composes an agent of launchd, as an XML property list. @throws Problem `usage` */
export function composeAgent(entry: Entry): string {
  refuseControlCharacters(entry);
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    `<!-- Cron: ${joinCrons(entry.times.map(({ text }) => text))} -->`,
    '<plist version="1.0">',
    '<dict>',
    ...pair('Label', text(nameEntry(entry.queueFile))),
    ...pair('ProgramArguments', '<array>', ...entry.command.map(text), '</array>'),
    ...pair(
      'EnvironmentVariables',
      '<dict>',
      ...Object.entries(entry.environment).flatMap(([name, value]) => pair(name, text(value))),
      '</dict>',
    ),
    ...pair('StandardOutPath', text(entry.log)),
    ...pair('StandardErrorPath', text(entry.log)),
    ...pair(
      'StartCalendarInterval',
      '<array>',
      ...entry.times.flatMap(toIntervals).flatMap(composeInterval),
      '</array>',
    ),
    '</dict>',
    '</plist>',
    '',
  ];
  return lines.join('\n');
}

/** Returns the cron expressions of an agent; null if this program did not write it. */
export function readAgent(plist: string): readonly string[] | null {
  const text = CRON_COMMENT.exec(plist)?.[1];
  return text === undefined ? null : splitCrons(text);
}

/**
 * Time of launchd; an absent field means any value. It never has both a day of the month and a day of the week:
 * launchd.plist(5) then takes either, other programs take both. Nor a month with a day of the week: launchd, as far as
 * its source was published, checks the month only with a day of the month.
 */
export type Interval = Readonly<Partial<Record<'Month' | 'Day' | 'Weekday' | 'Hour' | 'Minute', number>>>;

/** Maximum number of intervals: nobody reads more, and launchd is not made for more. */
const MOST_INTERVALS = 1_000;

/** Converts cron times to single intervals. @throws Problem `usage` */
export function toIntervals(times: CronTimes): Interval[] {
  const kinds = splitDays(times);
  const count = kinds.reduce((sum, fields) => sum + countIntervals(fields), 0);
  if (count > MOST_INTERVALS) {
    throw new Problem(
      'usage',
      t(
        '"{0}" would be {1} single times for launchd, which has no ranges. Choose crontab (--by crontab).',
        times.text,
        count,
      ),
    );
  }
  return kinds.flatMap(listIntervals);
}

type Fields = Readonly<Partial<Record<keyof Interval, CronField>>>;

/**
 * Returns the fields by day of the month, by day of the week, or both where cron takes either.
 * @throws Problem `usage`
 */
function splitDays(times: CronTimes): Fields[] {
  const { minutes, hours, days, months, weekdays } = times;
  const byMonth = { Month: months, Day: days, Hour: hours, Minute: minutes };
  const byWeek = { Weekday: weekdays, Hour: hours, Minute: minutes };
  const isEither = hasEitherDay(times);
  if (weekdays.isAny && !isEither) return [byMonth];
  if (!months.isAny || (!days.isAny && !isEither)) {
    const message = months.isAny
      ? t(
          '"{0}" uses its days of the week only on some days of the month. launchd does not support that. Choose crontab (--by crontab), or leave one of the two out.',
          times.text,
        )
      : t(
          '"{0}" uses its days of the week only in some months. launchd does not support that. Choose crontab (--by crontab), or leave one of the two out.',
          times.text,
        );
    throw new Problem('usage', message);
  }
  return isEither ? [byMonth, byWeek] : [byWeek];
}

function countIntervals(fields: Fields): number {
  return Object.values(fields).reduce(
    (product, field) => product * (field.isAny ? 1 : field.values.length),
    1,
  );
}

function listIntervals(fields: Fields): Interval[] {
  return Object.entries(fields).reduce<Interval[]>(
    (intervals, [name, field]) => multiply(intervals, name, field),
    [{}],
  );
}

function multiply(intervals: readonly Interval[], name: string, { values, isAny }: CronField): Interval[] {
  if (isAny) return [...intervals];
  return intervals.flatMap((interval) => values.map((value) => ({ ...interval, [name]: value })));
}

function composeInterval(interval: Interval): string[] {
  const pairs = Object.entries(interval).flatMap(([name, value]) =>
    pair(name, `<integer>${String(value)}</integer>`),
  );
  return ['<dict>', ...pairs, '</dict>'];
}

function pair(name: string, ...value: readonly string[]): string[] {
  return [`<key>${name}</key>`, ...value];
}

function text(value: string): string {
  return `<string>${value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</string>`;
}
