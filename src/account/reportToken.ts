import * as path from 'node:path';
import { type Check, fields, isText } from '../platform/text/shapes';
import { UserFile } from './userFile';

interface Kept {
  /** Empty: there is none yet. */
  readonly token: string;
}

const isToken: Check<string> = (value): value is string => isText(value) && /^(?:[0-9a-f]{4})?$/.test(value);
const isKept = fields<Kept>({ token: isToken });

/**
 * Token of 4 hex digits that marks the reports of this installation. It is in the user's state folder, so that nothing
 * in a queue's folder determines it.
 */
export class ReportToken {
  private readonly file: UserFile<Kept>;

  /** `folder`: the user's state folder. */
  constructor(folder: string) {
    this.file = new UserFile(path.join(folder, 'report-token.json'), {
      empty: { token: '' },
      isRight: isKept,
    });
  }

  /** Returns the token; undefined: none was created yet. @throws Problem `state-newer`, `state-damaged` */
  async find(): Promise<string | undefined> {
    const { token } = await this.file.read();
    return token === '' ? undefined : token;
  }

  /** Returns the token, and creates it on the first call. @throws Problem `state-newer`, `state-damaged` */
  async ensure(create: () => string): Promise<string> {
    const found = await this.find();
    if (found !== undefined) return found;
    return (await this.file.update((kept) => (kept.token === '' ? { token: create() } : kept))).token;
  }
}
