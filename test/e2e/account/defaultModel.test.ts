import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { releases } from '../../support/claude/claudeVersions';
import { openPlace, type Place, type Status } from '../../support/queue/queuePlace';
import { longContext, text, unknownModel, type Reply } from '../../support/claude/replies';

const GONE = 'claude-gone-9';
const NAMED = 'claude-sonnet-5-5';

/** `gates` of `status --json`, as far as these tests look at it. */
interface Gates extends Status {
  readonly gates: readonly {
    readonly kind: string;
    readonly model: string | null;
    readonly state: string;
    readonly until: string | null;
    readonly reason: string;
  }[];
}

/** A user whose settings name this model as the default. */
function setDefaultModel({ home }: Place, model: string): void {
  const folder = join(home.env['HOME'] ?? '', '.claude');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'settings.json'), JSON.stringify({ model }));
}

async function openWithGone(program: string, refused: () => Reply): Promise<Place> {
  const place = await openPlace({
    respond: ({ model }) => (model.startsWith(GONE) ? refused() : text('Done.')),
    env: { CLAUDE_QUEUE_CLAUDE: program },
  });
  setDefaultModel(place, GONE);
  return place;
}

for (const { version, program } of releases('newest')) {
  describe(`A default model that cannot be used (Claude Code ${version})`, () => {
    it('costs one attempt and no retry, lets rows with a model of their own run, and the rest completes after the fix', async () => {
      const place = await openWithGone(program, () => unknownModel(GONE));
      const { queue } = place;
      await queue.trust([
        { id: 1, prompt: 'First' },
        { id: 2, prompt: 'Second' },
        { id: 3, prompt: 'Third', model: NAMED },
        { id: 4, prompt: 'Fourth', model: 'default' },
        { id: 5, prompt: 'Fifth', model: GONE },
      ]);
      const { stdout } = await queue.run('work --until-empty');
      assert.equal(stdout.match(/ ended: blocked \(model_not_found\)/g)?.length, 1, stdout);
      assert.match(stdout, /Choose another default model with \/model in Claude Code/);
      const { gate, gates, tasks } = (await queue.status()) as Gates;
      assert.equal(gate.state, 'open', 'the gate of the account itself is open');
      assert.deepEqual(
        gates.map(({ kind, model, state, until }) => [kind, model, state, until]),
        [['default-model', GONE, 'closed', null]],
      );
      assert.deepEqual(
        tasks.map(({ status, retryCount, lastOutcome }) => [status, retryCount, lastOutcome]),
        [
          ['pending', 0, 'blocked'],
          ['pending', 0, null],
          ['completed', 0, 'success'],
          ['completed', 0, 'success'],
          ['failed', 0, 'permanent'],
        ],
      );
      for (const id of [1, 2])
        assert.match(tasks[id - 1]?.reason ?? '', /default model cannot be used \(claude-gone-9\): choose/);

      setDefaultModel(place, NAMED);
      assert.equal((await queue.run('resume')).code, 0);
      const fixed = await queue.run('work --until-empty');
      assert.equal(fixed.code, 0, fixed.stdout);
      assert.deepEqual(
        (await queue.status()).tasks.map(({ status, retryCount }) => [status, retryCount]),
        [
          ['completed', 0],
          ['completed', 0],
          ['completed', 0],
          ['completed', 0],
          ['failed', 0],
        ],
        fixed.stdout,
      );
    });

    it('without paid long context closes the gate for rows that name no model', async () => {
      const place = await openWithGone(program, longContext);
      const { queue } = place;
      await queue.trust([
        { id: 1, prompt: 'First' },
        { id: 2, prompt: 'Second' },
        { id: 3, prompt: 'Third', model: GONE },
      ]);
      const { stdout } = await queue.run('work --until-empty');
      assert.equal(stdout.match(/ ended: blocked /g)?.length, 1, stdout);
      assert.deepEqual(
        (await queue.status()).tasks.map(({ status, retryCount, lastOutcome }) => [
          status,
          retryCount,
          lastOutcome,
        ]),
        [
          ['pending', 0, 'blocked'],
          ['pending', 0, null],
          ['failed', 0, 'permanent'],
        ],
      );
    });
  });
}
