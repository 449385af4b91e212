import { findAccountNotices, type AccountNotice } from '../../domain/gate/accountNotice';
import type { World } from '../../domain/reasons/world';
import { gateFactsOf } from '../../domain/reasons/explainGate';
import type { BlockKind } from '../../domain/gate/limits';
import { needsPerson } from '../../domain/gate/limits';
import { isoOrNull } from '../present/gateStatus';
import { describeGateFacts } from '../present/reasons/gate';

/** A closed gate of the account in words. */
export interface ShownNotice extends Pick<AccountNotice, 'kind' | 'model' | 'since' | 'until' | 'needsUser'> {
  /** A few words: `Sign in needed`. */
  readonly title: string;
  /** Why, and what to do. */
  readonly text: string;
  /** As Claude Code said it. */
  readonly message: string;
  /** The user may have reset it: Claude Code reports that to nobody. */
  readonly isResettable: boolean;
}

const TITLES: Readonly<Record<BlockKind, string>> = {
  'sign-in': 'Sign in needed',
  billing: 'Billing problem',
  'spend-limit': 'Spend limit reached',
  'default-model': 'Default model not available',
};

/** What the account's closed gates say, what needs the user first. */
export function describeAccountNotices(world: World): ShownNotice[] {
  return findAccountNotices(world.gate, world.now, world.settings).map(({ blockedBy, ...notice }) => ({
    ...notice,
    title: needsPerson(notice.kind) ? TITLES[notice.kind] : 'Usage limit',
    text: describeGateFacts(gateFactsOf(blockedBy, world), world),
    isResettable: blockedBy.block.resettable === true,
  }));
}

/** What the user has to fix, a line each. */
export function describeAccountNeeds(notices: readonly ShownNotice[]): string[] {
  return notices
    .filter(({ needsUser }) => needsUser)
    .map(({ title, text, message, kind }) => {
      const how = kind === 'sign-in' ? ' Sign in with "claude auth login", or "claude" and /login.' : '';
      return `${title}: ${text}.${how} Claude Code said: ${message}`;
    });
}

/** The notices for programs. */
export function accountNoticesAsJson(notices: readonly ShownNotice[]): object[] {
  return notices.map(({ kind, model, since, until, needsUser, title, text, message }) => ({
    kind,
    model: model ?? null,
    since: isoOrNull(since),
    until: isoOrNull(until),
    needsUser,
    title,
    text,
    message,
  }));
}
