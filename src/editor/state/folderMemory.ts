import type * as vscode from 'vscode';

/** Returns the part of a workspace's memory that belongs to one of its folders. */
export function memoryOfFolder(memory: vscode.Memento, folder: string): vscode.Memento {
  const scope = (key: string): string => `${key} ${folder}`;
  const own = (key: string): boolean => key.endsWith(` ${folder}`);
  return {
    keys: () =>
      memory
        .keys()
        .filter(own)
        .map((key) => key.slice(0, -folder.length - 1)),
    get: <T>(key: string, fallback?: T) => memory.get(scope(key), fallback) as T,
    update: (key, value) => memory.update(scope(key), value),
  };
}
