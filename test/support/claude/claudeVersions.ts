import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CLAUDE } from './claudeHome';
import { isLong } from '../fuzz';

const ROOT = resolve(__dirname, '../../..');

/** A release of the real Claude Code that the tests run. */
export interface ClaudeVersion {
  readonly version: string;
  readonly program: string;
}

/** The one among the packages of this project. */
function newestClaude(): ClaudeVersion {
  return { version: lockedVersion(ROOT, 'devDependencies'), program: CLAUDE };
}

/**
 * `oldest`: the oldest that is promised to work; `older`: one before it; `node20`: the one that npm installs on Node 20. `npm test`
 * installs them, but for `older`, which `npm run test:long` installs.
 */
export function oldClaude(name: 'oldest' | 'older' | 'node20'): ClaudeVersion {
  const version = lockedVersion(resolve(ROOT, 'scripts', 'claude-versions', name), 'dependencies');
  const program = resolve(ROOT, '.vscode-test', `claude-${version}`, 'node_modules', '.bin', 'claude');
  if (!existsSync(program))
    throw new Error(
      `Claude Code ${version} is not installed; npm test test/e2e/attempts/versions.test.ts does it.`,
    );
  return { version, program };
}

/** The releases that a test runs in `npm test`; in `npm run test:long` it runs each that is promised to work. */
export function releases(...names: readonly ('oldest' | 'node20' | 'newest')[]): readonly ClaudeVersion[] {
  const chosen = isLong ? (['oldest', 'node20', 'newest'] as const) : names;
  return chosen.map((name) => (name === 'newest' ? newestClaude() : oldClaude(name)));
}

function lockedVersion(folder: string, kind: 'dependencies' | 'devDependencies'): string {
  const manifest = JSON.parse(readFileSync(resolve(folder, 'package.json'), 'utf8')) as Partial<
    Record<typeof kind, Record<string, string>>
  >;
  const version = manifest[kind]?.['@anthropic-ai/claude-code'];
  if (version === undefined) throw new Error(`${folder} names no version of Claude Code.`);
  return version;
}
