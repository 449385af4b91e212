import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { composeRequest } from '../../../src/claude/verdict/selfReport';
import { type ClaudeVersion, releases } from '../../support/claude/claudeVersions';
import { isAbout, openPlace, type Place } from '../../support/queue/queuePlace';
import { limit, NEXT_SECONDS, text, tool, type Reply } from '../../support/claude/replies';
import { report, tokenIn } from '../../support/claude/reports';
import type { Turn } from '../../support/claude/turn';
import { until } from '../../support/until';

/** First line of the system prompt: with the flag Claude Code names itself, without it the SDK. */
const OWN_IDENTITY =
  "You are Claude Code, Anthropic's official CLI for Claude, running within the Claude Agent SDK.";
const SDK_IDENTITY = "You are a Claude agent, built on Anthropic's Claude Agent SDK.";

interface Reported {
  readonly id: number;
  readonly outcome: string;
  readonly reason: string;
  readonly message: string;
  readonly turns: number | null;
  readonly claudeExitCode: number | null;
  readonly report: string | null;
  readonly reportReason: string | null;
}

async function historyOf({ queue }: Place): Promise<readonly Reported[]> {
  const { attempts } = JSON.parse((await queue.run('history --json')).stdout) as { attempts: Reported[] };
  return attempts.toReversed();
}

function openWith({ program }: ClaudeVersion, respond: (turn: Turn) => Reply): Promise<Place> {
  return openPlace({ respond, env: { CLAUDE_QUEUE_CLAUDE: program, CLAUDE_QUEUE_OPEN_STAGGER: '0s' } });
}

/** A Stop hook of the user's own; it leaves a line for each time it was called. */
function addStopHook({ home }: Place): () => number {
  const calls = join(home.folder, 'stops');
  const settings = join(home.env['HOME'] ?? '', '.claude', 'settings.json');
  mkdirSync(join(settings, '..'), { recursive: true });
  const hook = { type: 'command', command: `echo x >> '${calls}'` };
  writeFileSync(settings, JSON.stringify({ hooks: { Stop: [{ hooks: [hook] }] } }));
  return () => (existsSync(calls) ? readFileSync(calls, 'utf8').split('\n').length - 1 : 0);
}

/** One task with a tool call and an answer, run with this setting. */
async function runOnce(claude: ClaudeVersion, selfReport: 'off' | 'asked') {
  const place = await openWith(claude, (turn) =>
    turn.toolResults === 0
      ? tool('Glob', { pattern: '*.md' })
      : report(turn, 'I looked.', 'finished', 'Looked at it.'),
  );
  const stops = addStopHook(place);
  await place.queue.trust([{ id: 1, prompt: 'Look around' }]);
  const { stdout } = await place.queue.run('work --until-empty', { CLAUDE_QUEUE_SELF_REPORT: selfReport });
  const [attempt] = await historyOf(place);
  assert.ok(attempt, stdout);
  return { place, turns: place.turnsOf('Look around'), stdout, attempt, stops: stops() };
}

type Ran = Awaited<ReturnType<typeof runOnce>>;

const sessionsOf = (turns: readonly Turn[]): Set<string> => new Set(turns.map(({ session }) => session));

/** The system prompt without what differs from run to run by itself. */
function comparable(system: string): string {
  return system
    .replaceAll(/claude-home-\w+/g, '<place>')
    .replace(/^x-anthropic-billing-header:.*$/m, '<billing>');
}

