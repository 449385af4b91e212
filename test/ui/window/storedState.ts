import type { Page } from 'playwright-core';
import { until } from '../../support/until';

/** Key of the open editors. */
const EDITORS = 'memento/workbench.parts.editor';

/** Run in the page: what VS Code has stored with this key for the next window. */
const readStored = (key: string): string => `(async () => {
  const ended = (request) => new Promise((resolve) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => resolve(undefined);
  });
  const found = [];
  for (const { name } of await indexedDB.databases()) {
    if (!name.startsWith('vscode-web-state-db')) continue;
    const database = await ended(indexedDB.open(name));
    if (database === undefined) continue;
    if (database.objectStoreNames.contains('ItemTable'))
      found.push(await ended(database.transaction('ItemTable').objectStore('ItemTable').get('${key}')));
    database.close();
  }
  return found.join(' ');
})()`;

/** Waits until VS Code has stored that an editor with these words is open. It stores every few seconds. */
export async function untilStored(page: Page, words: string): Promise<void> {
  await until(`${words} is stored as open`, async () =>
    (await page.evaluate<string>(readStored(EDITORS))).includes(words),
  );
}

/** Waits until VS Code has stored what the extension remembers of the workspace: the first of these words, not the others. */
export async function untilRemembered(
  page: Page,
  extension: string,
  words: string,
  without: string,
): Promise<void> {
  await until(`${words} is remembered`, async () => {
    const stored = await page.evaluate<string>(readStored(extension));
    return stored.includes(words) && !stored.includes(without);
  });
}
