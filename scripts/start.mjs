// npm start: shows the queue of sample/ running, with the real claude. HELP lists the ways.
import { SetupFailure, runScript, setUp } from './setup.mjs';

const WAYS = {
  '': async () => (await import('./demo/inEditor.mjs')).demonstrateInEditor(),
  '--terminal': async () => (await import('./demo/inTerminal.mjs')).demonstrateInTerminal(),
  '--real': async () => (await import('./demo/inTerminal.mjs')).runForReal(),
};

const HELP = `npm start                 show the sample queue in VS Code; Claude Code talks to a stand-in, no account is used
npm start -- --terminal   the same in this terminal; needs no editor
npm start -- --real       run the sample queue with your own Claude Code and account, in this terminal; asks first`;

await runScript(async () => {
  const [word = '', ...more] = process.argv.slice(2);
  if (word === '--help' || word === '-h') {
    console.log(HELP);
    return 0;
  }
  const way = WAYS[word];
  if (way === undefined || more.length > 0)
    throw new SetupFailure(`Unknown option: ${[word, ...more].join(' ')}\n${HELP}`);
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
