import { createHash } from 'node:crypto';
import * as path from 'node:path';
import type { PermissionFields } from '../domain/task/permissionFingerprint';
import { approvalOf, type FingerprintedRow, type ApprovalCheck } from '../domain/task/approval';
import type { TaskId } from '../domain/task/task';
import { fields, isBoolean, isId, isText, listOf, orAbsent } from '../platform/text/shapes';
import { UserFile } from './userFile';

interface Approved {
  /** Queue file, for a user who opens this file. */
  readonly queue: string;
  /** Whether the whole file is trusted from now on. */
  readonly trusted: boolean;
  /** Approvals, each of one row and of exactly what it may do. */
  readonly powers: readonly string[];
}

/** A row as it was approved, for comparison with a later one of the same id. */
export interface ApprovedRow extends FingerprintedRow {
  readonly powers: PermissionFields;
  /** Its real folder, where the row named another path. */
  readonly realDir?: string;
}

interface Rows {
  readonly queue: string;
  /** Newest last; for each id the one approved last. */
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
  /** Identifies everything that the list showed of it. */
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

/**
 * Maximum number of approvals or listed rows of a queue: far more than it needs, and still quick to read before each
 * claim.
 */
const MOST_POWERS = 200_000;
/**
 * Maximum size of the approved rows, in characters of their JSON. A row without room is shown in full again, as a new
 * one.
 */
const LONGEST_ROWS = 4_000_000;

/** Approvals of this user for one queue file on this machine; kept outside of any repository. */
export class Approvals {
  private readonly file: UserFile<Approved>;
  /** A separate file, because it is large and only the user's commands read it. */
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

  /** Returns the rows as they were last approved, by id, as far as they were kept. */
  async readRows(): Promise<ReadonlyMap<TaskId, ApprovedRow>> {
    const { rows } = await this.rowsFile.read();
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Returns what was last listed of each row, by id. */
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

  /** Approves exactly these rows. Where the cells of a row are known, they are kept for comparison with later ones. */
  async approve(rows: readonly (FingerprintedRow | ApprovedRow)[]): Promise<void> {
    if (rows.length === 0) return;
    await this.file.update((before) => {
      const known = new Set(before.powers);
      const fresh = rows.map(approvalOf).filter((approval) => !known.has(approval));
      if (fresh.length === 0) return before;
      return { ...before, powers: [...before.powers, ...new Set(fresh)].slice(-MOST_POWERS) };
    });
    // Written second: after a crash in between, a row is compared with an older one, but none seems unchanged.
    const known = rows.filter((row) => 'powers' in row);
    if (known.length === 0) return;
    await this.rowsFile.update((before) => ({ ...before, rows: keepNewest([...before.rows, ...known]) }));
  }

  /** Trusts the whole file from now on, or no longer. */
  async trust(trusted: boolean): Promise<void> {
    await this.file.update((before) => (before.trusted === trusted ? before : { ...before, trusted }));
  }
}

/** Returns the name under which the data of a queue file is kept in the user's state folder. */
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
    // A row that is too long by itself takes no room from the others.
    if (length + own > LONGEST_ROWS) continue;
    length += own;
    kept.push(row);
  }
  return kept.reverse();
}
