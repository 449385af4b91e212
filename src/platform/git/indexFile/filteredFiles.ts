import * as path from 'node:path';
import { readIfThere } from '../../files/files';
import { decode, findWithoutLink, pathOf } from '../fileNames';
import { findRuleFile, type Repository, setRuleFile } from '../findRepository';
import { type Git, notOfGit } from '../git';
import { joinNames } from './indexDifferences';
import { type IndexSource, listSizes } from './indexFacts';

/** Attributes by which git can convert a file without a change of its size. */
const ATTRIBUTES = ['filter', 'working-tree-encoding'];
const NOT_SET = ['unspecified', 'unset'];

/**
 * Returns the unchanged files in a directory whose content in the index can be another one of the same size, because they
 * have such an attribute. Git is asked only if a file of attributes mentions one.
 * @param inTree files of attributes in the repository, from its top
 * @param git with the configuration of the repository
 */
export async function listFiltered(
  index: IndexSource,
  workingDir: string,
  { repository, inTree, git }: { repository: Repository; inTree: readonly string[]; git: Git },
  signal: AbortSignal,
): Promise<string[]> {
  const { top, attributes, attributesFile } = repository;
  // Git opens no link as a file of attributes in the repository.
  const regular = inTree.filter((name) => findWithoutLink(pathOf(top, name))?.isFile() === true);
  const files = [attributes, attributesFile, ...regular.map((name) => path.join(top, decode(name)))];
  if (!(await Promise.all(files.map(isMentionedIn))).includes(true)) return [];
  // Git would wait for the other end of a pipe.
  if (findRuleFile(attributes)?.isFile() === false) throw notOfGit(attributes);
  const sizes = listSizes(index);
  const ask = [
    ...setRuleFile('attributesFile', attributesFile),
    'check-attr',
    '-z',
    '--stdin',
    ...ATTRIBUTES,
  ];
  return [...parseAttributes(await git(ask, signal, joinNames([...sizes.keys()])))].filter(
    (name) => findWithoutLink(pathOf(workingDir, name))?.size === sizes.get(name),
  );
}

async function isMentionedIn(file: string): Promise<boolean> {
  try {
    const content = await readIfThere(file);
    return content !== null && ATTRIBUTES.some((name) => content.includes(name));
  } catch {
    // A file that cannot be read sets no attributes.
    return false;
  }
}

/** Returns the files that have an attribute, of a list of file, attribute and value. */
function parseAttributes(list: string): Set<string> {
  const parts = list.split('\0');
  const names = new Set<string>();
  for (let at = 0; at + 2 < parts.length; at += 3)
    if (!NOT_SET.includes(parts[at + 2] ?? '')) names.add(parts[at] ?? '');
  return names;
}
