import { Problem } from '../../domain/problem';
import type { RunProgram } from '../../platform/programs';
import {
  type Entry,
  type Installed,
  nameEntry,
  refusalOf,
  refuseControlCharacters,
  type Scheduler,
  textsOf,
} from './entry';

/** Entries of the user's crontab: a line a queue, with its name as a comment at the end. */
export class Crontab implements Scheduler {
  readonly kind = 'crontab';
  readonly condition = 'The cron daemon of this machine must be running (in WSL: sudo service cron start).';

  constructor(private readonly run: RunProgram) {}

  async isThere(): Promise<boolean> {
    return (await this.run('crontab', ['-l'])) !== null;
  }

  async find(queueFile: string): Promise<Installed | null> {
    if (!(await this.isThere()))
      throw new Problem('scheduler-missing', 'There is no program "crontab" here.');
    const line = findLine(await this.read(), queueFile);
    return line === null ? null : { cron: line.split(/\s+/, CRON_FIELDS).join(' ') };
  }

  async install(entry: Entry): Promise<void> {
    const line = composeLine(entry);
    await this.write(replaceLine(await this.read(), entry.queueFile, line));
  }

  async remove(queueFile: string): Promise<boolean> {
    const table = await this.read();
    if (findLine(table, queueFile) === null) return false;
    await this.write(replaceLine(table, queueFile, null));
    return true;
  }

  /** The table, a character for each byte. Only where there is none it is taken for empty: it is written back whole. */
  private async read(): Promise<string> {
    const listed = await this.run('crontab', ['-l']);
    if (listed === null) return '';
    if (listed.code === 0) return listed.out;
    if (NO_TABLE.test(listed.err)) return '';
    throw refusalOf('"crontab -l"', listed);
  }

  private async write(table: string): Promise<void> {
    const written = await this.run('crontab', ['-'], Buffer.from(table, 'latin1'));
    if (written === null) throw new Problem('scheduler-failed', 'There is no program "crontab" any more.');
    if (written.code !== 0) throw refusalOf('"crontab -"', written);
  }
}

const CRON_FIELDS = 5;

/** How the programs say that a user has no table: there is no other sign of it. */
const NO_TABLE = /no crontab for|can't open .*no such file/i;

/** Debian's crontab takes no longer command; the cron that it comes from cut one off without a word. */
const LONGEST_COMMAND = 998;

/**
 * The line of an entry. Cron hands it to `sh`, and takes `%` for a line break before that; a backslash means something to
 * some of its versions even between quotes. @throws Problem `usage`
 */
export function composeLine(entry: Entry): string {
  refuseControlCharacters(entry);
  const { times, command, environment, log, queueFile } = entry;
  const bad = textsOf(entry).find((text) => text.includes('\\'));
  if (bad !== undefined) {
    throw new Problem(
      'usage',
      `${bad} holds a backslash, which a crontab cannot. Give it another name, or use --by systemd.`,
    );
  }
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${quote(value)}`);
  const words = [...variables, ...command.map(quote), `>>${quote(log)}`, '2>&1', markOf(queueFile)];
  const text = words.join(' ').replaceAll('%', '\\%');
  refuseLong(text, entry);
  return `${times.text} ${text}`;
}

function refuseLong(text: string, { environment }: Entry): void {
  const length = Buffer.byteLength(text);
  if (length <= LONGEST_COMMAND) return;
  const pathLength = Buffer.byteLength(environment['PATH'] ?? '');
  throw new Problem(
    'usage',
    `The line would have ${String(length)} bytes, and a crontab takes ${String(LONGEST_COMMAND)}; the PATH alone has ${String(pathLength)}. Call it with a shorter one, such as "env PATH=/usr/local/bin:/usr/bin:/bin claude-queue schedule …" with the folders that your tasks need, or use --by systemd.`,
  );
}

/** One word for `sh`, without a backslash whatever it holds. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'"'"'`)}'`;
}

/** A comment for `sh`, and how the line is found again. */
function markOf(queueFile: string): string {
  return `# ${nameEntry(queueFile)}`;
}

/** The queue's line of a table; null: there is none. One that a person commented out is theirs. */
function findLine(table: string, queueFile: string): string | null {
  return table.split('\n').find((line) => isOf(line, queueFile)) ?? null;
}

function isOf(line: string, queueFile: string): boolean {
  return line.endsWith(` ${markOf(queueFile)}`) && !line.trimStart().startsWith('#');
}

/** The table with this line, or none, in the place of the queue's own; every other byte stays as it is. */
function replaceLine(table: string, queueFile: string, line: string | null): string {
  const bytes = line === null ? [] : [Buffer.from(line).toString('latin1')];
  const lines = table.split('\n');
  const at = lines.findIndex((one) => isOf(one, queueFile));
  if (at < 0 && line === null) return table;
  if (at < 0) return `${table}${table === '' || table.endsWith('\n') ? '' : '\n'}${bytes.join('')}\n`;
  const others = lines.filter((one, index) => index === at || !isOf(one, queueFile));
  const place = others.findIndex((one) => isOf(one, queueFile));
  return others.toSpliced(place, 1, ...bytes).join('\n');
}
