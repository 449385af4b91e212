import type { ChangedFiles, FileLook, LeftOut } from './changedFiles';

/** Returns what is left out of a change; nothing where nothing changed. */
export async function listLeftOut(
  look: FileLook,
  changed: ChangedFiles,
  signal: AbortSignal,
): Promise<LeftOut[]> {
  const { present, gone, unread, repositories } = changed;
  if (present.length + gone.length + unread.length === 0) return [];
  const others = [...repositories, ...(await look.listSubmodules(signal))];
  return [...unread, ...others.map((name) => ({ path: name, why: 'repository' }) as const)];
}
