import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { parse } from 'csv-parse/sync';
import { lock } from 'proper-lockfile';
import { loadStringify } from './peers';

type Row = Record<string, string>;

/**
 * The queue that one writes in an afternoon: under a lock the whole file is read and parsed, two cells are changed (what ran is
 * completed, the next one runs), and all of it is written again, durably. Null where csv-stringify is not installed.
 */
export function naiveQueue(file: string): { step(running: string | null): Promise<string | null> } | null {
  const stringify = loadStringify();
  if (stringify === null) return null;
  return {
    async step(running) {
      const release = await lock(file, {
        realpath: false,
        retries: { retries: 10_000, factor: 1, minTimeout: 1, maxTimeout: 4, randomize: true },
      });
      try {
        const rows: Row[] = parse(await fs.readFile(file), { columns: true });
        const ended = rows.find((row) => row['id'] === running);
        if (ended !== undefined) ended['status'] = 'completed';
        const next = rows.find((row) => row['status'] === 'pending');
        if (next !== undefined) next['status'] = 'running';
        await replace(file, stringify(rows, { header: true }));
        return next?.['id'] ?? null;
      } finally {
        await release();
      }
    },
  };
}

async function replace(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  const handle = await fs.open(temporary, 'w');
  await handle.writeFile(text);
  await handle.sync();
  await handle.close();
  await fs.rename(temporary, file);
  const folder = await fs.open(path.dirname(file), 'r');
  await folder.sync();
  await folder.close();
}
