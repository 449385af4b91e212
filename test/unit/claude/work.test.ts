import assert from 'node:assert/strict';
import type { Verdict } from '../../../src/domain/attempt';
import { INIT, judge, limitEvent, result, type Line } from '../../support/judgeRun';

type Input = Readonly<Record<string, unknown>>;

const called = (id: string, name: string, input: Input = {}, helper?: string): Line => ({
  type: 'assistant',
  message: { content: [{ type: 'tool_use', id, name, input }] },
  ...(helper === undefined ? {} : { parent_tool_use_id: helper }),
});
const answered = (id: string, content: unknown, more: Input = {}): Line => ({
  type: 'user',
  message: { content: [{ type: 'tool_result', tool_use_id: id, content }] },
  ...more,
});
const failed = (id: string, content: string, more: Input = {}): Line => ({
  type: 'user',
  message: { content: [{ type: 'tool_result', tool_use_id: id, is_error: true, content }] },
  ...more,
});
const error = (text: string): string => `<tool_use_error>${text}</tool_use_error>`;
const UNREAD = error('File has not been read yet. Read it first before writing to it.');
const DENIED = error('File is in a directory that is denied by your permission settings.');

const run = (...lines: readonly Line[]): Verdict => judge([INIT, ...lines, result({})], { exitCode: 0 });
const reasonOf = (...lines: readonly Line[]): string => run(...lines).reason;

describe('A refused action', () => {
  const edit = called('1', 'Edit', { file_path: '/w/a.txt' });

  it('is found in the result of its call, where no list has it', () => {
    const { outcome, reason, denials } = run(edit, failed('1', DENIED));
    assert.deepEqual([outcome, reason], ['review', 'denied']);
    assert.deepEqual([denials[0]?.tool, denials[0]?.detail], ['Edit', '/w/a.txt']);
  });

  it('counts once, however many lines report it', () => {
    const make = called('1', 'Bash', { command: 'make' });
    const event = { type: 'system', subtype: 'permission_denied', tool_name: 'Bash', tool_use_id: '1' };
    const meta = { tool_result_meta: [{ id: '1', permission_decision: { decision: 'reject' } }] };
    const listed = { tool_name: 'Bash', tool_use_id: '1', tool_input: { command: 'make' } };
    const verdict = judge(
      [
        INIT,
        make,
        event,
        failed('1', 'This command requires approval', meta),
        result({ permission_denials: [listed] }),
      ],
      { exitCode: 0 },
    );
    assert.deepEqual(verdict.denials, [{ tool: 'Bash', detail: 'make', rule: 'Bash(make)' }]);
  });

  it('of a deny rule is not offered a rule that would not help', () => {
    const { denials } = run(edit, failed('1', DENIED));
    assert.equal(denials[0]?.rule, undefined);
    assert.match(denials[0]?.noRule ?? '', /deny rule/);
  });

  it('is found in a helper’s lines and in an earlier result line', () => {
    assert.equal(reasonOf(called('1', 'Read', {}, 'toolu_9'), failed('1', DENIED)), 'denied');
    const listed = { tool_name: 'Bash', tool_use_id: '2', tool_input: { command: 'make' } };
    assert.equal(reasonOf(result({ permission_denials: [listed] })), 'denied');
  });

  it('is one action where the sandbox stops a connection', () => {
    const event = {
      type: 'system',
      subtype: 'permission_denied',
      tool_name: 'SandboxNetworkAccess',
      tool_use_id: 'none',
    };
    const meta = { tool_result_meta: [{ id: '1', remedy: { kind: 'sandbox_violation' } }] };
    const { denials } = run(
      called('1', 'Bash', { command: 'curl x' }),
      event,
      answered('1', 'blocked', meta),
    );
    assert.deepEqual(
      denials.map(({ tool }) => tool),
      ['Bash'],
    );
    assert.equal(reasonOf(event), 'denied');
  });

  it('is none where a server fails with the words of one', () => {
    assert.equal(reasonOf(called('1', 'mcp__srv__do'), failed('1', DENIED)), 'done');
    const absent = error('Error: No such tool available: mcp__srv__do');
    assert.equal(reasonOf(called('1', 'mcp__srv__do'), failed('1', absent)), 'denied');
  });

  it('is none where a command fails, whatever it prints', () => {
    const make = called('1', 'Bash', { command: 'make' });
    assert.equal(reasonOf(make, failed('1', `Exit code 2\n${DENIED}`)), 'done');
    assert.equal(reasonOf(make, answered('1', 'This command requires approval')), 'done');
  });
});

