import { Problem } from '../../domain/problem';
import { type CronField, type CronTimes, hasEitherDay, WEEKDAYS } from './cronTimes';
import { type Entry, joinCrons, refuseControlCharacters, splitCrons } from './scheduler';
import { capitalize } from '../../platform/text/plainText';
import { t } from '../../platform/text/translate';

/** Unit with which every timer is started. */
export const TARGET = 'timers.target';

/** Comment of a timer that keeps the cron expression, so that it can be shown. */
const CRON_COMMENT = '# Cron: ';

/**
 * Composes the service that the timer starts. Exit codes 2 and 4 mean a limit or nothing to do, so they are no
 * failures.
 * @throws Problem `usage`
 */
export function composeService(entry: Entry): string {
  refuseControlCharacters(entry);
  const variables = Object.entries(entry.environment).map(
    ([name, value]) => `Environment=${quote(`${name}=${value}`)}`,
  );
  const [program, ...words] = entry.command;
  refuseQuotedProgram(program);
  // A path after "append:" extends to the end of its line and takes no quotes.
  const log = entry.log.replaceAll('%', '%%');
  return [
    '[Unit]',
    `Description=Claude Queue: ${describe(entry)}`,
    '',
    '[Service]',
    'Type=oneshot',
    ...variables,
    // A variable is replaced in arguments only, so "$$" in the program's path would be two characters.
    `ExecStart=${[program, ...words.map((word) => word.replaceAll('$', '$$$$'))].map(quote).join(' ')}`,
    `StandardOutput=append:${log}`,
    `StandardError=append:${log}`,
    'SuccessExitStatus=2 4',
    '',
  ].join('\n');
}

/** Refuses a program that systemd does not start, however its path is quoted. @throws Problem `usage` */
function refuseQuotedProgram(program: string): void {
  if (!/["'\\]/.test(program)) return;
  throw new Problem(
    'usage',
    t(
      '{0} contains a quotation mark or a backslash, which systemd does not support in the path of a program. Rename its folder, or choose crontab (--by crontab).',
      program,
    ),
  );
}

/** Composes the timer. @throws Problem `usage` if systemd cannot express the times */
export function composeTimer(entry: Entry): string {
  return [
    CRON_COMMENT + joinCrons(entry.times.map(({ text }) => text)),
    '[Unit]',
    `Description=Claude Queue: ${describe(entry)}`,
    '',
    '[Timer]',
    ...entry.times.map((times) => `OnCalendar=${toOnCalendar(times)}`),
    // At the exact minute, as cron does.
    'AccuracySec=1s',
    '',
    '[Install]',
    `WantedBy=${TARGET}`,
    '',
  ].join('\n');
}

/** Returns the cron expressions of a timer; null if this program did not write it. */
export function readTimer(text: string): readonly string[] | null {
  const line = text.split('\n').find((one) => one.startsWith(CRON_COMMENT));
  return line === undefined ? null : splitCrons(line.slice(CRON_COMMENT.length));
}

function describe({ queueFile }: Entry): string {
  return queueFile.replaceAll('%', '%%').replace(/\\$/, '');
}

/** Quotes one word as in systemd.syntax(7); `%` starts a specifier everywhere. */
function quote(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&').replaceAll('%', '%%')}"`;
}

/** Converts the times to systemd.time(7). @throws Problem `usage` */
export function toOnCalendar(times: CronTimes): string {
  if (hasEitherDay(times)) {
    throw new Problem(
      'usage',
      t(
        '"{0}" means days of the month or of the week. A systemd timer does not support that. Choose crontab (--by crontab), or name one of the two.',
        times.text,
      ),
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
  return capitalize(WEEKDAYS[day] ?? '');
}
