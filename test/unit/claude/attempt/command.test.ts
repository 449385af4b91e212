import assert from 'node:assert/strict';
import type { Billing, Job, ResumeCause } from '../../../../src/domain/task/attempt';
import type { Definition } from '../../../../src/domain/task/task';
import { buildArguments, buildEnvironment } from '../../../../src/claude/attempt/command';
import { permissionsOf } from '../../../../src/domain/task/permissions';
import { buildInput } from '../../../../src/claude/attempt/instructions';

const PROMPT = '--help\n$(id)';
const bounds = {
  permissionMode: 'acceptEdits',
  refused: ['Edit(//p/claude_queue)', 'Edit(//p/claude_queue/**)'],
  trusted: true,
  billing: 'cloud',
  flags: new Set<string>(),
} as const;

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
    place: { folder: '/p' },
    session: 'b305b02c-5deb-4f87-83d9-5b88b4856a21',
    outputFile: '/p/o',
    timeoutMs: 1,
    attemptMark: 'mark',
    ...(resume === undefined ? {} : { resume }),
  };
}

describe('The arguments of claude', () => {
  it('of a plain row are the defaults, and never the prompt', () => {
    assert.deepEqual(buildArguments(jobOf(), 'start', bounds), [
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      '--session-id',
      'b305b02c-5deb-4f87-83d9-5b88b4856a21',
      '--permission-mode',
      'acceptEdits',
      '--disallowedTools',
      'Edit(//p/claude_queue),Edit(//p/claude_queue/**)',
    ]);
  });

  it("follow the row's cells", () => {
    const row = {
      model: 'opus',
      permissionMode: 'plan',
      allowedTools: ['Edit'],
      maxTurns: 7,
      maxBudgetUsd: 1.5,
    } as const;
    const args = buildArguments(jobOf(row), 'resume', bounds).join(' ');
    assert.match(args, /--resume b305b02c/);
    assert.match(args, /--permission-mode plan --allowedTools Edit --disallowedTools/);
    assert.match(args, /--model opus --max-turns 7 --max-budget-usd 1\.5$/);
    assert.ok(!buildArguments(jobOf({ allowedTools: [] }), 'start', bounds).includes('--allowedTools'));
  });

  it('add the text of the row before the request for a report, as one argument, also to a resumed session', () => {
    const row = { appendSystemPrompt: '--version\nBe brief.' };
    for (const mode of ['start', 'resume'] as const) {
      const args = buildArguments(jobOf(row), mode, { ...bounds, reportRequest: 'Report.' });
      assert.deepEqual(
        args.filter((arg) => arg.includes('brief') || arg.includes('Report')),
        ['--append-system-prompt=--version\nBe brief.\n\nReport.'],
      );
    }
  });

  it('contain no session with an invalid name', () => {
    const job = { ...jobOf(), session: '--dangerously-skip-permissions' };
    for (const mode of ['start', 'resume'] as const)
      assert.ok(!buildArguments(job, mode, bounds).includes(job.session));
  });

  it('get no other flag from a rule that looks like one', () => {
    const row = { allowedTools: ['Read', '--dangerously-skip-permissions'] };
    const args = buildArguments(jobOf(row), 'start', bounds);
    assert.equal(args[args.indexOf('--allowedTools') + 1], 'Read,--dangerously-skip-permissions');
    assert.ok(!args.includes('--dangerously-skip-permissions'));
  });
});

