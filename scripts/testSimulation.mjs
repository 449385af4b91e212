// npm run test:simulation [-- --minutes N --seed N --bugs --bug NAME --bug-minutes N --trace]: plays simulated histories for N
// minutes (30), starting with this seed (FUZZ_SEED, else 1). A seed that breaks a promise is shrunk and kept in
// test/simulation/kept.json. --bugs first looks for every planted bug, --bug for those with this in their names. --trace prints
// what happens in the history of the seed.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT, ensurePackages, runScript } from './setup.mjs';

/** Room for what each simulated process loads: much of it is garbage soon. */
const OPTIONS = ['--max-semi-space-size=64', '--import', 'tsx'];

async function main(words) {
  await ensurePackages();
  const args = [...OPTIONS, join(ROOT, 'test', 'simulation', 'longRun.ts'), ...words];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

await runScript(() => main(process.argv.slice(2)));
