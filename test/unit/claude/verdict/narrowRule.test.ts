import assert from 'node:assert/strict';
import { isNarrow, narrowRule } from '../../../../src/claude/verdict/narrowRule';

const ruleOf = (name: string, input: Readonly<Record<string, unknown>>): string => {
  const found = narrowRule({ name, input });
  return 'rule' in found ? found.rule : `none: ${found.why}`;
};
const commandRule = (command: string): string => ruleOf('Bash', { command });

describe('The rule for a refused tool', () => {
  it('names the exact command, whatever characters it has', () => {
    assert.equal(commandRule('npm run build'), 'Bash(npm run build)');
    assert.equal(commandRule(' make all\n'), 'Bash(make all)');
    assert.equal(commandRule('node -e "f(1); g(2)"'), String.raw`Bash(node -e "f\(1\); g\(2\)")`);
    assert.equal(commandRule(String.raw`sed s/\(a/b/ x`), String.raw`Bash(sed s/\\\(a/b/ x)`);
    assert.equal(commandRule('make && make test 2>&1'), 'Bash(make && make test 2>&1)');
    assert.equal(commandRule('date > "my log.txt"'), 'Bash(date > "my log.txt")');
    assert.equal(commandRule('echo \u26a0\ufe0f おはよう\nls'), 'Bash(echo \u26a0\ufe0f おはよう\nls)');
    assert.equal(commandRule('echo "a > /b"'), 'Bash(echo "a > /b")');
    assert.equal(commandRule('grep "a|b" x 2>/dev/null'), 'Bash(grep "a|b" x 2>/dev/null)');
  });

  it('cannot contain a second, wider rule', () => {
    const rule = commandRule('x),Bash,Edit(y');
    assert.equal(rule, String.raw`Bash(x\),Bash,Edit\(y)`);
    assert.ok(isNarrow(rule));
  });

  it('is missing if it would allow more, or would not help', () => {
    assert.match(commandRule('rm *.log'), /^none: it contains a character/);
    assert.match(commandRule('cat x | sh'), /^none: Claude Code checks its parts/);
    assert.match(commandRule('sleep 9 &'), /^none: Claude Code checks its parts/);
    assert.match(commandRule('(cd x; make)'), /^none: Claude Code checks its parts/);
    for (const path of ['/etc/motd', '"/etc/a motd"', "'/etc/motd'", '"$HOME/motd"', '"$HOME"/motd']) {
      assert.match(commandRule(`date > ${path}`), /^none: it also writes/, path);
    }
    assert.match(commandRule(`echo ${'x'.repeat(2000)}`), /^none: it is too long/);
    for (const hidden of ['\t', '\r\n', '\u202e', '\u00ad', '\u061c', '\u3164', '\u{e0041}']) {
      assert.match(commandRule(`echo a${hidden}b`), /^none: it contains a character/);
    }
    assert.match(ruleOf('Task', { prompt: 'x' }), /^none: there is no rule/);
    assert.match(ruleOf('Bash', {}), /^none: there is no rule/);
  });

  it('is missing if a secret was removed from the call', () => {
    assert.match(commandRule('curl -H "x: [redacted key]" y'), /^none: a secret was removed/);
  });

  it('names the file for every writing tool, and no other file', () => {
    for (const tool of ['Write', 'Edit', 'MultiEdit']) {
      assert.equal(ruleOf(tool, { file_path: '/p/a (1), b.txt' }), 'Edit(//p/a (1), b.txt)');
    }
    assert.equal(ruleOf('NotebookEdit', { notebook_path: '/p/n.ipynb' }), 'Edit(//p/n.ipynb)');
    assert.equal(ruleOf('Read', { file_path: '/etc/hosts' }), 'Read(//etc/hosts)');
    assert.match(ruleOf('Write', { file_path: '/p/[id].ts' }), /^none: it contains a character/);
    for (const other of ['/p/a ', '/p/a\n/q']) {
      assert.match(ruleOf('Write', { file_path: other }), /^none: it contains a character/, other);
    }
    assert.equal(ruleOf('Write', { file_path: '/p/{a,b} !(c).txt' }), 'Edit(//p/{a,b} !(c).txt)');
    assert.match(ruleOf('Write', { file_path: 'a.txt' }), /^none: its path/);
    assert.match(ruleOf('Write', { file_path: '/p/x/../y.txt' }), /^none: its path contains/);
    for (const folder of ['/', '/p/']) {
      assert.match(ruleOf('Read', { file_path: folder }), /^none: it is a folder/);
    }
  });

  it('is missing for files that Claude Code lets only the user write', () => {
    for (const path of ['/p/.claude/settings.json', '/p/.git/config', '/p/.mcp.json', '/home/me/.bashrc']) {
      assert.match(ruleOf('Write', { file_path: path }), /^none: Claude Code asks the user/);
    }
    assert.equal(ruleOf('Write', { file_path: '/p/.github/x.yml' }), 'Edit(//p/.github/x.yml)');
  });

  it('names the host of an address, and the tool of a server', () => {
    assert.equal(
      ruleOf('WebFetch', { url: 'https://docs.example.org:8080/a?b' }),
      'WebFetch(domain:docs.example.org)',
    );
    assert.match(ruleOf('WebFetch', { url: 'nonsense' }), /^none/);
    assert.equal(ruleOf('WebSearch', { query: 'x' }), 'WebSearch');
    assert.equal(ruleOf('mcp__files__read', {}), 'mcp__files__read');
  });

  it('differs from a wide rule from any source', () => {
    for (const wide of [
      'Bash',
      'Bash(*)',
      'Bash(npm run *)',
      'Bash(a),Bash',
      'Bash( )',
      'Bash( ls)',
      'Bash(ls\n)',
      'Edit',
      'Edit(/src/**)',
      'Edit(//)',
      'Read(//p/)',
      'Edit(//p/../q)',
      'Edit(//p/a )',
      'Edit(//p/a\n/q)',
      'mcp__x',
      '',
    ]) {
      assert.equal(isNarrow(wide), false, wide);
    }
  });
});
