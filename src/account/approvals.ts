import { hash } from 'node:crypto';
import * as path from 'node:path';
import type { PermissionFields } from '../domain/task/permissionFingerprint';
import { approvalOf, idOfApproval, type FingerprintedRow, type ApprovalSet } from '../domain/task/approval';
import type { TaskId } from '../domain/task/task';
import { fields, isBoolean, isId, isText, listOf, orAbsent } from '../platform/text/shapes';
import { UserFile } from './userFile';

/** Approvals as they are stored. */
interface StoredApprovals {
  /** Path of the queue file, for a user who opens this file. */
  readonly queue: string;
  /** Whether the whole queue file is trusted. */
  readonly trusted: boolean;
  /** Approvals (`approvalOf`), under their stored name. */
  readonly powers: readonly string[];
}

/** Row as it was approved. A later row with its id is compared with it. */
export interface ApprovedRow extends FingerprintedRow {
  readonly permissionFields: PermissionFields;
  /** Real folder of the row, if `working_dir` names another path. */
  readonly realDir?: string;
}

/** Approved row as it is stored. */
interface StoredRow extends Omit<ApprovedRow, 'permissionFields'> {
  /** Permission fields, under their stored name. */
  readonly powers: PermissionFields;
}

interface StoredRows {
  readonly queue: string;
  /** Rows, oldest first. Only the row that was approved last is kept of each id. */
  readonly rows: readonly StoredRow[];
}

interface StoredListing {
  readonly queue: string;
  /** Rows, oldest first. Each id occurs once. */
  readonly rows: readonly ListedRow[];
}

/** Row that was listed for approval to this user. */
export interface ListedRow {
  readonly id: TaskId;
  /** Key of the row version that was listed. */
  readonly shown: string;
}

const isStoredListing = fields<StoredListing>({ rows: listOf(fields({ id: isId, shown: isText })) });

interface StoredOrigins {
  readonly queue: string;
  /** Rows, oldest first. Each id occurs once. */
  readonly rows: readonly RowOrigin[];
}

/** Origin of a task that a model in a chat of the editor added. No file has an empty name. */
export const CHAT = '';

/** Task that came from a file, or from a chat. */
export interface RowOrigin {
  readonly id: TaskId;
  /** Name of the file, or `CHAT`. */
  readonly origin: string;
}

const isStoredOrigins = fields<StoredOrigins>({ rows: listOf(fields({ id: isId, origin: isText })) });

const isStoredApprovals = fields<StoredApprovals>({ trusted: isBoolean, powers: listOf(isText) });

const isPermissionFields = fields<PermissionFields>({
  workingDir: isText,
  prompt: isText,
  promptFile: orAbsent(fields({ path: isText, text: isText })),
  permissionMode: orAbsent(isText),
  allowedTools: orAbsent(listOf(isText)),
  model: orAbsent(isText),
  verify: orAbsent(listOf(isText)),
  verifyBefore: orAbsent(listOf(isText)),
  callbackUrl: orAbsent(isText),
  requestId: orAbsent(isText),
  metadata: orAbsent(isText),
  appendSystemPrompt: orAbsent(isText),
});

const isStoredRows = fields<StoredRows>({
  rows: listOf(fields({ id: isId, power: isText, powers: isPermissionFields, realDir: orAbsent(isText) })),
});

/** Most approvals and listed rows that are kept: more than a queue needs, and quick to read before each claim. */
const MAX_ENTRIES = 200_000;

/**
 * Most length of all kept rows, in characters of JSON. Rows beyond this size are not kept; their next approval shows no
 * diff.
 */
const MAX_ROWS_LENGTH = 4_000_000;

/** Approvals of this user for one queue file on this machine, stored outside any repository. */
export class Approvals {
  private readonly file: UserFile<StoredApprovals>;
  /** Separate file: large, and read only by commands. */
  private readonly rowsFile: UserFile<StoredRows>;
  private readonly listedFile: UserFile<StoredListing>;
  private readonly originsFile: UserFile<StoredOrigins>;

  /**
   * @param folder the user's state folder
   * @param queueFile absolute path, links resolved
   */
  constructor(folder: string, queueFile: string) {
    const base = path.join(folder, 'approvals', queueKey(queueFile));
    this.file = new UserFile(`${base}.json`, {
      empty: { queue: queueFile, trusted: false, powers: [] },
      isRight: isStoredApprovals,
    });
    this.rowsFile = new UserFile(`${base}.rows.json`, {
      empty: { queue: queueFile, rows: [] },
      isRight: isStoredRows,
    });
    this.listedFile = new UserFile(`${base}.listed.json`, {
      empty: { queue: queueFile, rows: [] },
      isRight: isStoredListing,
    });
    this.originsFile = new UserFile(`${base}.origins.json`, {
      empty: { queue: queueFile, rows: [] },
      isRight: isStoredOrigins,
    });
  }