for (const claude of releases('oldest', 'node20', 'newest')) {
  describe(`A report with Claude Code ${claude.version}`, () => {
    let off: Ran;
    let asked: Ran;

    before(async () => {
      off = await runOnce(claude, 'off');
      asked = await runOnce(claude, 'asked');
    });

    it('changes no request but for its text in the system prompt', () => {
      const [first] = asked.turns;
      assert.ok(first);
      assert.equal(asked.turns.length, off.turns.length);
      const parts = ({ turns }: Ran): unknown =>
        turns.map(({ tools, userTexts, toolResults, model }) => [
          comparable(tools),
          userTexts,
          toolResults,
          model,
        ]);
      assert.deepEqual(parts(asked), parts(off));
      const added = composeRequest(tokenIn(first) ?? '');
      const with_ = comparable(first.system);
      const without = comparable(off.turns[0]?.system ?? '');
      assert.ok(with_.includes(added));
      assert.equal(
        with_.replace(added, '').replace(OWN_IDENTITY, SDK_IDENTITY).replace(/\s+/g, ' ').trim(),
        without.replace(/\s+/g, ' ').trim(),
      );
      assert.equal(tokenIn(off.turns[0] ?? first), undefined);
      const bytes = Buffer.byteLength(with_) - Buffer.byteLength(without);
      assert.ok(bytes <= 620, `${String(bytes)} bytes were added`);
    });

    it('changes no exit code, turn or hook, and the answer only by its last line', () => {
      const facts = ({ attempt, stops }: Ran): unknown => [
        attempt.outcome,
        attempt.turns,
        attempt.claudeExitCode,
        stops,
      ];
      assert.deepEqual(facts(asked), facts(off));
      const shown = ({ stdout }: Ran): string[] =>
        [...stdout.matchAll(/ 1 │ (?!Claude Code|Finished)(.*)$/gm)].map(([, line]) =>
          comparable(line ?? ''),
        );
      assert.deepEqual(shown(asked), shown(off));
      assert.deepEqual([asked.attempt.report, asked.attempt.reportReason], ['finished', 'Looked at it.']);
      assert.deepEqual([off.attempt.report, off.attempt.reportReason], [null, null]);
    });
  });
}

for (const claude of releases('newest')) {
  describe(`A report of a resumed session with Claude Code ${claude.version}`, () => {
    it('is requested and read in sessions that resume after a limit and after an answer', async () => {
      let isReached = false;
      const place = await openWith(claude, (turn) => {
        if (isAbout(turn, 'Keep it.')) return report(turn, 'I kept it.', 'finished', 'Kept the folder.');
        if (isAbout(turn, 'Tidy up'))
          return report(turn, 'Delete or keep?', 'needs_answer', 'Delete the folder or keep it?');
        if (isReached) return report(turn, 'Written.', 'could_not', 'The data is missing.');
        isReached = true;
        return limit({ kind: 'five_hour', resetInSeconds: NEXT_SECONDS });
      });
      const { queue } = place;
      await queue.trust([
        { id: 1, prompt: 'Tidy up' },
        { id: 2, prompt: 'Then that', dependencies: '1' },
        { id: 3, prompt: 'Write the report' },
      ]);
      await queue.run('work --until-empty');

      const resumed = place.turnsOf('Write the report');
      assert.equal(sessionsOf(resumed).size, 1);
      assert.match(resumed.at(-1)?.lastUserText ?? '', /QUEUE-RESULT-[0-9a-f]{4}/);
      const ended = await queue.task(3);
      assert.deepEqual(
        [ended.shown, ended.reason],
        ['review', 'Claude could not finish: The data is missing.'],
      );

      const waiting = await queue.task(1);
      assert.deepEqual(
        [waiting.shown, waiting.reason],
        ['review', 'needs an answer: Delete the folder or keep it?'],
      );
      assert.equal(place.turnsOf('Then that').length, 0);
      assert.equal((await queue.run('answer 1 Keep it.')).code, 0);
      await queue.run('work --until-empty');
      assert.equal((await queue.task(1)).shown, 'completed');
      const turns = place.turnsOf('Tidy up');
      assert.equal(sessionsOf(turns).size, 1);
      const [answer, ...rest] = (turns.at(-1)?.lastUserText ?? '').split('\n\n');
      assert.deepEqual([answer, rest.length], ['Keep it.', 1]);
      assert.match(rest[0] ?? '', /QUEUE-RESULT-/);
      assert.equal(
        (await historyOf(place)).find(({ id, outcome }) => id === 1 && outcome === 'success')?.report,
        'finished',
      );
    });
  });
}