describe('A question that Claude asks by its tool', () => {
  const ask = called('1', 'AskUserQuestion', {
    questions: [{ question: 'Delete or keep?', options: [{ label: 'Delete' }, { label: 'Keep' }] }],
  });

  it('is the message of the review', () => {
    const verdict = run(ask, failed('1', 'Answer questions?'));
    assert.deepEqual([verdict.reason, verdict.message], ['needs-answer', 'Delete or keep? (Delete / Keep)']);
  });

  it('is no reason for a review once it was answered', () => {
    assert.equal(reasonOf(ask, answered('1', 'Keep')), 'done');
  });

  it('is shown although other actions were refused', () => {
    assert.equal(reasonOf(called('2', 'Edit'), failed('2', DENIED), ask), 'needs-answer');
  });
});

describe('Plan mode', () => {
  const plan = called('1', 'ExitPlanMode', { plan: '# Plan\n1. Delete it' });

  it('is left by an approved plan', () => {
    const inPlan = { ...INIT, permissionMode: 'plan' };
    const left = { type: 'system', subtype: 'status', permissionMode: 'acceptEdits' };
    assert.equal(reasonOf(inPlan, plan, left, answered('1', 'Approved')), 'done');
    assert.equal(reasonOf(inPlan), 'plan-mode');
  });

  it('shows the beginning of the plan', () => {
    assert.match(run(plan, failed('1', 'Exit plan mode?')).message, /: # Plan 1\. Delete it$/);
  });
});

describe('An attempt to change something', () => {
  const edit = (id: string): Line => called(id, 'Edit', { file_path: '/w/a.txt' });

  it('that failed needs a review where none succeeded', () => {
    const look = called('2', 'Bash', { command: 'npm test' });
    const verdict = run(edit('1'), failed('1', UNREAD), look, answered('2', 'ok'));
    assert.deepEqual(
      [verdict.reason, verdict.message],
      ['changes-failed', 'Every attempt to change a file failed: Edit /w/a.txt.'],
    );
  });

  it('that failed and was repeated with success is no reason for a review', () => {
    assert.equal(reasonOf(edit('1'), failed('1', UNREAD), edit('2'), answered('2', 'updated')), 'done');
  });

  it('that failed and was made by a command or a server is no reason for a review', () => {
    const bash = called('2', 'Bash', { command: 'sed -i s/a/b/ a.txt' });
    assert.equal(reasonOf(edit('1'), failed('1', UNREAD), bash, answered('2', '')), 'done');
    const server = called('2', 'mcp__fs__write');
    assert.equal(reasonOf(edit('1'), failed('1', UNREAD), server, answered('2', 'ok')), 'done');
  });

  it('that failed in a helper counts like any other', () => {
    assert.equal(reasonOf(called('1', 'Edit', {}, 'toolu_9'), failed('1', UNREAD)), 'changes-failed');
  });
});

describe('A tool call that failed', () => {
  it('needs a review where all calls failed', () => {
    const skill = called('1', 'Skill', { skill: 'x' });
    assert.equal(reasonOf(skill, failed('1', error('Unknown skill: x'))), 'calls-failed');
    assert.equal(
      reasonOf(skill, failed('1', error('Unknown skill: x')), called('2', 'Read'), answered('2', '1\tx')),
      'done',
    );
  });

  it('has an answer where it only looked for something, or where a server says no', () => {
    assert.equal(reasonOf(called('1', 'Read'), failed('1', 'File does not exist.')), 'done');
    assert.equal(reasonOf(called('1', 'mcp__srv__find'), failed('1', 'no such record')), 'done');
    assert.equal(reasonOf(called('1', 'Bash', { command: 'make' }), failed('1', 'Exit code 2')), 'done');
  });
});

describe('A helper', () => {
  const start = (id: string, more: Input = {}): readonly Line[] => [
    called(id, 'Agent', { description: 'Build it', prompt: 'Build it now', ...more }),
    { type: 'system', subtype: 'task_started', tool_use_id: id },
  ];
  const end = (id: string, status: string, more: Input = {}): Line => ({
    type: 'system',
    subtype: 'task_notification',
    tool_use_id: id,
    status,
    ...more,
  });
  const says = (helper: string): Line => ({
    type: 'assistant',
    message: { content: [{ type: 'text', text: 'On I go.' }] },
    parent_tool_use_id: helper,
  });
  const rejected = limitEvent({ status: 'rejected', rateLimitType: 'seven_day_opus' });
  const allowed = limitEvent({ status: 'allowed', rateLimitType: 'five_hour' });

  it('that failed needs a review', () => {
    const { reason, message } = run(...start('1'), end('1', 'failed'));
    assert.deepEqual([reason, message], ['helper-failed', 'A helper failed. Not done: Build it.']);
  });

  it('that failed and was repeated with success is no reason for a review', () => {
    assert.equal(reasonOf(...start('1'), end('1', 'failed'), ...start('2'), end('2', 'completed')), 'done');
    const renamed = start('2', { description: 'Once more', prompt: 'Again: Build it now' });
    assert.equal(reasonOf(...start('1'), end('1', 'failed'), ...renamed, end('2', 'completed')), 'done');
  });

  it('that failed and was continued with success is no reason for a review', () => {
    const again = { type: 'system', subtype: 'task_started', tool_use_id: '1' };
    assert.equal(reasonOf(...start('1'), end('1', 'failed'), again, end('1', 'completed')), 'done');
  });

  it('that failed is not made good by another one’s work', () => {
    const other = start('2', { description: 'Test it', prompt: 'Test it' });
    assert.equal(
      reasonOf(...start('1'), end('1', 'failed'), ...other, end('2', 'completed')),
      'helper-failed',
    );
  });

  it('of an older version failed where its last message cost no tokens, if tokens are counted at all', () => {
    const nothing = end('1', 'completed', { usage: { total_tokens: 0 } });
    const usage = { input_tokens: 120, output_tokens: 1 };
    const counted = { type: 'assistant', message: { id: 'm', content: [], usage } };
    assert.equal(reasonOf(counted, ...start('1'), nothing), 'helper-failed');
    assert.equal(reasonOf(...start('1'), nothing), 'done');
  });

  it('that somebody stopped has not failed', () => {
    assert.equal(reasonOf(...start('1'), end('1', 'stopped')), 'done');
  });

  it('is no command in the background that ended with an exit code', () => {
    const command = called('1', 'Bash', { command: 'make', run_in_background: true });
    assert.equal(reasonOf(command, answered('1', 'started'), end('1', 'failed')), 'done');
  });

  it('that stopped at a usage limit closes the gate of that kind, although the run went on', () => {
    const { outcome, reason, signal } = run(...start('1'), rejected, end('1', 'failed'), allowed);
    assert.deepEqual([outcome, reason], ['review', 'limit-reached']);
    assert.deepEqual([signal?.kind, signal?.model], ['seven_day_opus', 'opus']);
  });

  it('that stopped at a usage limit closes the gate also where a question hides that reason', () => {
    const { reason, signal } = run(
      ...start('1'),
      rejected,
      end('1', 'failed'),
      called('2', 'AskUserQuestion'),
    );
    assert.deepEqual([reason, signal?.kind], ['needs-answer', 'seven_day_opus']);
  });

  it('that waited a limit out closes no gate', () => {
    const { reason, signal } = run(...start('1'), rejected, allowed, says('1'), end('1', 'completed'));
    assert.deepEqual([reason, signal], ['done', undefined]);
  });

  it('that failed of something else after it had waited a limit out closes no gate', () => {
    const { reason, signal } = run(...start('1'), rejected, says('1'), end('1', 'failed'));
    assert.deepEqual([reason, signal], ['helper-failed', undefined]);
  });

  it('is not what met the limit that Claude itself waited out', () => {
    const five = limitEvent({ status: 'rejected', rateLimitType: 'five_hour' });
    const { reason, signal } = run(five, limitEvent({ status: 'allowed', rateLimitType: 'five_hour' }));
    assert.deepEqual([reason, signal], ['done', undefined]);
  });
});

describe('The turns of a run', () => {
  it('are those of all its result lines', () => {
    assert.equal(run(result({ num_turns: 5 }), result({ num_turns: 1 })).turns, 8);
  });
});
