import type { ApprovedRow } from '../../account/approvals';
import { permissionFieldsOf, type PermissionFields } from '../../domain/task/permissionFingerprint';
import { placeOf } from '../../domain/task/place';
import type { PermissionMode } from '../../domain/task/task';
import { revealInLine } from '../../platform/text/invisible';
import { t } from '../../platform/text/translate';
import { redactPermissions } from './approval';
import { describeApprovedFolder } from './approvedChanges';
import type { TaskViewModel } from '../viewModel/queueViewModel';
import { MODE_WORDS } from '../present/permissionModes';
import { describeFolder } from '../present/text';

/** Rank of each permission mode: a higher one lets Claude do more. */
const RANKS: Readonly<Record<PermissionMode, number>> = {
  plan: 0,
  manual: 1,
  default: 1,
  dontAsk: 1,
  acceptEdits: 2,
  auto: 3,
  bypassPermissions: 4,
};

/**
 * Describes what a row may do beyond what was approved under its id; a row without an approval is compared with one that
 * names no permissions. `usual` is the mode of rows that name none.
 */
export function describeNewPower(
  { task }: TaskViewModel,
  before: ApprovedRow | undefined,
  usual: PermissionMode,
): string[] {
  const now = redactPermissions(permissionFieldsOf(task.definition)).permissionFields;
  const old: Partial<PermissionFields> =
    before === undefined ? {} : redactPermissions(before.permissionFields).permissionFields;
  const folder = describeFolder(placeOf(task.definition));
  const isMoved = before !== undefined && folder !== describeApprovedFolder(before);
  const found = [
    ...listWiderMode(now.permissionMode ?? usual, old.permissionMode ?? usual),
    ...listNewTools(now.allowedTools, old.allowedTools),
    ...listNewCheck(now.verify?.join(' '), old.verify?.join(' ')),
    ...listNewSetUp(now.verifyBefore?.join(' '), old.verifyBefore?.join(' ')),
    ...listNewAddress(now.callbackUrl, old.callbackUrl),
    ...listNewSystemPrompt(now.appendSystemPrompt, old.appendSystemPrompt),
    ...(isMoved ? [t('other folder: {0}', folder)] : []),
  ];
  return found.map(revealInLine);
}

function listWiderMode(now: PermissionMode, before: PermissionMode): string[] {
  return RANKS[now] > RANKS[before] ? [t('wider mode: {0}', MODE_WORDS[now])] : [];
}

function listNewTools(now: readonly string[] = [], before: readonly string[] = []): string[] {
  const tools = now.filter((tool) => !before.includes(tool));
  if (tools.length === 0) return [];
  return tools.length === 1 ? [t('new tool: {0}', tools.join())] : [t('new tools: {0}', tools.join(', '))];
}

function listNewCheck(now: string | undefined, before: string | undefined): string[] {
  return now === undefined || now === before ? [] : [t('runs a program as its check: {0}', now)];
}

function listNewSetUp(now = '', before: string | undefined): string[] {
  return now === '' || now === before ? [] : [t('runs a program to set up its check: {0}', now)];
}

function listNewAddress(now: string | undefined, before: string | undefined): string[] {
  return now === undefined || now === before ? [] : [t('sends its results to {0}', now)];
}

function listNewSystemPrompt(now: string | undefined, before: string | undefined): string[] {
  return now === undefined || now === before ? [] : [t('adds to the system prompt: {0}', now)];
}
