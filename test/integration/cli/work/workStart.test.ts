import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../../support/until';
import { CliHarness } from '../cliHarness';

describe('The start of a worker', () => {
  let cli: CliHarness;
  const file = (name: string): string => join(cli.folder, name);

  beforeEach(() => {
    cli = new CliHarness();
    cli.write('1,high,.,Do it,pending,,,no,,0,3');
    const program = file('claude');
    writeFileSync(
      program,
      `#!/bin/sh
echo "$1" >> '${file('asked')}'
case $1 in
  --version) echo 2.1.330 ;;
  --help) echo '  -p, --print  Print' ;;
  auth)
    while [ -e '${file('wait')}' ]; do sleep 0.02; done
    echo answered >> '${file('asked')}'
    cat '${file('auth')}' ;;
  -p)
    cat > /dev/null
    echo '{"type":"system","subtype":"init","claude_code_version":"2.1.330","model":"quick-1"}'
    echo '{"type":"result","subtype":"success","is_error":false,"result":"Done.","num_turns":1}' ;;
esac
`,
      { mode: 0o755 },
    );
    signIn('claude.ai');
    cli.env['CLAUDE_QUEUE_CLAUDE'] = program;
    cli.env['PATH'] = '/usr/bin:/bin';
  });
  afterEach(() => cli.remove());

  const signIn = (authMethod: string): void =>
    writeFileSync(file('auth'), JSON.stringify({ loggedIn: true, authMethod }));
  const listAsked = (): string[] =>
    existsSync(file('asked')) ? readFileSync(file('asked'), 'utf8').trim().split('\n') : [];

  it('asks for the billing each time, and for the options once', async () => {
    await cli.approve('--all');
    const before = listAsked().length;
    await cli.call('run');
    assert.deepEqual(listAsked().slice(before), ['--version', 'auth', 'answered', '--help', '-p']);
    await cli.call('retry', '1');
    const between = listAsked().length;
    await cli.call('run', '--id', '1');
    assert.deepEqual(listAsked().slice(between), ['--version', 'auth', 'answered', '-p']);
  });

  it('reads the queue while the billing is asked for, and starts no task before the answer', async () => {
    await cli.approve('--all');
    writeFileSync(file('asked'), '');
    writeFileSync(file('wait'), '');
    let isRead = false;
    const isInsideAttempt = (): boolean => {
      isRead = true;
      return false;
    };
    cli.processes = { ...cli.processes, isInsideAttempt };
    const run = cli.call('run');
    await until('Claude Code is asked for the billing', () => listAsked().includes('auth'));
    await until('the queue is read', () => isRead);
    assert.deepEqual(listAsked(), ['--version', 'auth']);
    rmSync(file('wait'));
    assert.equal((await run).code, 0);
    assert.deepEqual(listAsked(), ['--version', 'auth', 'answered', '--help', '-p']);
  });

  it('refuses by the answer of Claude Code, not by an earlier one', async () => {
    cli.env['CLAUDE_QUEUE_BILLING'] = 'subscription';
    await cli.approve('--all');
    await cli.call('status', '--live');
    signIn('api_key');
    const { code, err } = await cli.call('run');
    assert.equal(code, 2);
    assert.match(err, /not signed in with one/);
    assert.equal(listAsked().includes('-p'), false);
  });
});
