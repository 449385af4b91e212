import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLAUDE } from '../../support/claude/claudeHome';
import { openPlace, type Place } from '../../support/queue/queuePlace';
import { until } from '../../support/until';

const SUBSCRIPTION = 'export CLAUDE_CODE_OAUTH_TOKEN=made-up\n';

/** The real Claude Code, with a sign-in that no file of its own shows, such as that of a keychain. */
class ForgetfulClaude {
  readonly program: string;
  private readonly folder: string;
  /** A named pipe: `auth status` waits for its other end. */
  private readonly answer: string;
  private readonly started: string;

  constructor({ home }: Pick<Place, 'home'>) {
    this.folder = home.folder;
    this.program = join(this.folder, 'forgetful-claude');
    this.answer = join(this.folder, 'answer');
    this.started = join(this.folder, 'started');
    const lines = [
      '#!/bin/bash',
      `. '${join(this.folder, 'sign-in')}'`,
      `if [ -p '${this.answer}' ]; then`,
      '  case "$1" in',
      `    auth) read -r _ < '${this.answer}' ;;`,
      '    -p)',
      `      : > '${this.started}'`,
      `      if [ -e '${join(this.folder, 'answers')}' ]; then echo > '${this.answer}'; rm '${this.answer}'; fi`,
      `      tee '${join(this.folder, 'given')}' | '${CLAUDE}' "$@"`,
      '      exit "${PIPESTATUS[1]}" ;;',
      '  esac',
      'fi',
      `exec '${CLAUDE}' "$@"`,
      '',
    ];
    writeFileSync(this.program, lines.join('\n'), { mode: 0o755 });
    this.signIn(SUBSCRIPTION);
  }

  signIn(how: string): void {
    writeFileSync(join(this.folder, 'sign-in'), how);
  }

  /** Keeps back who is signed in until an attempt is started, or permanently. */
  keepBack({ isPermanent = false } = {}): void {
    execFileSync('mkfifo', [this.answer]);
    if (!isPermanent) writeFileSync(join(this.folder, 'answers'), '');
  }

  letGo(): void {
    rmSync(this.answer);
  }

  hasStarted(): boolean {
    return existsSync(this.started);
  }

  /** Input of the attempt that was started first. */
  given(): string {
    return readFileSync(join(this.folder, 'given'), 'utf8').trim();
  }
}

interface Past {
  readonly outcome: string;
  readonly billing: string;
  readonly earlierOutput: string | null;
}

async function pastOf({ queue }: Place, id: number): Promise<readonly Past[]> {
  const { stdout } = await queue.run(`history ${id} --json`);
  return (JSON.parse(stdout) as { attempts: readonly Past[] }).attempts;
}

describe('The account that paid last', () => {
  let place: Place;
  let claude: ForgetfulClaude;

  /** Runs task 1 on the subscription, so that this is remembered, and leaves task 2. */
  const remember = async (env: Readonly<Record<string, string>> = {}): Promise<void> => {
    place = await openPlace({ signIn: 'none', env });
    claude = new ForgetfulClaude(place);
    Object.assign(place.queue.env, { CLAUDE_QUEUE_CLAUDE: claude.program });
    await place.queue.trust([
      { id: 1, prompt: 'First' },
      { id: 2, prompt: 'Second' },
    ]);
    const { code, stdout } = await place.queue.run('run');
    assert.equal(code, 0, stdout);
    assert.deepEqual(
      place.turnsOf('First').map(({ auth }) => auth),
      ['subscription'],
    );
  };

  it('is assumed while Claude Code starts, and confirmed before it gets the prompt', async () => {
    await remember();
    claude.keepBack();
    const { code, stdout } = await place.queue.run('run');
    assert.equal(code, 0, stdout);
    assert.match(claude.given(), /^Second/);
    assert.equal(place.turnsOf('Second').length, 1);
    assert.doesNotMatch(stdout, /changed/);
  });

  it('is replaced by an API key only after that was printed: the started Claude Code gets no prompt', async () => {
    await remember({ ANTHROPIC_API_KEY: 'made-up' });
    claude.signIn('');
    claude.keepBack();
    const requests = place.api.requests.length;
    const { code, stdout } = await place.queue.run('work --until-empty');
    assert.equal(code, 0, stdout);
    assert.equal(claude.given(), '');
    assert.match(
      stdout,
      /billed to the subscription .*Task 2 .*\nWho pays, or Claude Code itself, has changed .*No prompt was sent\.\n.*billed to the API key in ANTHROPIC_API_KEY.*Task 2 .*Done\./s,
    );
    const posts = place.api.requests.slice(requests).filter(({ method }) => method === 'POST');
    assert.deepEqual(
      posts.map(({ turn }) => turn?.auth),
      ['api-key'],
    );
    assert.deepEqual(
      (await pastOf(place, 2)).map(({ outcome, billing, earlierOutput }) => [
        outcome,
        billing,
        earlierOutput,
      ]),
      [['success', 'api-key', null]],
    );
  });

  it('is replaced by nobody if the user wants no other: nothing is sent, and the task stays as it was', async () => {
    await remember({ ANTHROPIC_API_KEY: 'made-up', CLAUDE_QUEUE_BILLING: 'subscription' });
    const before = await place.queue.task(2);
    claude.signIn('');
    claude.keepBack();
    const requests = place.api.requests.length;
    const { code, stderr } = await place.queue.run('work --until-empty');
    assert.equal(code, 2);
    assert.match(stderr, /setting billing.*not signed in with one.*Run "claude" and then \/login/);
    assert.equal(claude.given(), '');
    assert.deepEqual(
      place.api.requests.slice(requests).filter(({ method }) => method === 'POST'),
      [],
    );
    assert.deepEqual(await pastOf(place, 2), []);
    claude.signIn(SUBSCRIPTION);
    await place.queue.run('status --live');
    assert.deepEqual(await place.queue.task(2), before);
  });

  it('loses nothing if the worker is killed before it is confirmed', async () => {
    await remember();
    claude.keepBack({ isPermanent: true });
    const worker = place.queue.start('work');
    await until('Claude Code is started', () => claude.hasStarted());
    worker.kill('SIGKILL');
    await worker.ended;
    claude.letGo();
    const { code, stdout } = await place.queue.run('work --until-empty');
    assert.equal(code, 0, stdout);
    assert.match(stdout, /Task 2 was lost: worker \d+ died/i);
    assert.equal(claude.given(), '');
    assert.equal(place.turnsOf('Second').length, 1);
    const task = await place.queue.task(2);
    assert.deepEqual([task.status, task.retryCount], ['completed', 0]);
    const outputs = readdirSync(join(place.queue.state, 'outputs'));
    assert.deepEqual(
      outputs.filter((name) => name.includes('earlier')),
      [],
    );
  });
});
