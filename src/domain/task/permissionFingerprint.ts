import { createHash } from 'node:crypto';
import type { Definition } from './task';

/** Changes when the meaning of a hash changes, so that an old approval never covers more than was read. */
const POWER_VERSION = 1;

/** The columns that give a row its power, and what they say; the hash is made from them, in this order. */
export const PERMISSION_COLUMNS = {
  working_dir: 'workingDir',
  prompt: 'prompt',
  permission_mode: 'permissionMode',
  allowed_tools: 'allowedTools',
  model: 'model',
  verify: 'verify',
} as const satisfies Readonly<Record<string, keyof Definition>>;

/** A column that needs approval when it changes. */
export type PermissionColumn = keyof typeof PERMISSION_COLUMNS;

/** What gives a row its power. */
export type PermissionFields = Pick<Definition, (typeof PERMISSION_COLUMNS)[PermissionColumn]>;

/** That part of a row. */
export function permissionFieldsOf(definition: Definition): PermissionFields {
  const fields: readonly string[] = Object.values(PERMISSION_COLUMNS);
  // Every field of the result is in the list that its type is made from.
  return Object.fromEntries(
    Object.entries(definition).filter(([field]) => fields.includes(field)),
  ) as unknown as PermissionFields;
}

/**
 * The hash over what gives a row its power: prompt, working directory, permissions, tools, model and check. Two rows
 * with the same power may do the same things; which of them may run is told by their approvals.
 */
export function permissionFingerprint(definition: Definition): string {
  const power = [
    POWER_VERSION,
    ...Object.values(PERMISSION_COLUMNS).map((field) => definition[field] ?? null),
  ];
  return hash(power);
}

/**
 * The fingerprint that an approval binds: the row's power, and the real folder where the row names another path. A part
 * that is absent adds nothing, so an approval of the power alone counts while the folder is the one that the row names.
 * History, sessions and times belong to the power, which does not change with this.
 */
export function approvalFingerprint({ realDir }: Pick<Definition, 'realDir'>, power: string): string {
  return realDir === undefined ? power : hash(['approval', power, { realDir }]);
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, POWER_LENGTH);
}

/** 128 bits in hex: short enough for a journal line, far too long to be met by chance or by search. */
const POWER_LENGTH = 32;
