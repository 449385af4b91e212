import { Problem } from '../../domain/problem';
import type { Ran, RunProgram } from '../../platform/processes/programs';
import { t } from '../../platform/text/translate';
import {
  type Entry,
  type Installed,
  type InstallSteps,
  nameEntry,
  refusalOf,
  refuseControlCharacters,
  type Scheduler,
  textsOf,
} from './scheduler';

/** Entries in the user's crontab: lines for each queue, marked by a comment with its name. */
export class Crontab implements Scheduler {
  readonly kind = 'crontab';
  readonly condition = t(
    'The cron daemon of this machine must be running (in WSL: sudo service cron start).',
  );

  constructor(private readonly run: RunProgram) {}

  /** Whether the program exists, and this user may use it. */
  async isThere(): Promise<boolean> {
    const listed = await this.run('crontab', ['-l']);
    return listed !== null && !isRefused(listed);
  }

  async find(queueFile: string): Promise<Installed | null> {
    if (!(await this.isThere()))
      throw new Problem('scheduler-missing', t('There is no program "crontab" here.'));
    const lines = findLines(await this.read(), queueFile);
    if (lines.length === 0) return null;
    return { crons: lines.map(readTimes) };
  }

  stepsOf(entry: Entry): InstallSteps {
    return {
      texts: [{ place: this.kind, text: `${composeLines(entry).join('\n')}\n` }],
      commands: [['crontab', '-']],
    };
  }

  async install(entry: Entry): Promise<void> {
    const lines = composeLines(entry);
    await this.write(replaceLines(await this.read(), (line) => isOf(line, entry.queueFile), lines));
  }

  async remove(queueFile: string, isRecorded: boolean): Promise<boolean> {
    // Cron also starts the lines of a user who may not use the program any more.
    if (!isRecorded && !(await this.isThere())) return false;
    const table = await this.read();
    if (findLines(table, queueFile).length === 0) return false;
    await this.write(replaceLines(table, (line) => isOf(line, queueFile), []));
    return true;
  }

  /** Returns the lines that start `queue_manager.sh` in this folder, as text. */
  async findScripts(folder: string): Promise<readonly string[]> {
    if (!(await this.isThere())) return [];
    const lines = (await this.read()).split('\n').filter((line) => startsScripts(line, folder));
    return lines.map((line) => Buffer.from(line, 'latin1').toString());
  }

  /** Removes these lines, and no other. */
  async removeScripts(folder: string): Promise<void> {
    await this.write(replaceLines(await this.read(), (line) => startsScripts(line, folder), []));
  }

  /**
   * Reads the table, one character per byte. It counts as empty only if there is none, because it is written back
   * whole.
   */
  private async read(): Promise<string> {
    const listed = await this.run('crontab', ['-l']);
    if (listed === null) return '';
    if (listed.code === 0) return listed.out;
    if (NO_TABLE.test(listed.err)) return '';
    throw refusalOf('"crontab -l"', listed);
  }

  private async write(table: string): Promise<void> {
    const written = await this.run('crontab', ['-'], Buffer.from(table, 'latin1'));
    if (written === null) throw new Problem('scheduler-failed', t('There is no program "crontab" any more.'));
    if (written.code !== 0) throw refusalOf('"crontab -"', written);
  }
}

const CRON_FIELDS = 5;

/** Cron's names of times, which the user may have written into the line. `@reboot` is no time. */
const NAMED_TIMES: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
};

/** Returns the cron expression of a line; the name as it is if it names no times. */
function readTimes(line: string): string {
  const fields = line.trimStart().split(/\s+/, CRON_FIELDS);
  const [name = ''] = fields;
  return name.startsWith('@') ? (NAMED_TIMES[name] ?? name) : fields.join(' ');
}

/** Messages of the programs for a user without a table: there is no other sign of it. */
const NO_TABLE = /no crontab for|can't open .*no such file/i;

/** Messages of the programs for a user who may not use them by /etc/cron.allow or /etc/cron.deny. */
const NOT_ALLOWED = /not (?:allowed|authorized) to/i;