  /** Returns the rows that may run unattended. */
  async read(): Promise<ApprovalSet> {
    const { trusted, powers: approvals } = await this.file.read();
    return { trusted, approvals: new Set(approvals) };
  }

  /** Returns the kept rows as they were last approved, by id. */
  async readRows(): Promise<ReadonlyMap<TaskId, ApprovedRow>> {
    const { rows } = await this.rowsFile.read();
    return new Map(rows.map(({ powers, ...row }) => [row.id, { ...row, permissionFields: powers }]));
  }

  /** Returns the key of the version of each row that was listed last, by id. */
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
      return { ...before, rows: [...others, ...rows].slice(-MAX_ENTRIES) };
    });
  }

  /** Returns the origins of tasks that were imported, or added by a chat, by id. */
  async readOrigins(): Promise<ReadonlyMap<TaskId, string>> {
    const { rows } = await this.originsFile.read();
    return new Map(rows.map(({ id, origin }) => [id, origin]));
  }

  /** Records where these tasks came from. */
  async noteOrigins(rows: readonly RowOrigin[]): Promise<void> {
    if (rows.length === 0) return;
    const ids = new Set(rows.map(({ id }) => id));
    await this.originsFile.update((before) => {
      const others = before.rows.filter(({ id }) => !ids.has(id));
      return { ...before, rows: [...others, ...rows].slice(-MAX_ENTRIES) };
    });
  }

  /** Approves these rows; also stores their cells, if given, for later diffs. */
  async approve(rows: readonly (FingerprintedRow | ApprovedRow)[]): Promise<void> {
    if (rows.length === 0) return;
    await this.file.update((before) => {
      const known = new Set(before.powers);
      const fresh = rows.map(approvalOf).filter((approval) => !known.has(approval));
      if (fresh.length === 0) return before;
      return { ...before, powers: [...before.powers, ...new Set(fresh)].slice(-MAX_ENTRIES) };
    });
    // Written second: after a crash the row is compared with an older version, never shown as unchanged.
    const withCells = rows.filter((row) => 'permissionFields' in row).map(toStored);
    if (withCells.length === 0) return;
    await this.rowsFile.update((before) => ({ ...before, rows: keepNewest([...before.rows, ...withCells]) }));
  }

  /**
   * Withdraws the approvals of these tasks, also those of earlier versions of their rows: one of them may come back into
   * the file. Returns the tasks that had one.
   */
  async withdraw(isMeant: (id: TaskId) => boolean): Promise<ReadonlySet<TaskId>> {
    let had: readonly string[] = [];
    await this.file.update((before) => {
      had = before.powers.filter((approval) => isMeant(idOfApproval(approval)));
      if (had.length === 0) return before;
      return { ...before, powers: before.powers.filter((approval) => !isMeant(idOfApproval(approval))) };
    });
    // Written second: after a crash a row is compared with what was approved once, and waits for approval all the same.
    await this.rowsFile.update((before) => {
      const rows = before.rows.filter(({ id }) => !isMeant(id));
      return rows.length === before.rows.length ? before : { ...before, rows };
    });
    return new Set(had.map(idOfApproval));
  }

  /** Sets whether the whole queue file is trusted. */
  async setTrusted(trusted: boolean): Promise<void> {
    await this.file.update((before) => (before.trusted === trusted ? before : { ...before, trusted }));
  }
}

/** Returns the file name stem for this queue in the user's state folder. */
export function queueKey(queueFile: string): string {
  return hash('sha256', queueFile).slice(0, 32);
}

function toStored({ permissionFields, ...row }: ApprovedRow): StoredRow {
  return { ...row, powers: permissionFields };
}

/** Returns the newest row of each id, oldest first, up to the total length. */
function keepNewest(rows: readonly StoredRow[]): readonly StoredRow[] {
  const kept: StoredRow[] = [];
  const seen = new Set<TaskId>();
  let length = 0;
  for (const row of [...rows].reverse()) {
    if (seen.has(row.id)) continue;
    seen.add(row.id);
    const own = JSON.stringify(row).length;
    // Skip a row that does not fit: shorter rows still may.
    if (length + own > MAX_ROWS_LENGTH) continue;
    length += own;
    kept.push(row);
  }
  return kept.reverse();
}
