import assert from 'node:assert/strict';
import type { Job, ResumeCause } from '../../../src/domain/attempt';
import type { Definition } from '../../../src/domain/task';
import { buildArguments, buildEnvironment, buildInput } from '../../../src/claude/command';

const PROMPT = '--help\n$(id)';
const defaults = { mode: 'acceptEdits', allowedTools: ['Bash(git *)', 'Read'] } as const;

function jobOf(definition: Partial<Definition> = {}, resume?: ResumeCause): Job {
  return {
    definition: {
      id: 1,
      priority: 'medium',
      workingDir: '/p',
      prompt: PROMPT,
      dependencies: [],
      maxRetries: 3,
      ...definition,
    },
    session: 'b305b02c-5deb-4f87-83d9-5b88b4856a21',
    outputFile: '/p/o',
    timeoutMs: 1,
    runMark: 'mark',
    ...(resume === undefined ? {} : { resume }),
  };
}

describe('The arguments of claude', () => {
  it('of a plain row are the defaults, and never the prompt', () => {
    assert.deepEqual(buildArguments(jobOf(), 'start', defaults, ['/p/claude_queue']), [
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      '--session-id',
      'b305b02c-5deb-4f87-83d9-5b88b4856a21',
      '--permission-mode',
      'acceptEdits',
      '--allowedTools',
      'Bash(git *),Read',
      '--disallowedTools',
      'Edit(//p/claude_queue),Edit(//p/claude_queue/**)',
    ]);
  });

  it('follow the row where it says something', () => {
    const row = {
      model: 'opus',
      permissionMode: 'plan',
      allowedTools: ['Edit'],
      maxTurns: 7,
      maxBudgetUsd: 1.5,
    } as const;
    const args = buildArguments(jobOf(row), 'resume', defaults, ['/p/claude_queue']).join(' ');
    assert.match(args, /--resume b305b02c/);
    assert.match(args, /--permission-mode plan --allowedTools Edit --disallowedTools/);
    assert.match(args, /--model opus --max-turns 7 --max-budget-usd 1\.5$/);
    assert.ok(!buildArguments(jobOf({ allowedTools: [] }), 'start', defaults, []).includes('--allowedTools'));
  });

  it('cannot be made to hold another flag by a rule that looks like one', () => {
    const row = { allowedTools: ['Read', '--dangerously-skip-permissions'] };
    const args = buildArguments(jobOf(row), 'start', defaults, ['/q']);
    assert.equal(args[args.indexOf('--allowedTools') + 1], 'Read,--dangerously-skip-permissions');
    assert.ok(!args.includes('--dangerously-skip-permissions'));
  });

  it('protect the queue whatever signs its path holds', () => {
    const args = buildArguments(jobOf(), 'start', defaults, ['/p (old)/q[1],*', '/real/q']);
    assert.equal(
      args.at(-1),
      'Edit(//p ?old?/q?1???),Edit(//p ?old?/q?1???/**),Edit(//real/q),Edit(//real/q/**)',
    );
  });
});

describe('The environment of claude', () => {
  const own = {
    PATH: '/bin',
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_AUTH_TOKEN: 't',
    CLAUDECODE: '1',
    CLAUDE_CODE_ENTRYPOINT: 'cli',
    CLAUDE_CODE_CHILD_SESSION: '1',
    CLAUDE_CODE_RETRY_WATCHDOG: '1',
    CLAUDE_CODE_OAUTH_TOKEN: 'o',
    ELECTRON_RUN_AS_NODE: '1',
    VSCODE_IPC_HOOK: 'x',
  };
  const added = {
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_MAX_RETRIES: '4',
    CLAUDE_CODE_STARTUP_FAILURE_RESULTS: '1',
    CLAUDE_QUEUE_RUN: 'mark',
  };

  it('holds no key where a subscription pays', () => {
    assert.deepEqual(buildEnvironment(own, { billing: 'subscription', runMark: 'mark', apiRetries: 4 }), {
      PATH: '/bin',
      CLAUDE_CODE_OAUTH_TOKEN: 'o',
      ...added,
    });
  });

  it('keeps the key where it pays', () => {
    assert.deepEqual(buildEnvironment(own, { billing: 'api-key', runMark: 'mark', apiRetries: 4 }), {
      PATH: '/bin',
      CLAUDE_CODE_OAUTH_TOKEN: 'o',
      ANTHROPIC_API_KEY: 'k',
      ANTHROPIC_AUTH_TOKEN: 't',
      ...added,
    });
  });
});

describe('What claude is told', () => {
  it('is the prompt and nothing else where a session starts', () => {
    assert.equal(buildInput(jobOf(), 'start'), PROMPT);
    assert.equal(buildInput(jobOf({}, 'limit'), 'start'), PROMPT);
  });

  it('says why it goes on, and repeats the task', () => {
    const causes: readonly (ResumeCause | undefined)[] = ['limit', 'lost', 'stopped', 'retry', undefined];
    const inputs = causes.map((cause) => buildInput(jobOf({}, cause), 'resume'));
    for (const input of inputs) assert.ok(input.endsWith(`\n\n${PROMPT}`));
    assert.equal(new Set(inputs).size, 4);
    assert.match(inputs[0] ?? '', /limit has been reset/);
    assert.equal(inputs[4], inputs[1]);
  });
});
