// npm start: shows the queue of sample/ at work, with the real claude.
//   npm start                 a demonstration in the editor: claude talks to a stand-in, and no account is touched
//   npm start -- --terminal   the same in this terminal, by claude-queue
//   npm start -- --real       the same queue with your own claude and your own account, in this terminal, after a yes
import { SetupFailure, runScript, setUp } from './setup.mjs';

const WAYS = {
  '': async () => (await import('./demo/inEditor.mjs')).demonstrateInEditor(),
  '--terminal': async () => (await import('./demo/inTerminal.mjs')).demonstrateInTerminal(),
  '--real': async () => (await import('./demo/inTerminal.mjs')).runForReal(),
};

await runScript(async () => {
  const [word = '', ...more] = process.argv.slice(2);
  const way = WAYS[word];
  if (way === undefined || more.length > 0)
    throw new SetupFailure('npm start knows two options: npm start -- --terminal and npm start -- --real');
  // The programs in the foreground decide what Ctrl-C means; this one stays to clear up after them.
  process.on('SIGINT', () => undefined);
  if (word === '')
    process.stderr.write(
      'A demonstration in the editor: at the first start some 500 MB of packages are installed, and 800 MB more where there is no ' +
        'VS Code ("npm start -- --terminal" needs no editor).\n',
    );
  await setUp();
  return (await way()) ? 0 : 1;
});
