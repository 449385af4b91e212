import type { Page } from 'playwright-core';
import { until } from '../../support/until';

/** Run in the page: the open editors, as VS Code has stored them for the next window. */
const READ_EDITORS = `(async () => {
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
      found.push(await ended(database.transaction('ItemTable').objectStore('ItemTable').get('memento/workbench.parts.editor')));
    database.close();
  }
  return found.join(' ');
})()`;

/** Waits until VS Code has stored that an editor with these words is open. It stores every few seconds. */
export async function untilStored(page: Page, words: string): Promise<void> {
  await until(`${words} is stored as open`, async () =>
    (await page.evaluate<string>(READ_EDITORS)).includes(words),
  );
}