function isRefused({ code, err }: Ran): boolean {
  return code !== 0 && NOT_ALLOWED.test(err);
}

/** Maximum length of a command in Debian's crontab. The original cron cuts a longer one silently. */
const LONGEST_COMMAND = 998;

/**
 * Composes the lines of an entry, one for each of its times. Cron passes them to `sh`, after it replaces `%` by a line
 * break. Some versions of cron interpret a backslash even between quotes.
 * @throws Problem `usage`
 */
function composeLines(entry: Entry): readonly string[] {
  refuseControlCharacters(entry);
  const { times, command, environment, log, queueFile } = entry;
  const bad = textsOf(entry).find((text) => text.includes('\\'));
  if (bad !== undefined) {
    throw new Problem(
      'usage',
      t(
        '{0} contains a backslash, which a crontab does not support. Rename it, or choose systemd (--by systemd).',
        bad,
      ),
    );
  }
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${quote(value)}`);
  const words = [...variables, ...command.map(quote), `>>${quote(log)}`, '2>&1', markOf(queueFile)];
  const text = words.join(' ').replaceAll('%', '\\%');
  refuseLong(text, entry);
  return times.map((one) => `${one.text} ${text}`);
}

function refuseLong(text: string, { environment }: Entry): void {
  const length = Buffer.byteLength(text);
  if (length <= LONGEST_COMMAND) return;
  const pathLength = Buffer.byteLength(environment['PATH'] ?? '');
  throw new Problem(
    'usage',
    t(
      'The line would have {0} bytes, and a crontab allows {1}; the PATH alone has {2}. Use a shorter PATH, such as "env PATH=/usr/local/bin:/usr/bin:/bin claude-queue schedule …" with the folders that your tasks need, or choose systemd (--by systemd).',
      length,
      LONGEST_COMMAND,
      pathLength,
    ),
  );
}

/** Quotes one word for `sh`, without a backslash. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'"'"'`)}'`;
}

/** Comment for `sh` by which the line is found again. */
function markOf(queueFile: string): string {
  return `# ${nameEntry(queueFile)}`;
}

/** Returns the queue's lines of a table. A line that the user commented out is not ours. */
function findLines(table: string, queueFile: string): readonly string[] {
  return table.split('\n').filter((line) => isOf(line, queueFile));
}

const SCRIPT = /queue_manager\w*\.sh/;

/** Text before and after the folder of the scripts. With another, the line names another folder. */
const BEFORE_FOLDER = /(?:^|[\s"'`=;&|(])$/;
const AFTER_FOLDER = /^(?:\/+queue_manager|\/*(?:[\s"'`;&|)]|\\["']|$))/;

/** Whether a line starts `queue_manager.sh` in `folder`: by its path, or after a `cd`. */
function startsScripts(line: string, folder: string): boolean {
  if (line.trimStart().startsWith('#') || !SCRIPT.test(line)) return false;
  const bytes = Buffer.from(folder).toString('latin1');
  for (let at = line.indexOf(bytes); at >= 0; at = line.indexOf(bytes, at + 1)) {
    if (BEFORE_FOLDER.test(line.slice(0, at)) && AFTER_FOLDER.test(line.slice(at + bytes.length)))
      return true;
  }
  return false;
}

function isOf(line: string, queueFile: string): boolean {
  return line.endsWith(` ${markOf(queueFile)}`) && !line.trimStart().startsWith('#');
}

/** Replaces the matching lines of a table by these; every other byte stays as it is. */
function replaceLines(table: string, isMeant: (line: string) => boolean, added: readonly string[]): string {
  const bytes = added.map((line) => Buffer.from(line).toString('latin1'));
  const lines = table.split('\n');
  const at = lines.findIndex(isMeant);
  if (at < 0 && added.length === 0) return table;
  if (at < 0) return `${table}${table === '' || table.endsWith('\n') ? '' : '\n'}${bytes.join('\n')}\n`;
  return lines.flatMap((line, index) => (index === at ? bytes : isMeant(line) ? [] : [line])).join('\n');
}