describe('A clean end without a report', () => {
  it('is shown as completed and not confirmed everywhere', async () => {
    const place = await openPlace({ respond: () => text('All is well.') });
    await place.queue.trust([{ id: 1, prompt: 'Do it' }]);
    await place.queue.run('work --until-empty');
    const { shown, reason } = await place.queue.task(1);
    assert.deepEqual([shown, reason], ['completed', 'not confirmed']);
    assert.match((await place.queue.run('history')).stdout, /success \(done\), not confirmed/);
    assert.equal((await historyOf(place))[0]?.report, 'none');
  });

  it('needs review if a report is required', async () => {
    const place = await openPlace({ respond: () => text('All is well.') });
    place.queue.writeRules('selfReport: required');
    await place.queue.trust([{ id: 1, prompt: 'Do it' }]);
    await place.queue.run('work --until-empty');
    assert.equal((await place.queue.task(1)).shown, 'review');
    assert.equal((await historyOf(place))[0]?.reason, 'no-report');
  });

  it('is completed if no report is requested', async () => {
    const place = await openPlace({ respond: () => text('All is well.') });
    place.queue.writeRules('selfReport: off');
    await place.queue.trust([{ id: 1, prompt: 'Do it' }]);
    await place.queue.run('work --until-empty');
    const { shown, reason } = await place.queue.task(1);
    assert.deepEqual([shown, reason], ['completed', '']);
  });
});

describe('An answer', () => {
  const ask = (turn: Turn): Reply =>
    report(turn, 'Delete or keep?', 'needs_answer', 'Delete the folder or keep it?');

  it('survives a limit and the kill of its worker during the attempt that it starts', async () => {
    let heard = 0;
    const place = await openPlace({
      respond: (turn) => {
        if (!isAbout(turn, 'Keep it.')) return ask(turn);
        heard += 1;
        if (heard === 1) return limit({ kind: 'five_hour', resetInSeconds: NEXT_SECONDS });
        return heard === 2 ? { kind: 'hang' } : report(turn, 'Kept.', 'finished', 'Kept the folder.');
      },
    });
    const { queue } = place;
    await queue.trust([{ id: 1, prompt: 'Tidy up' }]);
    await queue.run('work --until-empty');
    await queue.run('answer 1 Keep it.');
    const worker = queue.start('work --until-empty');
    await until('the second attempt was heard', () => heard === 2);
    worker.kill('SIGKILL');
    await worker.ended;
    await queue.run('work --until-empty');
    assert.equal((await queue.task(1)).shown, 'completed');
    const turns = place.turnsOf('Tidy up');
    assert.equal(sessionsOf(turns).size, 1);
    assert.match(turns.at(-1)?.lastUserText ?? '', /The user answered:\s+```\s+Keep it\./);
  });

  it('goes into a new session with its question if the old session is gone', async () => {
    const place = await openPlace({
      respond: (turn) =>
        isAbout(turn, 'Keep it.') ? report(turn, 'Kept.', 'finished', 'Kept the folder.') : ask(turn),
    });
    const { queue, home } = place;
    await queue.trust([{ id: 1, prompt: 'Tidy up' }]);
    await queue.run('work --until-empty');
    await queue.run('answer 1 Keep it.');
    rmSync(join(home.env['HOME'] ?? '', '.claude', 'projects'), { recursive: true, force: true });
    await queue.run('work --until-empty');
    assert.equal((await queue.task(1)).shown, 'completed');
    const reported = place.turnsOf('Keep it.')[0]?.lastUserText ?? '';
    assert.match(
      reported,
      /^An earlier session of Claude Code worked on this task and is no longer available/,
    );
    assert.match(
      reported,
      /You asked the user:\s+```\s+Delete the folder or keep it\?\s+```\s+The user answered:/,
    );
    assert.ok(reported.trimEnd().endsWith('Tidy up'));
  });
});
