// npm run texts: prints every text that a user can meet, in one list, to be read from top to bottom: the help of the commands, the
// settings, the contributions of the extension, and the messages in src/. A line is FILE:LINE, what it belongs to, and the text.
import { require as requireTs } from 'tsx/cjs/api';
import { runScript } from './setup.mjs';

await runScript(() => {
  const { collectTexts } = requireTs('./texts/collect.ts', import.meta.url);
  for (const { where, what, text } of collectTexts())
    console.log([where, what, text.replaceAll('\n', ' ⏎ ')].join('\t'));
  return 0;
});
