import { Problem } from '../../domain/problem';
import { type CronField, type CronTimes, hasEitherDay, WEEKDAYS } from './cronTimes';
import { type Entry, joinCrons, refuseControlCharacters, splitCrons } from './entry';

/** How the cron expression is in a timer, so that it can be shown again. */
const CRON_COMMENT = '# Cron: ';

/**
 * The service that the timer starts. Exit codes 2 and 4 say that a limit was reached, or that nothing was to be done:
 * no failures of the service. @throws Problem `usage`
 */
export function composeService(entry: Entry): string {
  refuseControlCharacters(entry);
  const variables = Object.entries(entry.environment).map(
    ([name, value]) => `Environment=${quote(`${name}=${value}`)}`,
  );
  // A path behind "append:" goes to the end of its line and takes no quotes.
  const log = entry.log.replaceAll('%', '%%');
  return [
    '[Unit]',
    `Description=Claude Queue: ${describe(entry)}`,
    '',
    '[Service]',
    'Type=oneshot',
    ...variables,
    `ExecStart=${entry.command.map((word) => quote(word.replaceAll('$', '$$$$'))).join(' ')}`,
    `StandardOutput=append:${log}`,
    `StandardError=append:${log}`,
    'SuccessExitStatus=2 4',
    '',
  ].join('\n');
}

/** The timer. @throws Problem `usage` where the times cannot be said in its words */
export function composeTimer(entry: Entry): string {
  return [
    CRON_COMMENT + joinCrons(entry.times.map(({ text }) => text)),
    '[Unit]',
    `Description=Claude Queue: ${describe(entry)}`,
    '',
    '[Timer]',
    ...entry.times.map((times) => `OnCalendar=${toOnCalendar(times)}`),
    // As cron: at the minute, not somewhere within it.
    'AccuracySec=1s',
    '',
    '[Install]',
    'WantedBy=timers.target',
    '',
  ].join('\n');
}

/** The cron expressions that a timer was made from; null: it is none of ours. */
export function readTimer(text: string): readonly string[] | null {
  const line = text.split('\n').find((one) => one.startsWith(CRON_COMMENT));
  return line === undefined ? null : splitCrons(line.slice(CRON_COMMENT.length));
}

function describe({ queueFile }: Entry): string {
  return queueFile.replaceAll('%', '%%').replace(/\\$/, '');
}

/** One word, as systemd.syntax(7) has it; `%` starts a specifier everywhere. */
function quote(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&').replaceAll('%', '%%')}"`;
}

/** The same times as systemd.time(7) has them. @throws Problem `usage` */
export function toOnCalendar(times: CronTimes): string {
  if (hasEitherDay(times)) {
    throw new Problem(
      'usage',
      `"${times.text}" means days of the month or of the week. A systemd timer does not support that. Use --by crontab, or name one of the two.`,
    );
  }
  const { minutes, hours, days, months, weekdays } = times;
  const weekday = weekdays.isAny ? '' : `${weekdays.values.map(nameWeekday).join(',')} `;
  return `${weekday}*-${list(months)}-${list(days)} ${list(hours)}:${list(minutes)}:00`;
}

function list({ values, isAny }: CronField): string {
  return isAny ? '*' : values.map((value) => String(value).padStart(2, '0')).join(',');
}

function nameWeekday(day: number): string {
  const name = WEEKDAYS[day] ?? '';
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}
