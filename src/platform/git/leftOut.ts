import type { ChangedFiles, LeftOut } from './fileLook';

/**
 * Returns what is left out of a change; nothing where nothing changed. `differs`: something whose content is compared
 * has changed. `submodules` are those in the index.
 */
export function listLeftOut(
  { gone, unread, repositories }: ChangedFiles,
  differs: boolean,
  submodules: readonly string[],
): LeftOut[] {
  if (!differs && unread.length === 0) return [];
  const left = submodules.filter((name) => !gone.includes(name)).map((name) => `${name}/`);
  return [
    ...unread,
    ...[...repositories, ...left].map((name) => ({ path: name, why: 'repository' }) as const),
  ];
}
