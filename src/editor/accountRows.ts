import type { Picture } from '../app/picture';

/** A row of the tree above the groups: a closed gate of the account. */
export interface AccountRow {
  readonly key: string;
  readonly title: string;
  readonly description: string;
  /** Lines of plain text. */
  readonly details: readonly string[];
  readonly needsUser: boolean;
  /** Words that a menu's `when` looks for. */
  readonly traits: readonly string[];
}

/** The rows of the account, what needs the user first. */
export function accountRows({ account }: Picture): AccountRow[] {
  return account.map(({ kind, model, title, text, message, needsUser, isResettable }) => ({
    key: ['account', kind, model].filter((part) => part !== undefined).join('-'),
    title,
    description: text,
    details: [
      ...[title, text, `Claude Code said: ${message}`],
      ...(isResettable ? ['A /limit-reset of yours is not seen here: choose Try Now after it.'] : []),
    ],
    needsUser,
    traits: needsUser ? [...(kind === 'sign-in' ? ['signIn'] : []), 'accountBlock'] : ['usageLimit'],
  }));
}
