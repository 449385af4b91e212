import * as path from 'node:path';
import { isProblem } from '../../domain/problem';
import { hasCode, readIfThere, statIfThere } from '../../platform/files/files';
import { findConfigFolder } from '../attempt/session';
import { asList } from '../../platform/text/shapes';
import { asObject, asText, type JsonObject, parseObject } from '../stream/json';
import { findProjectRoot, isTrusted } from './projectTrust';

/** Folder of the settings that an administrator gives to all users of the machine. */
const MANAGED_FOLDER =
  process.platform === 'darwin' ? '/Library/Application Support/ClaudeCode' : '/etc/claude-code';

/**
 * Returns the rules by which Claude Code's own settings allow tools in a folder. Null: hooks, a sandbox, plugins or an
 * administrator may allow others too, or a file is not readable.
 */
export async function readAllowRules(
  folder: string,
  environment: NodeJS.ProcessEnv,
  managed = MANAGED_FOLDER,
): Promise<readonly string[] | null> {
  const own = findConfigFolder(environment);
  const isManaged = await Promise.all([managed, path.join(own, 'remote-settings.json')].map(isThere));
  if (isManaged.includes(true)) return null;
  const folders = (await isTrusted(folder, environment)) ? [folder, await findProjectRoot(folder)] : [];
  const names = ['settings.json', 'settings.local.json'].map((name) => path.join('.claude', name));
  const files = [...new Set(folders)].flatMap((one) => names.map((name) => path.join(one, name)));
  const rules = await Promise.all([path.join(own, 'settings.json'), ...files].map(readRules));
  return rules.some((one) => one === null) ? null : rules.flatMap((one) => one ?? []);
}

async function isThere(file: string): Promise<boolean> {
  try {
    return (await statIfThere(file)) !== null;
  } catch (error) {
    if (hasCode(error, 'EACCES', 'ELOOP')) return true;
    throw error;
  }
}

async function readRules(file: string): Promise<readonly string[] | null> {
  try {
    const bytes = await readIfThere(file);
    if (bytes === null) return [];
    const settings = parseObject(bytes.toString());
    if (settings === null || mayAllowMore(settings)) return null;
    return asList(asObject(settings['permissions'])['allow']).flatMap((rule) => asText(rule) ?? []);
  } catch (error) {
    if (isProblem(error, 'not-a-file')) return null;
    // A `.claude` that is a file has no settings.
    if (hasCode(error, 'ENOTDIR')) return [];
    if (hasCode(error, 'EACCES', 'ELOOP')) return null;
    throw error;
  }
}

function mayAllowMore({ sandbox, enabledPlugins, hooks }: JsonObject): boolean {
  const { PreToolUse: before, PermissionRequest: asked } = asObject(hooks);
  return [sandbox, enabledPlugins, before, asked].some((part) => part !== undefined);
}
