/** Programs that only read, whatever their arguments are. */
const READERS: readonly string[] = [
  ...['[', 'basename', 'cat', 'cd', 'cmp', 'comm', 'cut', 'date', 'diff', 'dirname', 'du', 'echo', 'egrep'],
  ...['false', 'fgrep', 'file', 'grep', 'head', 'hexdump', 'jq', 'ls', 'md5sum', 'nl', 'od', 'printf', 'pwd'],
  ...['readlink', 'realpath', 'rg', 'sha256sum', 'sleep', 'stat', 'strings', 'tail', 'test', 'tr', 'tree'],
  ...['true', 'type', 'uniq', 'wc', 'which', 'whoami', 'xxd'],
];

/** Commands that only look or check, such as `git log` and `npm test`. */
const LOOKS: readonly RegExp[] = [
  /^git (?:blame|diff|grep|log|ls-files|rev-parse|show|status)\b/,
  /^(?:npm|pnpm|yarn|bun|go|cargo|make|deno|dotnet) (?:run )?(?:test|check|lint|typecheck|vet)(?![\w:-])(?!.* (?:--fix|--update|-u\b))/,
  /^(?:npx )?(?:tsc --noEmit|eslint|jest|mocha|vitest|pytest|ruff check)\b(?!.* (?:--fix|--update|-u\b))/,
  /^(?:find|sort)\b(?!.* (?:-delete|-exec\w*|-fprint\w*|-ok\w*|-o|--output)\b)/,
  /^(?:sed|awk)\b(?!.* (?:-[A-Za-z]*i|--in-place\b))/,
];

/**
 * Whether a shell command surely changes nothing. This is only a hint for the verdict on a whole attempt: an
 * unknown command may have changed something.
 */
export function onlyReads(command: string): boolean {
  const bare = command.replace(/'[^']*'|"(?:[^"\\]|\\.)*"/g, '""');
  if (/\$\(|`|<\(/.test(bare) || />(?!\s*(?:\/dev\/null\b|&))/.test(bare)) return false;
  const parts = bare.replace(/\d?>\s*(?:\/dev\/null|&\d?)|&>\s*\/dev\/null/g, ' ').split(/[|&;\n]+/);
  return parts.map((part) => part.trim()).every((part) => part === '' || isReading(part));
}

function isReading(part: string): boolean {
  const words = part.replace(/^(?:\w+=\S*\s+)+/, '');
  const program = /^\S+/.exec(words)?.[0] ?? '';
  return READERS.includes(program) || LOOKS.some((look) => look.test(words));
}
