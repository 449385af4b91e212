import { hash } from 'node:crypto';
import { pick } from '../pick';
import { folderBehind, placeOf } from './place';
import { isRepository } from './repository';
import type { Definition } from './task';

/** Version of the hash. It changes with the hash's meaning, so that an old approval never covers more than was read. */
const POWER_VERSION = 1;

/** Columns that grant permissions, with their fields. */
export const PERMISSION_COLUMNS = {
  working_dir: 'workingDir',
  prompt: 'prompt',
  prompt_file: 'promptFile',
  permission_mode: 'permissionMode',
  allowed_tools: 'allowedTools',
  model: 'model',
  verify: 'verify',
  callback_url: 'callbackUrl',
  request_id: 'requestId',
  metadata: 'metadata',
  append_system_prompt: 'appendSystemPrompt',
} as const satisfies Readonly<Record<string, keyof Definition>>;

/** A column that needs approval when it changes. */
export type PermissionColumn = keyof typeof PERMISSION_COLUMNS;

/** Fields of a row that grant permissions. `verifyBefore` is no cell: it belongs to `verify`. */
export type PermissionFields = Pick<
  Definition,
  (typeof PERMISSION_COLUMNS)[PermissionColumn] | 'verifyBefore'
>;

/** Columns that every hash has, in this order. */
const HASHED = [
  'workingDir',
  'prompt',
  'permissionMode',
  'allowedTools',
  'model',
  'verify',
] as const satisfies readonly (keyof PermissionFields)[];

/** Fields that only the receiver of the row's callbacks gets. */
const SENT_FIELDS: readonly (keyof PermissionFields)[] = ['requestId', 'metadata'];

/** Returns the fields of a row that grant permissions. */
export function permissionFieldsOf(definition: Definition): PermissionFields {
  const isSent = definition.callbackUrl !== undefined;
  const fields = [...Object.values(PERMISSION_COLUMNS), 'verifyBefore'] as const;
  return pick<Definition, keyof PermissionFields>(
    definition,
    isSent ? fields : fields.filter((field) => !SENT_FIELDS.includes(field)),
  );
}

/**
 * Returns the hash over the fields that grant permissions: prompt, the text of its file, working directory, permission
 * mode, tools, model, check and system prompt. A row without a prompt file or a system prompt has the hash that it had
 * before there were any. Two rows with the same hash may do the same things. Their approvals decide which of them may run.
 */
export function permissionFingerprint(definition: Definition): string {
  const { promptFile, appendSystemPrompt } = definition;
  return fingerprintOf([
    POWER_VERSION,
    ...HASHED.map((field) => definition[field] ?? null),
    ...(promptFile === undefined ? [] : [{ promptFile: promptFile.text }]),
    ...(appendSystemPrompt === undefined ? [] : [{ appendSystemPrompt }]),
  ]);
}

/**
 * Returns the fingerprint that an approval binds: the row's hash, the folder of its place where the row names another
 * path, the address of its callbacks with the cells that go there, and the set-up of its check before attempts. The folder
 * of a repository is the choice of the machine's owner, so it is bound only where that is a link. An absent part adds
 * nothing. So an approval of the hash alone counts while the folder is the one that was named. History, sessions and times
 * belong to the hash alone, which does not change with the folder or the address.
 */
export function approvalFingerprint(
  definition: Pick<
    Definition,
    'workingDir' | 'realDir' | 'linkedRepository' | 'callbackUrl' | 'requestId' | 'metadata' | 'verifyBefore'
  >,
  power: string,
): string {
  const isNamed = isRepository(definition.workingDir);
  const realDir = isNamed ? definition.linkedRepository : folderBehind(placeOf(definition));
  const { callbackUrl, requestId, metadata, verifyBefore } = definition;
  const sent = callbackUrl === undefined ? {} : { callbackUrl, requestId, metadata };
  const isBare = realDir === undefined && callbackUrl === undefined && verifyBefore === undefined;
  return isBare ? power : fingerprintOf(['approval', power, { realDir, ...sent, verifyBefore }]);
}

function fingerprintOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value)).slice(0, POWER_LENGTH);
}

/** Length in hex digits: 128 bits. Short enough for a journal line, too long for a collision by chance or by search. */
const POWER_LENGTH = 32;
