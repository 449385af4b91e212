import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import type { Attempt, CheckBefore, Verdict } from '../../../../src/domain/task/attempt';
import type { ProvedAttempt } from '../../../support/machine/provedRepository';
import { ProvedRepository } from '../../../support/machine/provedRepository';
import { until } from '../../../support/until';

const SAYS =
  'This check passed before the attempt as well: it shows that nothing broke, not that the task was done.';
const LATIN = Buffer.from('caf\xe9\r\n', 'latin1');
const sh = (code: string, ...more: readonly string[]): readonly [string, ...string[]] => [
  'sh',
  '-c',
  code,
  ...more,
];

describe('A check on the files before an attempt', () => {
  let place: ProvedRepository;
  beforeEach(() => {
    place = new ProvedRepository();
    place.write('.gitignore', 'deps/\n');
    place.write('kept.txt', 'kept\n');
    place.write('latin.txt', LATIN);
    place.write('sub/part.txt', 'part\n');
    place.write('tool.sh', '#!/bin/sh\nexit 0\n');
    fs.chmodSync(path.join(place.folder, 'tool.sh'), 0o755);
    fs.symlinkSync('kept.txt', path.join(place.folder, 'link'));
    place.repository.commitAll('first');
    place.write('mine.txt', 'not committed\n');
  });
  afterEach(() => {
    assert.deepEqual(
      place.copies.filter((copy) => fs.existsSync(copy)),
      [],
      'the copies are removed',
    );
    place.remove();
  });

  const create = (): void => place.write('new.txt', 'new\n');

  /** Plays attempts one after the other, each with other files. */
  async function playAll(
    attempts: readonly ((index: number) => ProvedAttempt)[],
    count: number,
  ): Promise<Verdict[]> {
    const verdicts: Verdict[] = [];
    for (let index = 0; index < count; index += 1) {
      const attempt = attempts[index % attempts.length]?.(index);
      if (attempt !== undefined) verdicts.push(await place.play(attempt));
    }
    return verdicts;
  }

  /** Checks that do not see what the attempt does. */
  const PASSING_BEFORE: readonly ((index: number) => ProvedAttempt)[] = [
    (index) => ({ change: () => place.write(`new-${String(index)}`), check: ['test', '-e', 'kept.txt'] }),
    (index) => ({
      change: () => place.write('kept.txt', `kept ${String(index)}\n`),
      check: ['grep', '-q', 'kept', 'kept.txt'],
    }),
    () => ({ change: create, check: sh('test "$(cat link)" = "$(cat kept.txt)"') }),
    () => ({ change: create, check: sh(String.raw`printf 'caf\351\r\n' | cmp - latin.txt`) }),
    () => ({ change: create, check: ['./tool.sh'] }),
    () => ({ change: create, check: ['cat', 'mine.txt'] }),
    () => ({ change: create, check: sh('test "$(cat ../kept.txt)" != ""'), below: 'sub' }),
    () => ({ change: () => undefined, check: ['true'] }),
    (index) => ({
      change: () => place.write(`sub/new-${String(index)}`),
      check: sh('ls | grep -q part.txt'),
      below: 'sub',
    }),
    () => ({
      change: () => place.write('deps/lib', 'lib\n'),
      check: ['cat', 'deps/lib'],
      setUp: sh('cp -R "$CLAUDE_QUEUE_WORKING_DIR/deps" .'),
    }),
  ];

  /** Checks that see it. */
  const FAILING_BEFORE: readonly ((index: number) => ProvedAttempt)[] = [
    (index) => ({
      change: () => place.write(`made-${String(index)}`),
      check: ['test', '-e', `made-${String(index)}`],
    }),
    (index) => ({
      change: () => place.write('kept.txt', `word ${String(index)}\n`),
      check: ['grep', '-q', `word ${String(index)}$`, 'kept.txt'],
    }),
    (index) => {
      place.write(`old-${String(index)}`);
      return {
        change: () => fs.rmSync(path.join(place.folder, `old-${String(index)}`)),
        check: sh(`! test -e old-${String(index)}`),
      };
    },
    (index) => ({
      change: () => {
        fs.rmSync(path.join(place.folder, 'link'));
        fs.symlinkSync(`to-${String(index)}`, path.join(place.folder, 'link'));
      },
      check: sh(`test "$(readlink link)" = to-${String(index)}`),
    }),
    (index) => {
      place.write(`tool-${String(index)}`, '#!/bin/sh\n');
      return {
        change: () => fs.chmodSync(path.join(place.folder, `tool-${String(index)}`), 0o755),
        check: ['test', '-x', `tool-${String(index)}`],
      };
    },
    (index) => ({
      change: () => place.write('latin.txt', Buffer.from([0xe9, index, 0])),
      check: sh(
        String.raw`printf '\351\${1}\000' | cmp - latin.txt`.replace(
          '${1}',
          index.toString(8).padStart(3, '0'),
        ),
      ),
    }),
    (index) => ({
      change: () => place.write(`sub/made-${String(index)}`),
      check: ['test', '-e', `made-${String(index)}`],
      below: 'sub',
    }),
    (index) => ({
      change: () => place.write(`beside-${String(index)}`),
      check: ['test', '-e', `../beside-${String(index)}`],
      below: 'sub',
    }),
    (index) => ({
      change: () => place.write('mine.txt', `mine ${String(index)}\n`),
      check: ['grep', '-q', `mine ${String(index)}$`, 'mine.txt'],
    }),
    (index) => {
      place.write('deps/lib', 'lib\n');
      return {
        change: () => place.write(`uses-${String(index)}`),
        check: ['cat', 'deps/lib', `uses-${String(index)}`],
        setUp: sh('ln -s "$CLAUDE_QUEUE_WORKING_DIR/deps" deps'),
      };
    },
  ];

  /** Set-up commands that fail, where the check alone would pass or fail. */
  const FAILING_SET_UPS: readonly (readonly string[])[] = [
    ['false'],
    sh('exit 3'),
    sh('kill -9 $$'),
    ['no-such-program'],
    ['./latin.txt'],
    sh('cp -R "$CLAUDE_QUEUE_WORKING_DIR/missing" .'),
    sh('cd missing'),
    ['test', '-e', 'new.txt'],
    ['cat', 'deps/lib'],
    ['env', 'no-such-program'],
  ];

  it('says that it passed, of 20 of 20 that pass before and after', async () => {
    const verdicts = await playAll(PASSING_BEFORE, 20);
    assert.deepEqual(
      verdicts.map(({ outcome, check }) => [outcome, check?.result, check?.before?.result]),
      verdicts.map(() => ['success', 'passed', 'passed']),
    );
    for (const { message } of verdicts) assert.equal(message, `Done, and its check passed. ${SAYS}`);
    assert.equal(verdicts.length, 20);
  });

  it('says that of none of 20 that failed before', async () => {
    const verdicts = await playAll(FAILING_BEFORE, 20);
    assert.deepEqual(
      verdicts.map(({ outcome, check }) => [outcome, check?.result, check?.before?.result]),
      verdicts.map(() => ['success', 'passed', 'failed']),
    );
    for (const { message } of verdicts)
      assert.equal(message, 'Done, and its check passed. This check failed on the files before the attempt.');
    assert.equal(verdicts.length, 20);
  });

  it('is unknown for 10 of 10 whose set-up fails', async () => {
    const found: (CheckBefore | undefined)[] = [];
    for (const [index, setUp] of FAILING_SET_UPS.entries()) {
      const name = `made-${String(index)}`;
      const check: readonly [string, ...string[]] = index % 2 === 0 ? ['true'] : ['test', '-e', name];
      const change = (): void => {
        place.write(name);
        create();
      };
      found.push(await place.prove({ change, check, setUp }));
      fs.rmSync(path.join(place.folder, 'new.txt'));
    }
    assert.deepEqual(
      found.map((before) => [before?.result, before?.cause]),
      FAILING_SET_UPS.map(() => ['unknown', 'setup']),
    );
    assert.deepEqual(
      found.flatMap((before) => before?.signal ?? []),
      ['SIGKILL'],
    );
  });

  it('is unknown where it fails in a copy of the files after the attempt too', async () => {
    place.write('deps/lib');
    const attempt = { change: create, check: sh('cat deps/lib new.txt') };
    const before = await place.prove(attempt);
    assert.deepEqual([before?.result, before?.cause], ['unknown', 'fails-in-copies']);
    assert.match(before?.output ?? '', /deps\/lib/);
    assert.equal(place.copies.length, 2);
  });

  it('is unknown where there is no repository', async () => {
    fs.rmSync(path.join(place.folder, '.git'), { recursive: true });
    const before = await place.prove({ change: create, check: ['true'] });
    assert.deepEqual([before?.result, before?.cause], ['unknown', 'files']);
  });

  it('is unknown where it names the working directory, at which it would look', async () => {
    const before = await place.prove({ change: create, check: ['test', '-e', `${place.folder}/kept.txt`] });
    assert.deepEqual([before?.result, before?.cause, place.copies], ['unknown', 'names-folder', []]);
  });

  it('is unknown where it passed and an earlier attempt had worked on the task', async () => {
    const last = { outcome: 'limit' } as Attempt;
    for (const job of [{ resume: 'limit' } as const, { handOver: 'other' }, { last }]) {
      const before = await place.prove({ change: create, check: ['true'], job });
      assert.deepEqual([before?.result, before?.cause], ['unknown', 'continued']);
      fs.rmSync(path.join(place.folder, 'new.txt'));
      const failed = await place.prove({ change: create, check: ['test', '-e', 'new.txt'], job });
      assert.equal(failed?.result, 'failed');
      fs.rmSync(path.join(place.folder, 'new.txt'));
    }
    const again = { last: { outcome: 'success' } as Attempt };
    assert.equal((await place.prove({ change: create, check: ['true'], job: again }))?.result, 'passed');
  });

  it('is unknown where it does not end there', async () => {
    const { deps } = place;
    // The time limit of a check ends at once, but only for what waits for it in a copy.
    const clock: typeof deps.clock = {
      now: () => deps.clock.now(),
      sleep: (ms, signal) => deps.clock.sleep(ms >= 10_000 && place.copies.length > 0 ? 10 : ms, signal),
    };
    const check = sh('test -e new.txt || sleep 600');
    const before = await place.prove({ change: create, check, deps: { clock } });
    assert.deepEqual([before?.result, before?.cause], ['unknown', 'timeout']);
  });

  it('ends with its worker, and the attempt stays a success', async () => {
    const stop = new AbortController();
    const check = sh('test -e new.txt || { touch started; sleep 600; }');
    const playing = place.play({ change: create, check, stop: stop.signal });
    const isStarted = (): boolean => place.copies.some((copy) => fs.existsSync(path.join(copy, 'started')));
    await until('the check runs in the copy', isStarted);
    stop.abort('stopped');
    const { outcome, reason, check: run } = await playing;
    assert.deepEqual([outcome, reason], ['success', 'verified']);
    assert.deepEqual([run?.result, run?.before?.cause], ['passed', 'stopped']);
  });

  it('does not run where the check does not pass after the attempt', async () => {
    const { outcome, check } = await place.play({ change: create, check: ['false'] });
    assert.deepEqual([outcome, check?.result, check?.before], ['error', 'failed', undefined]);
    assert.deepEqual(place.copies, []);
  });

  it('runs in a folder of the user alone, and changes nothing in that of the task', async () => {
    const code =
      'stat -c %a "$PWD"; touch made; git rev-parse --show-toplevel 2>&1; echo "$CLAUDE_QUEUE_WORKING_DIR"';
    const before = await place.prove({ change: create, check: sh(`${code}; exit 0`), setUp: sh(code) });
    assert.match(before?.output ?? '', /^700\nfatal: not a git repository[^\n]*$/);
    assert.deepEqual(fs.existsSync(path.join(place.folder, 'made')), true, 'the check itself ran there');
    fs.rmSync(path.join(place.folder, 'made'));
    await place.prove({ change: create, check: ['true'], setUp: sh('touch made') });
    assert.equal(fs.existsSync(path.join(place.folder, 'made')), false);
    assert.equal(place.repository.git('status', '--porcelain'), '?? mine.txt\n?? new.txt\n');
  });

  it('removes folders that a set-up has protected', async () => {
    const setUp = sh('mkdir -p deps/inner; touch deps/inner/file; chmod 500 deps/inner deps');
    const before = await place.prove({ change: create, check: ['true'], setUp });
    assert.equal(before?.result, 'passed');
  });

  it('has the environment and the secrets of the check', async () => {
    const prepareCheck: ProvedRepository['deps']['prepareCheck'] = () =>
      Promise.resolve({
        outside: null,
        environment: { ...process.env, KEY: 'open sesame, open sesame' },
        secrets: ['open sesame, open sesame'],
      });
    const attempt = {
      change: create,
      check: sh('echo "key $KEY"'),
      setUp: sh('test "$KEY" = "open sesame, open sesame"'),
    };
    const before = await place.prove({ ...attempt, deps: { prepareCheck } });
    assert.equal(before?.result, 'passed');
    assert.doesNotMatch(before.output, /sesame/);
    assert.match(before.output, /^key /);
  });
});
