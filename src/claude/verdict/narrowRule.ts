import { normalize } from 'node:path';
import { revealInvisible } from '../../platform/text/invisible';
import type { ToolCall } from '../stream/message';

/** Narrowest rule that lets a refused call through the next time, or why there is none. */
export type NarrowRule = { readonly rule: string } | { readonly why: string };

/** Longest rule in characters: more than any command that the user would still read to its end. */
const LONGEST_RULE = 1000;

/**
 * Returns the rule for a refused call: for this exact command, file, host or tool and no other. Measured with
 * 2.1.90 and 2.1.329: a command without `*` is compared as a whole, signs of the shell included, if `\`, `(`
 * and `)` have a backslash before them. A `*` itself cannot be named.
 */
export function narrowRule({ name, input }: ToolCall): NarrowRule {
  const found = findRule(name, input);
  if (!('rule' in found)) return found;
  // Secrets were removed from the output before anybody read it, so this rule would allow another call than the
  // one that was made.
  if (found.rule.includes('[redacted')) return { why: 'a secret was removed from it' };
  if (found.rule.length > LONGEST_RULE) return { why: 'it is too long to be read' };
  return isNarrow(found.rule) ? found : { why: UNNAMEABLE };
}

const UNNAMEABLE = 'it contains a character that is special in rules';

function findRule(name: string, input: ToolCall['input']): NarrowRule {
  switch (name) {
    case 'Bash':
      return nameCommand(textOf(input, 'command'));
    case 'Write':
    case 'Edit':
    case 'MultiEdit':
      return nameFile('Edit', textOf(input, 'file_path'));
    case 'NotebookEdit':
      return nameFile('Edit', textOf(input, 'notebook_path'));
    case 'Read':
      return nameFile('Read', textOf(input, 'file_path'));
    case 'WebFetch':
      return nameHost(textOf(input, 'url'));
    default:
      // These tools have no rule for one call. A tool of a server can at least be named by itself.
      return name === 'WebSearch' || name.startsWith('mcp__') ? { rule: name } : { why: NO_SUCH_RULE };
  }
}

const NO_SUCH_RULE = 'there is no rule for a single call of this tool';

function textOf(input: ToolCall['input'], field: string): string {
  const value = input[field];
  return typeof value === 'string' ? value : '';
}

/** Texts in quotes in a command. */
export const QUOTED = /'[^']*'|"(?:[^"\\]|\\.)*"/g;

function nameCommand(text: string): NarrowRule {
  const command = text.trim();
  if (command === '') return { why: NO_SUCH_RULE };
  if (command.includes('*')) return { why: UNNAMEABLE };
  const bare = command.replace(QUOTED, '""');
  if (isSplit(bare)) return { why: 'Claude Code checks its parts one by one: name them in allowed_tools' };
  // The path may be in quotes. A `>` within quotes is text.
  const unquoted = command.replace(QUOTED, (text) => text.slice(1, -1).replaceAll('>', ''));
  if (/>\s*(?!\/dev\/null\b)(?:\/|~|\.\.|\$)/.test(unquoted)) {
    return { why: 'it also writes to a file, which a rule for a command does not allow' };
  }
  return { rule: `Bash(${command.replace(/[\\()]/g, String.raw`\$&`)})` };
}

/**
 * Whether the command has pipes, subshells or parts in the background. Claude Code then ignores a rule for the
 * whole.
 */
function isSplit(bare: string): boolean {
  const single = bare.replace(/\|\||&&|>&|&>/g, ' ');
  return /[|&]/.test(single) || /(?:^|[;\n]|\s)\(/.test(bare);
}

/**
 * Paths that Claude Code lets nobody but the user write, whatever the rules say (except in bypassPermissions).
 */
const ASKED_FOLDERS = /(?:^|\/)\.(?:claude|git|vscode|idea|husky|devcontainer)(?:\/|$)/;
const ASKED_FILES =
  /\/\.(?:mcp\.json|claude\.json|gitconfig|gitmodules|npmrc|ripgreprc|envrc|profile|(?:ba|z)sh(?:rc|env|_profile))$/;

/**
 * Characters that a rule for a path cannot name. Measured with 2.0.20 and 2.1.329: `{}!(),+@#$~` stand for
 * themselves. A space at the end is ignored, so that the rule would let another file through. After the end of
 * a line another pattern starts.
 */
const UNNAMEABLE_PATH = /[*?[\]\\\n]|\s$/;

function nameFile(tool: 'Edit' | 'Read', path: string): NarrowRule {
  if (!path.startsWith('/')) return { why: 'its path is not absolute' };
  if (path.endsWith('/')) return { why: 'it is a folder, and its rule would allow everything in it' };
  if (path !== normalize(path)) return { why: 'its path contains .. or //' };
  if (tool === 'Edit' && (ASKED_FOLDERS.test(path) || ASKED_FILES.test(path))) {
    return { why: 'Claude Code asks the user before it writes there, whatever the rules say' };
  }
  return UNNAMEABLE_PATH.test(path) ? { why: UNNAMEABLE } : { rule: `${tool}(/${path})` };
}

function nameHost(url: string): NarrowRule {
  if (!URL.canParse(url)) return { why: NO_SUCH_RULE };
  const { hostname } = new URL(url);
  return hostname === '' ? { why: NO_SUCH_RULE } : { rule: `WebFetch(domain:${hostname})` };
}

/**
 * Whether a rule is of the kind that is made here. An attempt's history may hold others: it lies where others
 * may have written it.
 */
export function isNarrow(rule: string): boolean {
  // The user has to see every character when they read the rule.
  if (rule.includes('*') || revealInvisible(rule) !== rule) return false;
  const path = /^(?:Edit|Read)\(\/(.*)\)$/s.exec(rule)?.[1];
  if (path !== undefined) {
    return (
      /^\/./.test(path) && !path.endsWith('/') && path === normalize(path) && !UNNAMEABLE_PATH.test(path)
    );
  }
  return (
    // Rules that are made here neither start nor end with a space: versions may differ on what `Bash( )` means.
    /^Bash\((?!\s)(?:[^\\()]|\\[\\()])+(?<!\s)\)$/.test(rule) ||
    /^WebFetch\(domain:[a-z0-9.:[\]-]+\)$/.test(rule) ||
    /^(?:WebSearch|mcp__[\w-]+__[\w-]+)$/.test(rule)
  );
}
