// npm run docs: makes the generated parts of the pages in docs/ again, from the code that they describe.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { require as requireTs } from 'tsx/cjs/api';
import { ROOT, runScript } from './setup.mjs';

const FOLDER = join(ROOT, 'docs');

await runScript(async () => {
  const { fillPage } = requireTs('./docs/tables.ts', import.meta.url);
  for (const name of readdirSync(FOLDER).filter((file) => file.endsWith('.md'))) {
    const file = join(FOLDER, name);
    const page = readFileSync(file, 'utf8');
    const filled = await format(fillPage(page), { ...(await resolveConfig(file)), filepath: file });
    if (filled === page) continue;
    writeFileSync(file, filled);
    console.log(`Changed docs/${name}.`);
  }
  return 0;
});
