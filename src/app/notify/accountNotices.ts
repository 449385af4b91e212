import { findAccountNotices, type AccountNotice } from '../../domain/gate/accountNotice';
import type { World } from '../../domain/reasons/world';
import { gateFactsOf } from '../../domain/reasons/explainGate';
import { type BlockKind, needsUser } from '../../domain/gate/gate';
import { isoOrNull } from '../present/text';
import { describeGateFacts, describeLimitShortly } from '../present/gate';
import { t } from '../../platform/text/translate';

/** Text of a closed gate of the account. */
export interface ShownNotice extends Pick<AccountNotice, 'kind' | 'model' | 'since' | 'until' | 'needsUser'> {
  /** Short title, such as `Sign in needed`. */
  readonly title: string;
  /** Reason and what to do. */
  readonly text: string;
  /** Reset and reason of a usage limit, for a narrow row; null: there is no shorter text. */
  readonly short: string | null;
  /** Message of Claude Code. */
  readonly message: string;
  /** Whether the user may have reset the limit, which Claude Code does not report. */
  readonly isResettable: boolean;
}

const TITLES: Readonly<Record<BlockKind, string>> = {
  'sign-in': t('Sign in needed'),
  billing: t('Billing problem'),
  'spend-limit': t('Spend limit reached'),
  'default-model': t('Default model not available'),
};

/** Describes the account's closed gates, those that need the user first. */
export function describeAccountNotices(world: World): ShownNotice[] {
  return findAccountNotices(world.gate, world.now, world.settings).map(({ blockedBy, ...notice }) => ({
    ...notice,
    title: needsUser(notice.kind) ? TITLES[notice.kind] : t('Usage limit'),
    text: describeGateFacts(gateFactsOf(blockedBy, world), world),
    short: describeLimitShortly(blockedBy.block, world),
    isResettable: blockedBy.block.resettable === true,
  }));
}

/** Describes what the user has to fix, one line each. */
export function describeAccountNeeds(notices: readonly ShownNotice[]): string[] {
  return notices
    .filter(({ needsUser }) => needsUser)
    .map(({ title, text, message, kind }) => {
      const how = kind === 'sign-in' ? ' Sign in with "claude auth login", or "claude" and /login.' : '';
      return `${title}: ${text}.${how} Claude Code said: ${message}`;
    });
}

/** JSON of the notices. */
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
