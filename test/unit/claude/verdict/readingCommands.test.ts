import assert from 'node:assert/strict';
import { onlyReads } from '../../../../src/claude/verdict/readingCommands';

const READING = [
  'ls -la',
  'cat a.txt | head -3',
  'grep -rn "a > b" src 2>/dev/null && echo yes || echo no',
  'git status; git diff --stat',
  'npm test 2>&1 | tail -5',
  "sed -n '1,5p' a.txt",
  'sed --silent -e p a.txt',
  'sort -u a.txt',
  'LANG=C find . -name "*.ts"',
  'cd src && pwd',
  "echo '$(rm a.txt)' >&2",
  'sort a.txt 2>&1 | uniq -c && xxd -p a.bin; tree -L 2',
  'find . -name "*.ts" -o -name "*.js"',
];
const OTHER = [
  'sed -i s/one/two/ a.txt',
  'echo two > a.txt',
  'cat a.txt >> b.txt',
  'find . -name x -delete',
  'python3 fix.py',
  'npm run build',
  'git checkout a.txt',
  'echo $(rm a.txt)',
  'npx eslint --fix src',
  'npm run lint -- --fix',
  'npm run lint:fix',
  'npx jest -u',
  'sed -Ei.bak s/a/b/ a.txt',
  'sort -u -o a.txt a.txt',
  'ls && mv a b',
  'echo "$(rm a.txt)"',
  'echo "`rm a.txt`"',
  'echo two >& a.txt',
  'sort -oa.txt a.txt',
  'uniq a.txt b.txt',
  'xxd -r a.hex a.bin',
  'xxd a.bin a.hex',
  'tree -o a.txt',
  'git diff --output=a.patch',
];

describe('A shell command', () => {
  for (const command of READING)
    it(`only reads: ${command}`, () => {
      assert.equal(onlyReads(command), true);
    });
  for (const command of OTHER)
    it(`may change something: ${command}`, () => {
      assert.equal(onlyReads(command), false);
    });
});
