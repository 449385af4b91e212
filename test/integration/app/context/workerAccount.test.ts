import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Host } from '../../../../src/app/context/host';
import { QueueContext } from '../../../../src/app/context/queueContext';
import { AccountNotConfirmed, WorkerAccount } from '../../../../src/app/context/workerAccount';
import type { Installation } from '../../../../src/claude/installation/installation';
import type { GateView, LimitSignal } from '../../../../src/domain/gate/gate';
import { systemProcesses } from '../../../../src/platform/processes/processes';

const BLOCK: LimitSignal = { kind: 'sign-in', resetAt: null, message: 'Please run /login' };
const LIMIT: LimitSignal = { kind: 'five_hour', resetAt: null, message: "You've hit your session limit" };

describe('The account of a worker', () => {
  let folder: string;
  let now: number;
  let queueContext: QueueContext;
  let account: WorkerAccount;
  const reported: string[] = [];

  /** A Claude Code that only says who is signed in. */
  const signIn = (who: string | null, more: object = {}): void => {
    const status =
      who === null
        ? { loggedIn: false, authMethod: 'none' }
        : { loggedIn: true, authMethod: 'claude.ai', email: `${who}@example.org`, orgId: who };
    writeFileSync(join(folder, 'status.json'), JSON.stringify({ ...status, ...more }));
  };
  const configure = (settings: string): void =>
    writeFileSync(join(folder, 'claude-queue', 'config.yaml'), settings);
  const starter = (id: number) => ({
    task: { queue: 'q', id },
    worker: '1',
    process: systemProcesses.self(),
  });
  const open = (claude: Installation, answer: Promise<Installation>): Promise<WorkerAccount> =>
    WorkerAccount.open(queueContext, claude, answer, ({ auth }, why) => {
      reported.push(`${auth.orgId ?? auth.method}${why === null ? '' : `: ${why}`}`);
    });
  /** Last answer of Claude Code. */
  const recall = async (): Promise<Installation> => {
    const { claude, isCurrent } = (await queueContext.recallClaude()) ?? assert.fail();
    assert.ok(isCurrent);
    return { ...claude, readOffers: () => Promise.resolve({ flags: new Set(), modes: new Set() }) };
  };
  const kinds = async (): Promise<string[]> => (await account.view()).closures.map(({ kind }) => kind);
  const pass = (seconds: number): void => {
    now += seconds * 1000;
  };

  beforeEach(async () => {
    reported.length = 0;
    now = Date.parse('2026-11-20T19:40:00Z');
    folder = mkdtempSync(join(tmpdir(), 'account-'));
    mkdirSync(join(folder, 'claude-queue'));
    const claude = join(folder, 'claude');
    writeFileSync(join(folder, 'version'), '2.1.329');
    const answers = `--version) cat "${join(folder, 'version')}" ;; auth) cat "${join(folder, 'status.json')}" ;;`;
    writeFileSync(claude, `#!/bin/sh\ncase "$1" in ${answers} esac\n`);
    chmodSync(claude, 0o755);
    signIn('ann');
    const env = {
      HOME: folder,
      XDG_STATE_HOME: join(folder, 'state'),
      XDG_CONFIG_HOME: folder,
      PATH: '/usr/bin:/bin',
      CLAUDE_QUEUE_CLAUDE: claude,
    };
    const host: Host = {
      env,
      cwd: folder,
      clock: { now: () => now, sleep: () => Promise.resolve() },
      random: () => 0.5,
      createId: randomUUID,
      processes: systemProcesses,
      timeZone: 'UTC',
      warn: (message) => assert.fail(message),
    };
    queueContext = new QueueContext({ queue: join(folder, 'prompts.csv') }, host);
    account = await open(await queueContext.findClaude(), queueContext.findClaude());
    await account.confirm();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is shown as it was last known until Claude Code has answered, and confirmed if that is the same', async () => {
    await account.report({ signal: LIMIT, usage: [] });
    let say: (claude: Installation) => void = () => assert.fail();
    const answer = new Promise<Installation>((resolve) => (say = resolve));
    account = await open(await recall(), answer);
    assert.deepEqual(await kinds(), ['five_hour']);
    say(await queueContext.findClaude({ anew: true }));
    await account.confirm();
    assert.deepEqual(await kinds(), ['five_hour']);
    assert.deepEqual(reported, []);
  });

  it('is shown closed, in the same way each time, while it is not the chosen payer', async () => {
    const peek = async (): Promise<GateView> => (await queueContext.peekGate())?.view() ?? assert.fail();
    signIn(null);
    configure('billing: subscription\n');
    await queueContext.findClaude();
    pass(60);
    const shown = await peek();
    assert.deepEqual(
      shown.closures.map(({ kind, since }) => [kind, since]),
      [['billing', now - 60_000]],
    );
    pass(60);
    assert.deepEqual(await peek(), shown);
    configure('billing: auto\n');
    assert.deepEqual((await peek()).closures, []);
  });

  for (const [what, change] of [
    ['another account is signed in', () => signIn('bob')],
    ['nobody is signed in', () => signIn(null)],
    ['an API key pays', () => signIn('ann', { apiKeySource: 'apiKeyHelper' })],
    ['Claude Code was updated', () => writeFileSync(join(folder, 'version'), '2.1.330')],
    ['Claude Code does not answer', () => writeFileSync(join(folder, 'claude'), '#!/bin/sh\nkill -9 $$\n')],
  ] as const) {
    it(`is not confirmed if ${what}`, async () => {
      const assumed = await recall();
      change();
      const answer = queueContext.findClaude({ anew: true });
      answer.catch(() => undefined);
      account = await open(assumed, answer);
      await assert.rejects(account.confirm(), AccountNotConfirmed);
    });
  }

  it('is checked often while its gate needs the user, and rarely otherwise', async () => {
    signIn('bob');
    pass(60);
    await account.view();
    assert.deepEqual(reported, []);
    pass(600);
    await account.view();
    assert.deepEqual(reported, ['bob']);

    await account.report({ signal: BLOCK, usage: [] });
    assert.deepEqual(await kinds(), ['sign-in']);
    signIn('eve');
    pass(29);
    assert.deepEqual(await kinds(), ['sign-in']);
    pass(1);
    assert.deepEqual(await kinds(), [], 'of the next account');
    assert.deepEqual(reported, ['bob', 'eve']);
  });

  it('is checked at once after an attempt reported a problem for the user', async () => {
    await account.admit(starter(1));
    signIn('bob');
    await account.report({ task: starter(1).task, signal: BLOCK, usage: [], passed: false });
    assert.deepEqual(await kinds(), []);
    assert.deepEqual(reported, ['bob']);
  });

  it('is reported once when it changed, also to several concurrent checks', async () => {
    signIn('bob');
    pass(600);
    await Promise.all([account.view(), account.view(), account.view()]);
    assert.deepEqual(reported, ['bob']);
  });

  it('changes with the settings, while an attempt reports to the gate of its start', async () => {
    await account.admit(starter(1));
    configure('account: shared\n');
    assert.deepEqual(await kinds(), []);
    await account.report({ task: starter(1).task, signal: LIMIT, usage: [], passed: false });
    assert.deepEqual(await kinds(), []);
    configure('account: ""\n');
    assert.deepEqual(await kinds(), ['five_hour']);
  });

  it('starts nothing while the settings forbid its billing, and reports why', async () => {
    signIn('ann', { apiKeySource: 'apiKeyHelper' });
    configure('billing: subscription\n');
    assert.deepEqual(await kinds(), ['billing']);
    assert.match(reported.join(), /asks for a subscription.*it would use the API key/);
    configure('billing: api-key\n');
    assert.deepEqual(await kinds(), []);
  });

  it('starts nothing that was claimed before its billing was forbidden', async () => {
    assert.deepEqual(await kinds(), []);
    signIn('ann', { apiKeySource: 'apiKeyHelper' });
    pass(600);
    await account.view();
    assert.equal(await account.admit(starter(1)), false);
    const seen = await account.report({ signal: null, usage: [] });
    assert.deepEqual(
      seen.closures.map(({ kind }) => kind),
      ['billing'],
    );
    signIn('ann');
    pass(30);
    await account.view();
    assert.equal(await account.admit(starter(1)), true);
  });

  it('starts nothing while Claude Code is too old, and continues after an update', async () => {
    writeFileSync(join(folder, 'version'), '1.0.60');
    pass(600);
    const tooOld = { reason: 'claude-missing', message: /too old: 2\.0\.20 .*"claude update"/ };
    await assert.rejects(account.view(), tooOld);
    pass(5);
    await assert.rejects(account.view(), tooOld);
    writeFileSync(join(folder, 'version'), '2.1.329');
    pass(30);
    assert.deepEqual(await kinds(), []);
    assert.deepEqual(reported, []);
  });

  it('waits for a probe of another machine until it times out, and not for a dead one of its own', async () => {
    const dead = { pid: 4_000_000, startedAt: 'long ago' };
    const probe = async (): Promise<boolean> => {
      await account.view();
      return account.admit(starter(2));
    };
    await account.report({ signal: { ...LIMIT, resetAt: now + 60_000 }, usage: [] });
    pass(200);
    assert.equal(await account.admit({ ...starter(1), machine: 'elsewhere', process: dead }), true);
    assert.equal(await probe(), false);
    pass(600);
    assert.equal(await account.admit({ ...starter(3), process: dead }), true);
    assert.equal(await probe(), true);
  });

  it('is checked at the normal rate once the user lets a task try', async () => {
    await account.report({ signal: BLOCK, usage: [] });
    assert.deepEqual(await kinds(), ['sign-in']);
    await (await queueContext.openGate()).probe();
    await account.view();
    signIn('bob');
    pass(60);
    await account.view();
    assert.deepEqual(reported, []);
  });

  it('does not become the API key when the subscription was lost, unless the user chose it', async () => {
    signIn('ann', { apiKeySource: 'apiKeyHelper' });
    pass(600);
    assert.deepEqual(await kinds(), ['billing']);
    assert.match(
      reported.join(),
      /started on a subscription.*billed to the API key that apiKeyHelper.*set billing to api-key/,
    );
    signIn(null);
    pass(30);
    await account.view();
    signIn('ann', { apiKeySource: 'apiKeyHelper' });
    pass(600);
    assert.deepEqual(await kinds(), ['billing'], 'nor after it was signed out');
    signIn('ann');
    pass(30);
    assert.deepEqual(await kinds(), []);
    signIn('ann', { apiKeySource: 'apiKeyHelper' });
    configure('billing: api-key\n');
    assert.deepEqual(await kinds(), []);
  });
});
