import assert from 'node:assert/strict';
import { parseLine } from '../../../../src/claude/stream/parseLine';
import { AttemptSteps, type Step } from '../../../../src/editor/attempt/steps';

const assistant = (...content: readonly object[]): object => ({ type: 'assistant', message: { content } });
const words = (text: string): object => ({ type: 'text', text });
const call = (id: string, name: string, input: object): object => ({ type: 'tool_use', id, name, input });
const result = (id: string, content: string, more: object = {}): object => ({
  type: 'user',
  message: { content: [{ type: 'tool_result', tool_use_id: id, content, ...more }] },
});

function stepsOf(lines: readonly object[], token?: string): readonly Step[] {
  const steps = new AttemptSteps();
  for (const line of lines) steps.add([parseLine(JSON.stringify(line))], token);
  return steps.all;
}

const statesOf = (steps: readonly Step[]): string[] =>
  steps.map((step) => (step.kind === 'tool' ? `${step.call.name} ${step.state}` : step.kind));

describe('The steps of an attempt', () => {
  it('join each tool call with its result', () => {
    const steps = stepsOf([
      assistant(
        words('I look.'),
        call('a', 'Read', { file_path: 'x' }),
        call('b', 'Bash', { command: 'ls' }),
      ),
      result('b', 'no such file', { is_error: true }),
      result('a', 'the text'),
    ]);
    assert.deepEqual(statesOf(steps), ['text', 'Read done', 'Bash failed']);
    assert.deepEqual(
      steps.flatMap((step) => (step.kind === 'tool' ? [step.output] : [])),
      ['the text', 'no such file'],
    );
  });

  it('say of a call without a result that it is open', () => {
    assert.deepEqual(statesOf(stepsOf([assistant(call('a', 'Bash', {}))])), ['Bash open']);
  });

  it('mark a refused call once, however often the output says so', () => {
    const steps = stepsOf([
      assistant(call('a', 'Bash', { command: 'rm x' })),
      {
        type: 'system',
        subtype: 'permission_denied',
        tool_name: 'Bash',
        tool_use_id: 'a',
        message: 'not allowed',
      },
      result('a', 'This command requires approval', { is_error: true }),
      { type: 'result', permission_denials: [{ tool_use_id: 'a', tool_name: 'Bash', tool_input: {} }] },
    ]);
    assert.deepEqual(statesOf(steps), ['Bash refused', 'end']);
  });

  it('have a refused call that the output does not begin with', () => {
    const denied = [{ tool_use_id: 'z', tool_name: 'Write', tool_input: { file_path: 'y' } }];
    assert.deepEqual(statesOf(stepsOf([{ type: 'result', permission_denials: denied }])), [
      'Write refused',
      'end',
    ]);
  });

  it('leave out the report line', () => {
    const line = 'QUEUE-RESULT-ab12: {"outcome":"finished","reason":"All done."}';
    const [step] = stepsOf([assistant(words(`It works.\n${line}`))], 'ab12');
    assert.deepEqual(step, { kind: 'text', text: 'It works.' });
  });

  it('show control characters and marks of direction as text, or not at all', () => {
    const [step] = stepsOf([assistant(words('a\u001b[31mred\u202eb\u200bc'))]);
    assert.deepEqual(step, { kind: 'text', text: String.raw`aredb\u200bc` });
  });

  it('have the check with its output', () => {
    const check = {
      type: 'check',
      command: ['npm', 'test'],
      result: 'failed',
      exitCode: 1,
      output: '2 failed',
    };
    assert.deepEqual(stepsOf([check]), [
      {
        kind: 'check',
        title: 'The check failed: npm test (exit code 1)',
        hasPassed: false,
        output: '2 failed',
      },
    ]);
  });

  it('have what the check says about the files before, as a warning unless it failed there', () => {
    const before = { type: 'check-before', exitCode: 0, ms: 5, output: '1 passed' };
    const setUp = { ...before, result: 'unknown', cause: 'setup', exitCode: 3, output: 'no network' };
    assert.deepEqual(stepsOf([{ ...before, result: 'passed' }, { ...before, result: 'failed' }, setUp]), [
      {
        kind: 'note',
        text: 'This check passed before the attempt as well: it shows that nothing broke, not that the task was done.\n1 passed',
        isWarning: true,
      },
      {
        kind: 'note',
        text: 'This check failed on the files before the attempt.\n1 passed',
        isWarning: false,
      },
      {
        kind: 'note',
        text: 'It is unknown whether this check passed before the attempt: the set-up failed with exit code 3.\nno network',
        isWarning: true,
      },
    ]);
    const [killed] = stepsOf([{ ...setUp, exitCode: null, signal: 'SIGKILL', output: '' }]);
    assert.ok(killed?.kind === 'note');
    assert.match(killed.text, /before the attempt: the set-up was ended by SIGKILL\.$/);
    assert.deepEqual(stepsOf([{ ...before, result: 'a word of a later version' }]), []);
  });
});
