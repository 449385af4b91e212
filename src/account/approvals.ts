import { createHash } from 'node:crypto';
import * as path from 'node:path';
import type { PermissionFields } from '../domain/task/permissionFingerprint';
import { approvalOf, type FingerprintedRow, type ApprovalCheck } from '../domain/task/approval';
import type { TaskId } from '../domain/task/task';
import { fields, isBoolean, isId, isText, listOf, orAbsent } from '../platform/text/shapes';
import { UserFile } from './userFile';

interface Approved {
  /** The queue file, for the user who looks in here. */
  readonly queue: string;
  /** Whether the whole file is trusted from now on. */
  readonly trusted: boolean;
  /** What was approved: which row, and what exactly it may do. */
  readonly powers: readonly string[];
}

/** A row as it was approved: what a later one of its id is compared with. */
export interface ApprovedRow extends FingerprintedRow {
  readonly powers: PermissionFields;
  /** Its real folder, where the row named another path. */
  readonly realDir?: string;
}

interface Rows {
  readonly queue: string;
  /** The newest last; of each id the one that was approved last. */
  readonly rows: readonly ApprovedRow[];
}

interface Listed {
  readonly queue: string;
  /** The newest last; each id once. */
  readonly rows: readonly ListedRow[];
}

/** A row as it was last listed for approval to this user. */
export interface ListedRow {
  readonly id: TaskId;
  /** Names all that the list showed of it. */
  readonly shown: string;
}

const isListed = fields<Listed>({ rows: listOf(fields({ id: isId, shown: isText })) });

const isApproved = fields<Approved>({ trusted: isBoolean, powers: listOf(isText) });

const isPermissionFields = fields<PermissionFields>({
  workingDir: isText,
  prompt: isText,
  permissionMode: orAbsent(isText),
  allowedTools: orAbsent(listOf(isText)),
  model: orAbsent(isText),
  verify: orAbsent(listOf(isText)),
});

const isRows = fields<Rows>({
  rows: listOf(fields({ id: isId, power: isText, powers: isPermissionFields, realDir: orAbsent(isText) })),
});

/** Far more than any queue needs, and still quick to read before each claim. */
const MOST_POWERS = 200_000;
/** In characters of their JSON. A row that has no room in it is shown whole again, as a new one. */
const LONGEST_ROWS = 4_000_000;

/** What this user approved of one queue file on this machine; kept outside of any repository. */
export class Approvals {
  private readonly file: UserFile<Approved>;
  /** Beside it, because it is large and only read by the user's command. */
  private readonly rowsFile: UserFile<Rows>;
  private readonly listedFile: UserFile<Listed>;

  /** `folder`: the user's state folder; `queueFile`: absolute, links resolved. */
  constructor(folder: string, queueFile: string) {
    const base = path.join(folder, 'approvals', nameQueue(queueFile));
    this.file = new UserFile(`${base}.json`, { queue: queueFile, trusted: false, powers: [] }, isApproved);
    this.rowsFile = new UserFile(`${base}.rows.json`, { queue: queueFile, rows: [] }, isRows);
    this.listedFile = new UserFile(`${base}.listed.json`, { queue: queueFile, rows: [] }, isListed);
  }

  async read(): Promise<ApprovalCheck> {
    const { trusted, powers } = await this.file.read();
    return { trusted, approvals: new Set(powers) };
  }

  /** The rows as they were last approved, by id, as far as that was kept. */
  async readRows(): Promise<ReadonlyMap<TaskId, ApprovedRow>> {
    const { rows } = await this.rowsFile.read();
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** What was last listed of each row, by id. */
  async readListed(): Promise<ReadonlyMap<TaskId, string>> {
    const { rows } = await this.listedFile.read();
    return new Map(rows.map(({ id, shown }) => [id, shown]));
  }

  /** Records that these rows were listed for approval. */
  async noteListed(rows: readonly ListedRow[]): Promise<void> {
    if (rows.length === 0) return;
    const ids = new Set(rows.map(({ id }) => id));
    await this.listedFile.update((before) => {
      const others = before.rows.filter(({ id }) => !ids.has(id));
      return { ...before, rows: [...others, ...rows].slice(-MOST_POWERS) };
    });
  }

  /** Approves exactly these rows; of those whose cells are known, these too are kept, to be compared with later ones. */
  async approve(rows: readonly (FingerprintedRow | ApprovedRow)[]): Promise<void> {
    if (rows.length === 0) return;
    await this.file.update((before) => {
      const known = new Set(before.powers);
      const fresh = rows.map(approvalOf).filter((approval) => !known.has(approval));
      if (fresh.length === 0) return before;
      return { ...before, powers: [...before.powers, ...new Set(fresh)].slice(-MOST_POWERS) };
    });
    // Behind it: a crash between the two leaves a row that is compared with an older one, and none that seems unchanged.
    const known = rows.filter((row) => 'powers' in row);
    if (known.length === 0) return;
    await this.rowsFile.update((before) => ({ ...before, rows: keepNewest([...before.rows, ...known]) }));
  }

  /** Trusts the whole file from now on, or no longer. */
  async trust(trusted: boolean): Promise<void> {
    await this.file.update((before) => (before.trusted === trusted ? before : { ...before, trusted }));
  }
}

/** The name under which a queue file's own are kept in the user's state folder. */
export function nameQueue(queueFile: string): string {
  return createHash('sha256').update(queueFile).digest('hex').slice(0, 32);
}

function keepNewest(rows: readonly ApprovedRow[]): readonly ApprovedRow[] {
  const kept: ApprovedRow[] = [];
  const seen = new Set<TaskId>();
  let length = 0;
  for (const row of [...rows].reverse()) {
    if (seen.has(row.id)) continue;
    seen.add(row.id);
    const own = JSON.stringify(row).length;
    // One that is too long in itself takes no place from the others.
    if (length + own > LONGEST_ROWS) continue;
    length += own;
    kept.push(row);
  }
  return kept.reverse();
}
