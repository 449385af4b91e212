import assert from 'node:assert/strict';
import type { Attempt, Denial } from '../../../../../src/domain/task/attempt';
import { permissionFingerprint } from '../../../../../src/domain/task/permissionFingerprint';
import { CliHarness } from '../../cliHarness';
import { live, MINUTE_MS } from '../../lived';

interface Listed {
  readonly refusals: readonly {
    readonly number: number | null;
    readonly rule: string | null;
    readonly allowed: boolean;
    readonly hasNotHelped: boolean;
  }[];
}

const PUSH: Denial = { tool: 'Bash', detail: 'git push', rule: 'Bash(git push)' };
const MAKE: Denial = { tool: 'Bash', detail: 'make all', rule: 'Bash(make all)' };

describe('A refused tool of a task', () => {
  let cli: CliHarness;
  beforeEach(() => {
    cli = new CliHarness();
    cli.write('1,high,.,First,pending,,,no,,0,3');
  });
  afterEach(() => cli.remove());

  /** The task ran as it is, and was refused this. */
  async function refuse(denials: readonly Denial[], more: Partial<Attempt> = {}): Promise<void> {
    const power = permissionFingerprint({
      id: 1,
      priority: 'high',
      workingDir: cli.workspace,
      prompt: 'First',
      dependencies: [],
      maxRetries: 3,
    });
    const permissions = { mode: 'acceptEdits', tools: [] } as const;
    await live(cli, { tookMs: MINUTE_MS, outcome: 'review', power, permissions, denials, ...more });
  }

  const list = async (): Promise<Listed['refusals']> =>
    (JSON.parse((await cli.call('allow', '1', '--json')).out) as Listed).refusals;

  it('is listed once for each rule, with a number', async () => {
    await refuse([PUSH, MAKE, PUSH, { tool: 'Bash', detail: 'a | b', noRule: 'it is judged by its parts' }]);
    assert.deepEqual((await cli.call('allow', '1')).out.split('\n'), [
      'Task 1, attempt 1: refused 3 actions.',
      '  1  Bash(git push)',
      '  2  Bash(make all)',
      '  -  Bash a | b',
      '     no rule: it is judged by its parts',
      'Allow with "claude-queue allow 1 --rule 1,2" or --all: for this task only, until its row changes.',
    ]);
  });

  it('is allowed with an answer in JSON', async () => {
    await refuse([PUSH, MAKE]);
    const { out } = await cli.call('allow', '1', '--rule', '2', '--json');
    assert.deepEqual(JSON.parse(out), { id: 1, allowed: ['Bash(make all)'], retried: false });
  });

  it('is allowed by its number, and then listed as allowed', async () => {
    await refuse([PUSH, MAKE]);
    assert.match(
      (await cli.call('allow', '1', '--rule', '2')).out,
      /^Allowed for task 1: Bash\(make all\)\nIts next attempt here may use that\. This applies on this machine until its row changes\.$/,
    );
    assert.deepEqual(
      (await list()).map(({ number, allowed }) => [number, allowed]),
      [
        [1, false],
        [2, true],
      ],
    );
    assert.match(
      (await cli.call('allow', '1')).out,
      /Bash\(make all\)\n {5}allowed since on this machine: its next attempt here may do it$/m,
    );
  });

  it('is reported if allowing it did not help', async () => {
    await cli.call('trust');
    await refuse([PUSH], { permissions: { mode: 'acceptEdits', tools: ['Bash(git push)'] } });
    assert.deepEqual(
      (await list()).map(({ allowed, hasNotHelped }) => [allowed, hasNotHelped]),
      [[false, true]],
    );
    assert.match((await cli.call('allow', '1')).out, /was already allowed, and refused anyway/);
  });

  it('of a foreign history cannot widen the permissions of a task', async () => {
    await refuse([
      { ...PUSH, rule: 'Bash' },
      { ...MAKE, rule: 'Bash(make *)' },
      { tool: 'Write', detail: 'a', rule: 'Edit(//**)' },
    ]);
    assert.deepEqual(
      (await list()).map(({ rule }) => rule),
      [null, null, null],
    );
    const { code, err } = await cli.call('allow', '1', '--all');
    assert.equal(code, 64);
    assert.match(err, /^There is no rule to allow/);
  });

  it('has no rule in plan mode', async () => {
    await refuse([PUSH], { permissions: { mode: 'plan', tools: [] } });
    assert.match((await cli.call('allow', '1')).out, /no rule: in permission mode plan no rule lets Claude/);
  });

  it('is not listed for a task that is missing, never ran, or was edited since', async () => {
    assert.equal((await cli.call('allow', '7')).code, 1);
    assert.equal((await cli.call('allow', '1')).out, 'Task 1 has not run yet in its present form.');
    await refuse([PUSH]);
    cli.write('1,high,.,Something else,pending,,,no,,0,3');
    assert.equal((await cli.call('allow', '1')).out, 'Task 1 has not run yet in its present form.');
    assert.equal((await cli.call('allow', '1', '--all')).code, 64);
  });
});
