import assert from 'node:assert/strict';
import {
  formatCommand,
  readTypedCheck,
  writeTypedInterval,
  writeTypedTime,
} from '../../../../src/queue/row/typedCells';

function cellOf(text: string): string {
  const typed = readTypedCheck(text);
  assert.ok('value' in typed, text);
  return typed.value;
}

describe('A check in words', () => {
  it('has a program and arguments, with spaces inside quotes', () => {
    const words = ['npm', 'run', 'a b', 'c d', '--x=y z'];
    assert.equal(cellOf(`npm run "a b" 'c d' --x="y z"`), JSON.stringify(words));
    assert.equal(cellOf(' ["npm","test"] '), '["npm","test"]');
    assert.equal(cellOf(''), '');
  });

  it('is refused with a quote that has no end', () => {
    assert.deepEqual(readTypedCheck('npm "run'), {
      wrong: 'A quote in the check has no end. Close it, or remove it.',
    });
  });

  it('is refused with what only a shell understands, unless it is in quotes', () => {
    for (const text of ['npm test && npm run lint', 'ls *.ts', 'test -d $HOME', 'a; b', 'echo `x`', 'a > b'])
      assert.ok('wrong' in readTypedCheck(text), text);
    assert.equal(cellOf(`grep 'a|b' "*.ts"`), '["grep","a|b","*.ts"]');
  });

  it('is shown as words only where these mean the same', () => {
    for (const words of [
      ['npm', 'test'],
      ['sh', '-c', 'a\nb'],
      ['sh', '-c', 'a && b'],
      ['ls', '*', 'a&b'],
      ['a b', 'c'],
      [''],
      ['"'],
      [`it's`, '"'],
      ['[x'],
    ]) {
      const text = formatCommand(words);
      assert.equal(cellOf(text), JSON.stringify(words), text);
      assert.doesNotMatch(text, /[\r\n]/, 'a field of one line would lose it');
    }
    assert.equal(formatCommand(['npm', 'test']), 'npm test');
  });
});

describe('A time in words', () => {
  const MOMENT = { now: Date.UTC(2026, 10, 24, 12), timeZone: 'UTC' };

  it('is written as the file has it, or stays as it is', () => {
    assert.equal(writeTypedTime('tomorrow 2am', MOMENT), '2026-11-25 02:00');
    assert.equal(writeTypedTime(' someday ', MOMENT), 'someday');
    assert.equal(writeTypedTime('', MOMENT), '');
  });
});

describe('An interval in words', () => {
  it('follows "every", or is as in the file', () => {
    const typed = ['hour', 'Day', ' 12h ', '', 'constructor'];
    assert.deepEqual(typed.map(writeTypedInterval), ['1h', 'daily', '12h', '', 'constructor']);
  });
});
