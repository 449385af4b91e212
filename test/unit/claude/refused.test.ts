import assert from 'node:assert/strict';
import { INIT, judge, result } from '../../support/claude/judgeRun';
import type { Line } from '../../support/claude/judgeRun';
import { answered, called, DENIED, error, failed, reasonOf, run } from '../../support/claude/toolLines';

describe('A refused action', () => {
  const edit = called('1', 'Edit', { file_path: '/w/a.txt' });

  it('is found in the result of its call if no list has it', () => {
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

  it('of a deny rule gets no offered rule, since it would not help', () => {
    const { denials } = run(edit, failed('1', DENIED));
    assert.equal(denials[0]?.rule, undefined);
    assert.match(denials[0]?.noRule ?? '', /deny rule/);
  });

  it('is found in a subagent’s lines and in an earlier result line', () => {
    assert.equal(reasonOf(called('1', 'Read', {}, 'toolu_9'), failed('1', DENIED)), 'denied');
    const listed = { tool_name: 'Bash', tool_use_id: '2', tool_input: { command: 'make' } };
    assert.equal(reasonOf(result({ permission_denials: [listed] })), 'denied');
  });

  it('is one action if the sandbox stops a connection', () => {
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

  it('of a hook gets no offered rule, whether or not Claude Code names the hook', () => {
    const offer = (name: string, said: string, more: readonly Line[] = []): string | undefined => {
      const listed = { tool_name: name, tool_use_id: '1', tool_input: { command: 'make' } };
      const call = called('1', name, { command: 'make' });
      const old = { ...INIT, claude_code_version: '2.1.197' };
      return run(old, call, ...more, failed('1', said), result({ permission_denials: [listed] })).denials[0]
        ?.rule;
    };
    assert.equal(offer('Bash', 'Not on Sundays.'), undefined);
    assert.equal(offer('mcp__srv__do', 'Not on Sundays.'), undefined);
    assert.equal(offer('mcp__srv__do', 'PreToolUse:mcp__srv__do hook error: no'), undefined);
    assert.equal(offer('Bash', 'Contains command_substitution'), 'Bash(make)');
    assert.equal(offer('mcp__srv__do', 'Permission to use mcp__srv__do has been denied.'), 'mcp__srv__do');
    // A hook that answers in the user's place is not asked where a rule allows the call.
    const asked = { type: 'system', subtype: 'permission_denied', tool_name: 'Bash', tool_use_id: '1' };
    assert.equal(offer('Bash', 'Not on Sundays.', [asked]), 'Bash(make)');
  });

  it('without an event gets no offered rule in versions that always send one', () => {
    const listed = { tool_name: 'Bash', tool_use_id: '1', tool_input: { command: 'make' } };
    const on = (version: string): string | undefined =>
      run({ ...INIT, claude_code_version: version }, result({ permission_denials: [listed] })).denials[0]
        ?.rule;
    assert.deepEqual([on('2.1.197'), on('2.1.330')], ['Bash(make)', undefined]);
  });

  it('does not count if the same call succeeded later', () => {
    const make = (id: string, command: string): Line => called(id, 'Bash', { command });
    const listed = { tool_name: 'Bash', tool_use_id: '1', tool_input: { command: 'make' } };
    const first = [make('1', 'make'), failed('1', 'PreToolUse:Bash hook error: lint first')];
    const end = result({ permission_denials: [listed] });
    assert.equal(reasonOf(...first, make('2', 'make'), answered('2', 'made'), end), 'done');
    assert.equal(reasonOf(...first, make('2', 'make all'), answered('2', 'made'), end), 'denied');
    assert.equal(reasonOf(...first, make('2', 'make'), failed('2', 'Exit code 2'), end), 'denied');
  });

  it('of a hook is found in the result of an MCP tool if no list has it', () => {
    const said = 'PreToolUse:mcp__srv__do hook error: [exit 2]: no';
    assert.equal(reasonOf(called('1', 'mcp__srv__do'), failed('1', said)), 'denied');
    assert.equal(reasonOf(called('1', 'mcp__srv__it'), failed('1', said)), 'done');
  });

  it('of a nested subagent is shown whole, although the stream has only an event of it', () => {
    const event = { type: 'system', subtype: 'permission_denied', tool_name: 'Bash', tool_use_id: '1' };
    const listed = { tool_name: 'Bash', tool_use_id: '1', tool_input: { command: 'make' } };
    const { denials } = run(event, result({ permission_denials: [listed] }));
    assert.deepEqual(denials, [{ tool: 'Bash', detail: 'make', rule: 'Bash(make)' }]);
  });

  it('is found in a list of texts', () => {
    const blocks = [{ type: 'text', text: DENIED }];
    const line = {
      type: 'user',
      message: { content: [{ type: 'tool_result', tool_use_id: '1', is_error: true, content: blocks }] },
    };
    assert.equal(reasonOf(edit, line), 'denied');
  });

  it('does not count if it was a call of an unknown tool', () => {
    const gone = failed('1', error('Error: No such tool available: TaskOutput'));
    const call = called('1', 'TaskOutput');
    const look = [called('2', 'Bash', { command: 'ls' }), answered('2', 'a.txt')];
    const on = (version: string): string =>
      reasonOf({ ...INIT, claude_code_version: version }, call, gone, ...look);
    assert.deepEqual([on('2.1.90'), on('2.1.330')], ['denied', 'done']);
  });

  it("does not count for Claude's own step list", () => {
    const gone = (name: string): string =>
      error(
        `Error: No such tool available: ${name}. ${name} is disabled for this session, in subagents too.`,
      );
    const todo = called('1', 'TodoWrite');
    assert.equal(reasonOf(todo, failed('1', gone('TodoWrite'))), 'done');
    const web = called('1', 'WebSearch');
    assert.equal(reasonOf(web, failed('1', gone('WebSearch'))), 'denied');
  });

  it('does not count for an interrupted command', () => {
    const make = called('1', 'Bash', { command: 'make' });
    const said =
      "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).";
    const { denials } = judge([INIT, make, failed('1', said), result({ terminal_reason: 'aborted_tools' })]);
    assert.deepEqual(denials, []);
  });

  it("does not count if a server's error has the same words", () => {
    assert.equal(reasonOf(called('1', 'mcp__srv__do'), failed('1', DENIED)), 'done');
    const absent = error('Error: No such tool available: mcp__srv__do');
    assert.equal(reasonOf(called('1', 'mcp__srv__do'), failed('1', absent)), 'denied');
  });

  it('does not count for a failed command, whatever it prints', () => {
    const make = called('1', 'Bash', { command: 'make' });
    assert.equal(reasonOf(make, failed('1', `Exit code 2\n${DENIED}`)), 'done');
    assert.equal(reasonOf(make, answered('1', 'This command requires approval')), 'done');
  });
});
