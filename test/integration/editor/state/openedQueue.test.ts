import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createFileGate } from '../../../../src/account/gate';
import { findInstallation } from '../../../../src/claude/installation/installation';
import { isProblem } from '../../../../src/domain/problem';
import { defaults } from '../../../../src/domain/settings/settings';
import { OpenedQueue } from '../../../../src/editor/state/openedQueue';
import { isOutdated } from '../../../../src/app/viewModel/outdated';
import { systemClock } from '../../../../src/platform/clock';
import { userStateFolder } from '../../../../src/platform/files/paths';
import { systemProcesses } from '../../../../src/platform/processes/processes';
import { OpenEditor } from '../../../../src/queue/file/editors/openEditors';
import { composeCsv } from '../../../support/queue/rows';
import { makeFolder } from '../../queue/folder';
import { StatePaths } from '../../../../src/queue/queuePaths';

const FAKE_CLAUDE = resolve(__dirname, '../../../fixtures/claude/fakeClaude.sh');

/** A window on a queue with one task, and a Claude Code that is not there yet. */
class Place {
  readonly folder = realpathSync(makeFolder());
  readonly claude = join(this.folder, 'claude');
  readonly file = join(this.folder, 'claude_queue', 'prompts.csv');
  readonly state = join(this.folder, 'claude_queue', 'state');
  readonly warnings: string[] = [];
  readonly env = {
    HOME: this.folder,
    XDG_STATE_HOME: join(this.folder, 'user'),
    XDG_CONFIG_HOME: join(this.folder, 'config'),
    PATH: dirname(process.execPath),
    CLAUDE_QUEUE_CLAUDE: this.claude,
    CLAUDE_CODE_OAUTH_TOKEN: 'made-up',
  };

  constructor() {
    mkdirSync(dirname(this.file));
    writeFileSync(this.file, composeCsv([{ id: 1, prompt: 'Hearts' }]));
  }

  /** Claude Code answers only when the test lets it. */
  installSlowClaude(): void {
    const go = join(this.folder, 'go');
    const wait = `while [ ! -e '${go}' ]; do /bin/sleep 0.02; done`;
    writeFileSync(this.claude, `#!/bin/sh\n${wait}\nexec '${FAKE_CLAUDE}' "$@"\n`);
    chmodSync(this.claude, 0o755);
  }

  letClaudeAnswer(): void {
    writeFileSync(join(this.folder, 'go'), '');
  }

  async closeGate(): Promise<void> {
    const { accountKey } = await findInstallation({ claude: FAKE_CLAUDE, environment: this.env });
    const folder = userStateFolder(this.env);
    const gate = createFileGate({
      folder,
      account: accountKey,
      clock: systemClock,
      rules: () => defaults,
      isAlive: () => true,
    });
    await gate.report({
      signal: { kind: 'sign-in', resetAt: null, message: 'Please run /login' },
      usage: [],
    });
  }

  open(lastAccount?: string): Promise<OpenedQueue> {
    return OpenedQueue.open({
      file: this.file,
      folder: this.folder,
      env: this.env,
      window: new OpenEditor(new StatePaths(this.state), systemProcesses.self(), () => true),
      lastAccount,
      warn: (message) => this.warnings.push(message),
    });
  }

  markers(): string[] {
    const folder = join(this.state, 'windows');
    return existsSync(folder) ? readdirSync(folder) : [];
  }
}

