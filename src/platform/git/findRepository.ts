import { readFileSync, type Stats, statSync } from 'node:fs';
import * as path from 'node:path';
import { quietly } from '../files/files';
import { cleanEnvironment, createGit, type Git, GitFailure } from './git';
import { isObjectFormat, type ObjectFormat } from './bareRepository';

/** Paths of a repository, and its object format. */
export interface Repository {
  readonly top: string;
  readonly objects: string;
  readonly index: string;
  readonly exclude: string;
  /** Further excludes file, which the configuration names; else git's default one. It need not be there. */
  readonly excludesFile: string;
  readonly attributes: string;
  /** Further file of attributes, as `excludesFile` is one of excludes. */
  readonly attributesFile: string;
  readonly format: ObjectFormat;
}

/** Returns the repository of a directory. @throws GitFailure where there is none, among other reasons */
export type FindRepository = (workingDir: string, signal: AbortSignal) => Promise<Repository>;

/** Returns a function that asks git for a repository, and again only when a `.git` that decides it has changed. */
export function createFindRepository(environment: NodeJS.ProcessEnv): FindRepository {
  const known = new Map<string, { readonly stamp: string; readonly repository: Repository }>();
  return async (workingDir, signal) => {
    const stamp = stampOf(workingDir);
    const before = known.get(workingDir);
    if (before?.stamp === stamp) return before.repository;
    const repository = await askGit(workingDir, environment, signal);
    known.set(workingDir, { stamp, repository });
    return repository;
  };
}

/** Asks by commands that read the repository's configuration and act on none of it. */
async function askGit(
  workingDir: string,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<Repository> {
  const git = createGit(workingDir, cleanEnvironment(environment));
  const names = ['objects', 'index', 'info/exclude', 'info/attributes'];
  const parts = names.flatMap((part) => ['--git-path', part]);
  const [out, ruleFiles] = await Promise.all([
    git(['rev-parse', '--show-toplevel', ...parts, '--show-object-format'], signal),
    findRuleFiles(git, signal),
  ]);
  const [top, objects, index, exclude, attributes, format, ...rest] = out.trimEnd().split('\n');
  if (!isObjectFormat(format) || rest.length > 0)
    throw new GitFailure('A path has a line break in it, or the object format is unknown.');
  const full = (part = ''): string => path.resolve(workingDir, part);
  const named = (setting: string, other: string): string =>
    path.resolve(full(top), ruleFiles.get(setting) ?? defaultRuleFile(environment, other));
  return {
    top: full(top),
    objects: full(objects),
    index: full(index),
    exclude: full(exclude),
    excludesFile: named('core.excludesfile', 'ignore'),
    attributes: full(attributes),
    attributesFile: named('core.attributesfile', 'attributes'),
    format,
  };
}

const NO_RULES = '/dev/null';
const RULE_FILES = '^core\\.(hookspath|excludesfile|attributesfile)$';

/**
 * Returns the files of rules that the configuration names, by setting. The repository's own configuration counts too, and
 * what the user's one includes for this repository.
 */
async function findRuleFiles(git: Git, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  // Git fails if it finds nothing, but every git here gets a path of hooks.
  const out = await git(['config', '-z', '--type=path', '--get-regexp', RULE_FILES], signal);
  const entries = out.split('\0').filter(Boolean);
  // The last value of a setting counts, for git too.
  return new Map(
    entries.map((entry) => {
      const at = entry.indexOf('\n');
      return [entry.slice(0, at), entry.slice(at + 1)];
    }),
  );
}

/** Returns the path that git takes where no file is named. */
function defaultRuleFile({ XDG_CONFIG_HOME = '', HOME }: NodeJS.ProcessEnv, name: string): string {
  if (XDG_CONFIG_HOME !== '') return path.join(XDG_CONFIG_HOME, 'git', name);
  return HOME === undefined ? NO_RULES : path.join(HOME, '.config/git', name);
}

/** Returns what is at the path of a file of rules; undefined: nothing, or what nobody may look at. */
export function findRuleFile(file: string): Stats | undefined {
  let found: Stats | undefined;
  quietly(() => (found = statSync(file)));
  return found;
}

/** Returns arguments for git that set a file of rules. */
export function setRuleFile(setting: 'excludesFile' | 'attributesFile', file: string): string[] {
  // A repository can name a pipe, say, which would never end.
  const isFile = findRuleFile(file)?.isFile() === true;
  return ['-c', `core.${setting}=${isFile ? file : NO_RULES}`];
}

/** Returns a text that changes when a repository is made, moved or configured in the directory or above it. */
function stampOf(directory: string): string {
  const stamp = stampOfGit(path.join(directory, '.git'));
  const parent = path.dirname(directory);
  return parent === directory ? stamp : `${stamp}\n${stampOf(parent)}`;
}

function stampOfGit(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isFile() === true) return `${stampOfFile(found)} ${stampOfFile(findConfig(file))}`;
  if (found?.isDirectory() !== true) return stampOfFile(found);
  // The times of the folder itself change with each change of the index.
  const config = statSync(path.join(file, 'config'), { throwIfNoEntry: false });
  return `${String(found.dev)}:${String(found.ino)} ${stampOfFile(config)}`;
}

/** Returns the configuration of a linked worktree or a submodule, whose `.git` is this file; undefined: it is not found. */
function findConfig(file: string): Stats | undefined {
  let folder = path.dirname(file);
  // A worktree shares the configuration of its repository.
  quietly(() => {
    folder = path.resolve(
      folder,
      readFileSync(file, 'utf8')
        .replace(/^gitdir: /, '')
        .trimEnd(),
    );
    folder = path.resolve(folder, readFileSync(path.join(folder, 'commondir'), 'utf8').trimEnd());
  });
  return findRuleFile(path.join(folder, 'config'));
}

/** Returns a text that changes when the file is replaced or changed; empty: there is none. */
export function stampOfFile(found: Stats | undefined): string {
  if (found === undefined) return '';
  const { dev, ino, ctimeMs, size } = found;
  return [dev, ino, ctimeMs, size].join(':');
}