describe('The additional permissions of an attempt', () => {
  it('are the rules that the user allowed, each as one argument', () => {
    const grants = [String.raw`Bash(x\),Bash,Edit\(y)`, 'WebSearch'];
    const job = { ...jobOf({ allowedTools: ['Edit'] }), grants };
    const args = buildArguments(job, 'start', bounds);
    assert.equal(args[args.indexOf('--allowedTools') + 1], 'Edit');
    assert.deepEqual(JSON.parse(args[args.indexOf('--settings') + 1] ?? ''), {
      permissions: { allow: grants },
    });
    assert.deepEqual(permissionsOf(job, 'acceptEdits'), { mode: 'acceptEdits', tools: ['Edit', ...grants] });
    assert.deepEqual(permissionsOf(jobOf({ permissionMode: 'plan' }), 'acceptEdits').mode, 'plan');
  });

  it('keep the chosen billing in a trusted folder', () => {
    const settingsOf = (billing: Billing, trusted: boolean): unknown => {
      const args = buildArguments({ ...jobOf(), grants: ['Read'] }, 'start', { ...bounds, billing, trusted });
      return JSON.parse(args[args.indexOf('--settings') + 1] ?? '');
    };
    const permissions = { allow: ['Read'] };
    const subscription = settingsOf('subscription', true) as { env: object };
    assert.deepEqual(
      settingsOf('none', true),
      subscription,
      'a folder does not pay where nobody is signed in',
    );
    assert.deepEqual(subscription, { permissions, apiKeyHelper: '', env: subscription.env });
    assert.deepEqual(
      Object.entries(subscription.env).filter(([name]) => /_KEY$|BEDROCK/.test(name)),
      [
        ['ANTHROPIC_API_KEY', ''],
        ['CLAUDE_CODE_USE_BEDROCK', ''],
      ],
    );
    const key = settingsOf('api-key', true) as { env: object };
    assert.ok(!('apiKeyHelper' in key) && !('ANTHROPIC_API_KEY' in key.env));
    assert.ok('CLAUDE_CODE_OAUTH_TOKEN' in key.env);
    for (const [billing, trusted] of [
      ['subscription', false],
      ['cloud', true],
    ] as const) {
      assert.deepEqual(settingsOf(billing, trusted), { permissions });
    }
  });

  it('do not come from an untrusted folder', () => {
    const args = buildArguments(jobOf(), 'start', { ...bounds, trusted: false });
    assert.equal(args[args.indexOf('--setting-sources') + 1], 'user');
    assert.ok(!buildArguments(jobOf(), 'start', bounds).includes('--setting-sources'));
  });

  it('are never asked for, if the installed version supports that', () => {
    const flags = new Set(['--permission-prompts']);
    assert.match(
      buildArguments(jobOf(), 'start', { ...bounds, flags }).join(' '),
      /--permission-prompts none/,
    );
    assert.ok(!buildArguments(jobOf(), 'start', bounds).includes('--permission-prompts'));
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

  it('has no key if a subscription pays', () => {
    assert.deepEqual(buildEnvironment(own, { billing: 'subscription', attemptMark: 'mark', apiRetries: 4 }), {
      PATH: '/bin',
      CLAUDE_CODE_OAUTH_TOKEN: 'o',
      ...added,
    });
  });

  it('has only the key that pays', () => {
    assert.deepEqual(buildEnvironment(own, { billing: 'api-key', attemptMark: 'mark', apiRetries: 4 }), {
      PATH: '/bin',
      ANTHROPIC_API_KEY: 'k',
      ANTHROPIC_AUTH_TOKEN: 't',
      ...added,
    });
  });
});

describe('The input of claude', () => {
  it('is only the prompt in a new session', () => {
    assert.equal(buildInput(jobOf(), 'start'), PROMPT);
    assert.equal(buildInput(jobOf({}, 'limit'), 'start'), PROMPT);
  });

  it('is the reason and the task in a resumed session', () => {
    const causes: readonly (ResumeCause | undefined)[] = ['limit', 'lost', 'stopped', 'retry', undefined];
    const inputs = causes.map((cause) => buildInput(jobOf({}, cause), 'resume'));
    for (const input of inputs) assert.ok(input.endsWith(`\n\n${PROMPT}`));
    assert.equal(new Set(inputs).size, 4);
    assert.match(inputs[0] ?? '', /limit has been reset/);
    assert.equal(inputs[4], inputs[1]);
  });
});