describe('A queue in a window', () => {
  let place: Place;

  beforeEach(() => {
    place = new Place();
  });

  it('is shown before Claude Code has answered, and again if the account has another gate', async () => {
    await place.closeGate();
    place.installSlowClaude();
    const session = await place.open();
    let shown = await session.look();
    assert.deepEqual([shown.tasks.length, shown.world.gate.closures.length], [1, 0]);
    const check = session.checkAccount(() => shown);
    place.letClaudeAnswer();
    assert.equal(await check, true);
    shown = await session.look();
    assert.equal(shown.world.gate.closures.length, 1);
    assert.equal(await session.checkAccount(() => shown), false);

    const next = await place.open(session.queueContext.knownAccount);
    assert.equal(
      (await next.look()).world.gate.closures.length,
      1,
      'what was known is shown until it is asked anew',
    );
    await Promise.all([session.close(), next.close()]);
  });

  it('finds a Claude Code that was installed later', async () => {
    const session = await place.open();
    await assert.rejects(session.queueContext.findClaude(), (error) => isProblem(error, 'claude-missing'));
    place.installSlowClaude();
    place.letClaudeAnswer();
    assert.equal((await session.queueContext.findClaude()).path, place.claude);
    await session.close();
  });

  it('has no window marker before an attempt has run', async () => {
    const session = await place.open();
    await session.look();
    assert.equal(existsSync(place.state), false);
    mkdirSync(place.state);
    await session.look();
    assert.equal(place.markers().length, 1);
    await session.close();
    assert.equal(place.markers().length, 1, 'the window is still there, with another session');
  });

  it('leaves no window marker by a read that ends after it was closed', async () => {
    mkdirSync(place.state);
    const session = await place.open();
    await session.use(async () => {
      const read = session.look();
      await session.close();
      await read;
    });
    assert.deepEqual(place.markers(), []);
  });

  it('is shown if no marker can be written, which is reported once', async () => {
    mkdirSync(place.state);
    const session = await place.open();
    writeFileSync(join(place.state, 'windows'), 'no folder');
    assert.equal((await session.look()).tasks.length, 1);
    assert.equal((await session.look()).tasks.length, 1);
    assert.equal(place.warnings.length, 1);
    await session.close();
  });

  it('is outdated as soon as a timer is late, or a worker or an attempt died', async () => {
    const session = await place.open();
    const { queue, queueContext } = session;
    await queue.recordTimer({ by: 'crontab', crons: ['0 * * * *'] }, 'timer');
    const viewModel = await session.look();
    const lateAt = viewModel.missingWorkers.lookAgainAt ?? assert.fail('no timer is expected');
    const setTime = (now: number): unknown => Object.assign(queue, { now: () => now });
    setTime(lateAt - 1);
    assert.equal(await isOutdated(session, viewModel), false);
    setTime(lateAt);
    assert.equal(await isOutdated(session, viewModel), true);
    assert.equal((await session.look()).missingWorkers.found[0]?.kind, 'timer-late');

    const owner = {
      kind: 'process',
      worker: 'w',
      machine: queueContext.machine.id,
      process: { pid: 999_999, startedAt: '1' },
    } as const;
    const known = await session.look();
    const { snapshot } = known;
    assert.equal(await isOutdated(session, known), false);
    const withWorker = { ...known, snapshot: { ...snapshot, workers: [{ owner, since: 0 }] } };
    assert.equal(await isOutdated(session, withWorker), true);
    const claim = { id: 1, power: '', token: 1, attempt: 1, owner, at: 0, session: '', mark: '' };
    const withRun = { ...known, snapshot: { ...snapshot, claims: [claim] } };
    assert.equal(await isOutdated(session, withRun), true);
    await session.close();
  });

  it('is outdated once the approvals changed, or the gate of the account', async () => {
    const session = await place.open();
    const known = await session.look();
    assert.equal(await isOutdated(session, known), false);
    const { world } = known;
    const gate = { ...world.gate, openedBefore: 1 };
    assert.equal(await isOutdated(session, { ...known, world: { ...world, gate } }), true);
    const approvedRows = { ...world.approvedRows, trusted: !world.approvedRows.trusted };
    assert.equal(await isOutdated(session, { ...known, world: { ...world, approvedRows } }), true);
    await session.close();
  });

  it('stays open for current uses when it is closed', async () => {
    const session = await place.open();
    const closed: string[] = [];
    const close = session.queue.close.bind(session.queue);
    session.queue.close = () => {
      closed.push('closed');
      return close();
    };
    await session.use(async () => {
      await session.close();
      assert.deepEqual(closed, []);
      await session.queue.hold({ by: 'person', why: 'for a test' }, 'op');
    });
    assert.deepEqual(closed, ['closed']);
  });
});
