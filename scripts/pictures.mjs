// npm run pictures: makes the pictures of the README, media/queue.gif and media/start.png, from the real product: VS Code's
// server with the extension, and the real claude, which talks to a stand-in.
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureHost } from './host/installHost.mjs';
import { animate } from './pictures/animate.mjs';
import { ROOT, runScript, setUp, step } from './setup.mjs';

const FRAMES = join(ROOT, '.vscode-test', 'pictures');
const MEDIA = join(ROOT, 'media');
const MOST_BYTES = 600_000;

await runScript(async () => {
  await setUp();
  await ensureHost({ browser: true });
  const mocha = join(ROOT, 'node_modules', '.bin', 'mocha');
  const { status } = spawnSync(mocha, ['--bail', 'scripts/pictures/record.ts'], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  if (status !== 0) return status ?? 1;
  await step('Making media/queue.gif and media/start.png', makePictures);
  return 0;
});

function makePictures() {
  const frames = JSON.parse(readFileSync(join(FRAMES, 'frames.json'), 'utf8'));
  const file = join(MEDIA, 'queue.gif');
  writeFileSync(file, animate(frames.map(({ name, ms }) => ({ png: readFileSync(join(FRAMES, name)), ms }))));
  copyFileSync(join(FRAMES, 'start.png'), join(MEDIA, 'start.png'));
  const { size } = statSync(file);
  if (size > MOST_BYTES) throw new Error(`media/queue.gif has ${size} bytes, more than ${MOST_BYTES}.`);
  return `${frames.length} frames, ${Math.round(size / 1000)} kB`;
}
