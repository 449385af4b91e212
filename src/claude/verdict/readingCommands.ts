import { QUOTED } from './narrowRule';

/** Programs that only read, whatever their arguments are. */
const READERS: readonly string[] = [
  ...['[', 'basename', 'cat', 'cd', 'cmp', 'comm', 'cut', 'date', 'diff', 'dirname', 'du', 'echo', 'egrep'],
  ...['false', 'fgrep', 'file', 'grep', 'head', 'hexdump', 'jq', 'ls', 'md5sum', 'nl', 'od', 'printf', 'pwd'],
  ...['readlink', 'realpath', 'rg', 'sha256sum', 'sleep', 'stat', 'strings', 'tail', 'test', 'tr'],
  ...['true', 'type', 'wc', 'which', 'whoami'],
];

/** Commands that only look or check, such as `git log` and `npm test`. */
const LOOKS: readonly RegExp[] = [
  /^git (?:blame|diff|grep|log|ls-files|rev-parse|show|status)\b(?!.* --output\b)/,
  /^(?:npm|pnpm|yarn|bun|go|cargo|make|deno|dotnet) (?:run )?(?:test|check|lint|typecheck|vet)(?![\w:-])(?!.* (?:--fix|--update|-u\b))/,
  /^(?:npx )?(?:tsc --noEmit|eslint|jest|mocha|vitest|pytest|ruff check)\b(?!.* (?:--fix|--update|-u\b))/,
  /^find\b(?!.* (?:-delete|-exec\w*|-fls|-fprint\w*|-ok\w*)\b)/,
  /^sort\b(?!.* (?:-[A-Za-z]*o|--output\b))/,
  /^tree\b(?!.* -[A-Za-z]*o)/,
  // A second file is their output.
  /^(?:uniq|xxd)(?: -(?!r)\S+)*(?: [^\s-]\S*)?$/,
  /^(?:sed|awk)\b(?!.* (?:-[A-Za-z]*i|--in-place\b))/,
];

/**
 * Whether a shell command surely changes nothing. This is only a hint for the verdict on a whole attempt: an
 * unknown command may have changed something.
 */
export function onlyReads(command: string): boolean {
  const bare = command.replace(QUOTED, withoutText);
  if (/\$\(|`|<\(/.test(bare) || />(?!\s*\/dev\/null\b|&[\d-])/.test(bare)) return false;
  const parts = bare.replace(/\d?>(?:\s*\/dev\/null|&[\d-])|&>\s*\/dev\/null/g, ' ').split(/[|&;\n]+/);
  return parts.map((part) => part.trim()).every((part) => part === '' || isReading(part));
}

/** Returns quotes without their text. In double quotes, a shell runs what it substitutes. */
function withoutText(quoted: string): string {
  return quoted.startsWith('"') && /\$\(|`/.test(quoted) ? '$(' : '""';
}

function isReading(part: string): boolean {
  const words = part.replace(/^(?:\w+=\S*\s+)+/, '');
  const program = /^\S+/.exec(words)?.[0] ?? '';
  return READERS.includes(program) || LOOKS.some((look) => look.test(words));
}
