import assert from 'node:assert/strict';
import type { Verdict } from '../../../src/domain/task/attempt';
import { INIT, judge, limitEvent, result } from '../../support/claude/judgeRun';
import type { Line } from '../../support/claude/judgeRun';
import {
  answered,
  called,
  DENIED,
  error,
  failed,
  reasonOf,
  run,
  type Input,
} from '../../support/claude/toolLines';

const UNREAD = error('File has not been read yet. Read it first before writing to it.');

describe('A question that Claude asks by its tool', () => {
  const ask = called('1', 'AskUserQuestion', {
    questions: [{ question: 'Delete or keep?', options: [{ label: 'Delete' }, { label: 'Keep' }] }],
  });

  it('is the message of the review', () => {
    const verdict = run(ask, failed('1', 'Answer questions?'));
    assert.deepEqual([verdict.reason, verdict.message], ['needs-answer', 'Delete or keep? (Delete / Keep)']);
  });

  it('needs no review once it was answered', () => {
    assert.equal(reasonOf(ask, answered('1', 'Keep')), 'done');
  });

  it('is shown also if other actions were refused', () => {
    assert.equal(reasonOf(called('2', 'Edit'), failed('2', DENIED), ask), 'needs-answer');
  });
});

describe('Plan mode', () => {
  const plan = called('1', 'ExitPlanMode', { plan: '# Plan\n1. Delete it' });

  it('ends with an approved plan', () => {
    const inPlan = { ...INIT, permissionMode: 'plan' };
    const left = { type: 'system', subtype: 'status', permissionMode: 'acceptEdits' };
    assert.equal(reasonOf(inPlan, plan, left, answered('1', 'Approved')), 'done');
    assert.equal(reasonOf(inPlan), 'plan-mode');
  });

  it('shows the start of the plan', () => {
    assert.match(run(plan, failed('1', 'Exit plan mode?')).message, /: # Plan 1\. Delete it$/);
  });
});

describe('An attempt to change something', () => {
  const edit = (id: string): Line => called(id, 'Edit', { file_path: '/w/a.txt' });

  it('that failed needs a review if none succeeded', () => {
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

  it('that failed, and failed again by a server or a refused input, needs a review', () => {
    const server = called('2', 'mcp__fs__write');
    assert.equal(
      reasonOf(edit('1'), failed('1', UNREAD), server, failed('2', 'disk full')),
      'changes-failed',
    );
    const bash = called('2', 'Bash', { cmd: 'sed -i s/a/b/ a.txt' });
    const invalid = error('InputValidationError: Bash failed due to the following issues:');
    assert.equal(reasonOf(edit('1'), failed('1', UNREAD), bash, failed('2', invalid)), 'changes-failed');
  });

  it('that failed needs no review if a hidden subagent call may have made it', () => {
    const agent = called('2', 'Agent', { description: 'Edit it' });
    const step = (tool: string): Line => ({
      ...{ type: 'system', subtype: 'task_progress', tool_use_id: '2', last_tool_name: tool },
    });
    const shown = called('3', 'Read', { file_path: '/w/a.txt' }, '2');
    const reasonAfter = (...lines: readonly Line[]): string =>
      reasonOf(edit('1'), failed('1', UNREAD), agent, ...lines, answered('2', 'Helped.'));
    assert.equal(reasonAfter(step('Edit')), 'done');
    assert.equal(reasonAfter(step('Read')), 'changes-failed');
    assert.equal(reasonAfter(step('Edit'), shown), 'changes-failed');
  });

  it('that failed in a subagent counts like any other', () => {
    assert.equal(reasonOf(called('1', 'Edit', {}, 'toolu_9'), failed('1', UNREAD)), 'changes-failed');
  });
});

describe('A tool call that failed', () => {
  it('needs a review if all calls failed', () => {
    const skill = called('1', 'Skill', { skill: 'x' });
    assert.equal(reasonOf(skill, failed('1', error('Unknown skill: x'))), 'calls-failed');
    const wait = called('1', 'Bash', { command: 'sleep 31 && make' });
    assert.equal(reasonOf(wait, failed('1', error('Blocked: sleep 31 followed by: make.'))), 'calls-failed');
    assert.equal(
      reasonOf(skill, failed('1', error('Unknown skill: x')), called('2', 'Read'), answered('2', '1\tx')),
      'done',
    );
  });

  it('needs no review if it only searched, or if a server refused', () => {
    assert.equal(reasonOf(called('1', 'Read'), failed('1', 'File does not exist.')), 'done');
    assert.equal(reasonOf(called('1', 'mcp__srv__find'), failed('1', 'no such record')), 'done');
    assert.equal(reasonOf(called('1', 'Bash', { command: 'make' }), failed('1', 'Exit code 2')), 'done');
  });
});

describe('A subagent', () => {
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
  const says = (subagent: string): Line => ({
    type: 'assistant',
    message: { content: [{ type: 'text', text: 'On I go.' }] },
    parent_tool_use_id: subagent,
  });
  const rejected = limitEvent({ status: 'rejected', rateLimitType: 'seven_day_opus' });
  const allowed = limitEvent({ status: 'allowed', rateLimitType: 'five_hour' });

  it('that failed needs a review', () => {
    const { reason, message } = run(...start('1'), end('1', 'failed'));
    assert.deepEqual([reason, message], ['helper-failed', 'A subagent failed. Not done: Build it.']);
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

  it('that failed needs a review also after another one’s work', () => {
    const other = start('2', { description: 'Test it', prompt: 'Test it' });
    assert.equal(
      reasonOf(...start('1'), end('1', 'failed'), ...other, end('2', 'completed')),
      'helper-failed',
    );
  });

  it('of an older version failed if its last message has no tokens, if tokens are counted', () => {
    const nothing = end('1', 'completed', { usage: { total_tokens: 0 } });
    const usage = { input_tokens: 120, output_tokens: 1 };
    const counted = { type: 'assistant', message: { id: 'm', content: [], usage } };
    assert.equal(reasonOf(counted, ...start('1'), nothing), 'helper-failed');
    assert.equal(reasonOf(...start('1'), nothing), 'done');
  });

  it('that was stopped has not failed', () => {
    assert.equal(reasonOf(...start('1'), end('1', 'stopped')), 'done');
  });

  it('is not a background command that ended with an exit code', () => {
    const command = called('1', 'Bash', { command: 'make', run_in_background: true });
    assert.equal(reasonOf(command, answered('1', 'started'), end('1', 'failed')), 'done');
  });

  it('that stopped at a usage limit closes the gate of that kind, although the run continued', () => {
    const { outcome, reason, subagentLimits } = run(...start('1'), rejected, end('1', 'failed'), allowed);
    assert.deepEqual([outcome, reason], ['review', 'limit-reached']);
    assert.deepEqual(
      subagentLimits?.map(({ kind, model }) => [kind, model]),
      [['seven_day_opus', 'opus']],
    );
  });

  it('that stopped at one of several limits closes its gate, with its own message', () => {
    const two = [rejected, limitEvent({ status: 'rejected', rateLimitType: 'five_hour' })];
    const said = ["You've hit your 5-hour limit", "You've hit your Opus limit"];
    const { subagentLimits } = run(
      ...[...start('1'), ...start('2'), ...two, failed('1', said[0] ?? ''), failed('2', said[1] ?? '')],
    );
    assert.deepEqual(
      subagentLimits?.map(({ kind, message }) => [kind, message]),
      [
        ['seven_day_opus', said[1]],
        ['five_hour', said[0]],
      ],
    );
  });

  it('that stopped at a usage limit closes the gate however the run ended', () => {
    const lost = [...start('1'), rejected, end('1', 'failed')];
    const asked = run(...lost, called('2', 'AskUserQuestion'));
    assert.deepEqual([asked.reason, asked.subagentLimits?.[0]?.kind], ['needs-answer', 'seven_day_opus']);
    const capped = judge([INIT, ...lost, result({ subtype: 'error_max_turns', is_error: true })]);
    assert.deepEqual(
      [capped.outcome, capped.signal, capped.subagentLimits?.[0]?.kind],
      ['permanent', undefined, 'seven_day_opus'],
    );
  });

  it('that stopped at a usage limit closes the gate also if another model did its work', () => {
    const again = (model: string): Verdict =>
      run(
        ...[...start('1', { model: 'opus' }), rejected, end('1', 'failed')],
        ...[...start('2', { model }), end('2', 'completed')],
      );
    const reported = again('sonnet');
    assert.deepEqual([reported.reason, reported.subagentLimits?.[0]?.kind], ['done', 'seven_day_opus']);
    assert.equal(again('opus').subagentLimits, undefined);
  });

  it('that waited a limit out closes no gate', () => {
    const { reason, subagentLimits } = run(
      ...[...start('1'), rejected, allowed, says('1'), end('1', 'completed')],
    );
    assert.deepEqual([reason, subagentLimits], ['done', undefined]);
  });

  it('that failed otherwise after it had waited a limit out closes no gate', () => {
    const { reason, subagentLimits } = run(...start('1'), rejected, says('1'), end('1', 'failed'));
    assert.deepEqual([reason, subagentLimits], ['helper-failed', undefined]);
  });

  it('did not hit the limit that Claude itself waited out', () => {
    const five = limitEvent({ status: 'rejected', rateLimitType: 'five_hour' });
    const { reason, subagentLimits } = run(
      five,
      limitEvent({ status: 'allowed', rateLimitType: 'five_hour' }),
    );
    assert.deepEqual([reason, subagentLimits], ['done', undefined]);
  });
});

describe('The turns of an attempt', () => {
  it('are the sum of all its result lines', () => {
    assert.equal(run(result({ num_turns: 5 }), result({ num_turns: 1 })).turns, 8);
  });
});
