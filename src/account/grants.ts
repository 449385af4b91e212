import * as path from 'node:path';
import { approvalOf, idOfApproval, type FingerprintedRow } from '../domain/task/approval';
import type { TaskId } from '../domain/task/task';
import { fields, isText, listOf } from '../platform/text/shapes';
import { queueKey } from './approvals';
import { UserFile } from './userFile';

interface Grant {
  /** Approval of the row that it was given to. Another row, or the same one after an edit, does not have it. */
  readonly power: string;
  readonly rules: readonly string[];
}

interface Granted {
  /** Queue file, for a user who opens this file. */
  readonly queue: string;
  /** The newest last. */
  readonly grants: readonly Grant[];
}

const isGranted = fields<Granted>({ grants: listOf(fields({ power: isText, rules: listOf(isText) })) });

/** Maximum number of grants of a queue: more than a user gives. */
const MOST_GRANTS = 10_000;

/** Rules that this user added for tasks of one queue file after a refusal; kept beside the approvals. */
export class Grants {
  private readonly file: UserFile<Granted>;

  /** `folder`: the user's state folder; `queueFile`: absolute, links resolved. */
  constructor(folder: string, queueFile: string) {
    const file = path.join(folder, 'approvals', `${queueKey(queueFile)}.grants.json`);
    this.file = new UserFile(file, { empty: { queue: queueFile, grants: [] }, isRight: isGranted });
  }

  /** Returns the rules that this row may use in addition to its own. */
  async read(row: FingerprintedRow): Promise<readonly string[]> {
    return (await this.readAll()).get(approvalOf(row)) ?? [];
  }

  /** Returns the rules of every row that has some, by its approval. */
  async readAll(): Promise<ReadonlyMap<string, readonly string[]>> {
    const { grants } = await this.file.read();
    return new Map(grants.map(({ power, rules }) => [power, rules]));
  }

  async add(row: FingerprintedRow, rules: readonly string[]): Promise<void> {
    const power = approvalOf(row);
    await this.file.update((before) => {
      const own = before.grants.find((grant) => grant.power === power)?.rules ?? [];
      const others = before.grants.filter((grant) => grant.power !== power);
      const all = [...new Set([...own, ...rules])];
      return { ...before, grants: [...others, { power, rules: all }].slice(-MOST_GRANTS) };
    });
  }

  /** Withdraws the rules of these tasks, also those of earlier versions of their rows. Returns them, by task. */
  async withdraw(isMeant: (id: TaskId) => boolean): Promise<ReadonlyMap<TaskId, readonly string[]>> {
    let had: readonly Grant[] = [];
    await this.file.update((before) => {
      had = before.grants.filter(({ power }) => isMeant(idOfApproval(power)));
      if (had.length === 0) return before;
      return { ...before, grants: before.grants.filter(({ power }) => !isMeant(idOfApproval(power))) };
    });
    const rules = new Map<TaskId, readonly string[]>();
    for (const { power, rules: own } of had) {
      const id = idOfApproval(power);
      rules.set(id, [...new Set([...(rules.get(id) ?? []), ...own])]);
    }
    return rules;
  }
}
