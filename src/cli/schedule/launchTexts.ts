import { Problem } from '../../domain/problem';
import { type CronField, type CronTimes, hasEitherDay } from './cronTimes';
import { type Entry, nameEntry, refuseControlCharacters } from './entry';

const CRON_COMMENT = /<!-- Cron: (.*?) -->/;

/** An agent of launchd, as an XML property list. @throws Problem `usage` */
export function composeAgent(entry: Entry): string {
  refuseControlCharacters(entry);
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    `<!-- Cron: ${entry.times.text} -->`,
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
      ...toIntervals(entry.times).flatMap(composeInterval),
      '</array>',
    ),
    '</dict>',
    '</plist>',
    '',
  ];
  return lines.join('\n');
}

/** The cron expression that an agent was made from; null: it is none of ours. */
export function readAgent(plist: string): string | null {
  return CRON_COMMENT.exec(plist)?.[1] ?? null;
}

/** A time of launchd; what it does not name may be anything. */
export type Interval = Readonly<Partial<Record<'Month' | 'Day' | 'Weekday' | 'Hour' | 'Minute', number>>>;

/** More of them than a person would read, and than launchd was made for. */
const MOST_INTERVALS = 1_000;

/** The same times, each named outright. @throws Problem `usage` */
export function toIntervals(times: CronTimes): Interval[] {
  if (hasEitherDay(times)) {
    throw new Problem(
      'usage',
      `"${times.text}" names days of the month and of the week, and means either: launchd cannot say that. Use --by crontab, or name one of the two.`,
    );
  }
  const { minutes, hours, days, months, weekdays } = times;
  const fields = { Month: months, Day: days, Weekday: weekdays, Hour: hours, Minute: minutes } as const;
  const count = Object.values(fields).reduce(
    (product, field) => product * (field.isAny ? 1 : field.values.length),
    1,
  );
  if (count > MOST_INTERVALS) {
    throw new Problem(
      'usage',
      `"${times.text}" would be ${String(count)} single times for launchd, which takes no ranges. Use --by crontab.`,
    );
  }
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
