import assert from 'node:assert/strict';
import { describeRow } from '../../../../../src/app/approval/approval';
import { drawStartPage } from '../../../../../src/editor/commands/start/page/startPageHtml';
import {
  buildStartPage,
  keyOf,
  keyOfPlan,
  type StartFacts,
} from '../../../../../src/editor/commands/start/page/startPageModel';
import { planStart } from '../../../../../src/editor/state/startPlan';
import { approvalOf } from '../../../../../src/domain/task/approval';
import { HOUR, NOW, paint } from '../../../../support/queue/viewModels';
import type { Around, Row } from '../../../../support/queue/viewModels';

const INSTALLED: Parameters<typeof planStart>[1] = {
  path: '/opt/claude',
  version: '2.1.329',
  auth: { loggedIn: true, method: 'claude.ai' },
  billing: 'subscription',
  billingChoice: 'auto',
  unusedKeys: [],
  readOffers: () => Promise.resolve({ flags: new Set(), modes: new Set() }),
  accountKey: '0123456789abcdef',
};

const HOSTILE = `</pre><script>alert(1)</script><img src=x onerror='x'>" onfocus="x`;

const APPROVED: Row = { state: { power: 'approved' } };
const APPROVALS = [1, 2, 3, 4].map((id) => approvalOf({ id, power: 'approved' }));

function collect(rows: readonly Row[], more: Partial<StartFacts> = {}, around: Around = {}): StartFacts {
  const viewModel = paint(rows, {
    approvedRows: { trusted: false, approvals: new Set(APPROVALS) },
    ...around,
  });
  return {
    plan: planStart(viewModel, INSTALLED),
    viewModel,
    rehearsed: [],
    knownRows: { approved: new Map(), origins: new Map() },
    mode: 'acceptEdits',
    windowRule: 'finishTask',
    user: 'ken',
    machine: 'build-laptop',
    isSignedOut: false,
    unsaved: null,
    stopping: null,
    ...more,
  };
}

async function draw(facts: StartFacts, note: string | null = null): Promise<string> {
  return drawStartPage(await buildStartPage(facts), note).source;
}

/** The words of a part of the page. */
async function words(facts: StartFacts, part: RegExp): Promise<string> {
  const [found = ''] = part.exec(await draw(facts)) ?? [];
  return found
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const SENTENCE = /<p class="sentence".*?<\/p>/s;
const PRIMARY = /<button class="main".*?<\/button>/s;

describe('The page Start', () => {
  it('says in one sentence how many, where, as whom, billed to what, and what Claude may do', async () => {
    assert.equal(
      await words(collect([APPROVED, APPROVED, {}]), SENTENCE),
      'Claude will run 2 of 3 tasks unattended on this machine, build-laptop, as ken, billed to the subscription it is signed in with (account 01234567). Without asking, it may edit and delete files in its folder; other tools need a rule (acceptEdits). Everything else is refused, and the task waits for your review.',
    );
  });

  it('names the tasks with permissions of their own in the sentence', async () => {
    const facts = collect([APPROVED, { fields: { allowedTools: ['Bash(x)'] } }]);
    assert.match(await words(facts, SENTENCE), /Task 2 has permissions of its own\.$/);
  });

  it('lists what runs first in running order, apart from what waits', async () => {
    const model = await buildStartPage(
      collect([
        { ...APPROVED, fields: { priority: 'low' } },
        { state: { power: 'approved', ownerScheduledAt: NOW + HOUR } },
        { ...APPROVED, fields: { priority: 'critical' } },
      ]),
    );
    assert.deepEqual(
      [model.first.map(({ id, reason }) => `${String(id)} ${reason}`), model.later.map(({ id }) => id)],
      [['3 1st', '1 2nd'], [2]],
    );
  });

  it('ticks nothing, and names what the button does with and without ticks', async () => {
    const page = await draw(collect([APPROVED, {}, {}]));
    assert.doesNotMatch(page, / checked/);
    assert.match(
      page,
      /data-action="start" data-none="Start 1 Approved Task" data-some="Approve \{n\} and Start"/,
    );
  });

  it('asks for what is missing before a start', async () => {
    const primary = (more: Partial<StartFacts>): Promise<string> => words(collect([APPROVED], more), PRIMARY);
    assert.equal(await primary({ isSignedOut: true }), 'Sign In…');
    assert.equal(await primary({ mode: 'ask' }), 'Choose Permissions…');
    assert.equal(await primary({ unsaved: 'x has unsaved changes.' }), 'Save and Start 1 Approved Task');
    assert.equal(await primary({}), 'Start 1 Approved Task');
  });

  it('says that a pause keeps every task from starting', async () => {
    const page = await draw(collect([APPROVED], {}, { held: 'lunch' }));
    assert.match(page, /No task starts now: .*lunch/);
  });

  it('shows what changed since a row was approved, and warns of new power', async () => {
    const facts = collect([{ fields: { prompt: 'a\nc', allowedTools: ['Bash(curl:*)'] } }]);
    const [before] = paint([{ fields: { prompt: 'a\nb' } }]).tasks;
    assert.ok(before !== undefined);
    const knownRows = { approved: new Map([[1, describeRow(before.task)]]), origins: new Map() };
    const model = await buildStartPage({ ...facts, knownRows });
    const [row] = model.changed;
    assert.equal(row?.kind, 'changed: prompt, allowed_tools');
    assert.deepEqual(row.warnings, ['more power: new tool: Bash(curl:*)']);
    assert.deepEqual(
      row.cells.map(({ column, lines }) => [column, lines.map(({ kind, text }) => `${kind} ${text}`)]),
      [
        ['prompt', ['same a', 'removed b', 'added c']],
        ['allowed_tools', ['added Bash(curl:*)']],
      ],
    );
  });

  it('shows the whole prompt of a new row', async () => {
    const prompt = Array.from({ length: 300 }, (_, line) => `line ${String(line)}`).join('\n');
    const page = await draw(collect([{ fields: { prompt } }]));
    assert.match(page, /line 299/);
  });

  it('shows the whole prompt file of a new row, and the difference of a changed one', async () => {
    const fileOf = (text: string) => ({ promptFile: { path: 'notes/a.md', text } });
    const cellsOf = async (facts: StartFacts) => {
      const [row] = (await buildStartPage(facts)).changed;
      return row?.cells.map(({ column, lines }) => [
        column,
        lines.map(({ kind, text }) => `${kind} ${text}`),
      ]);
    };
    const facts = collect([{ fields: { prompt: 'Title', ...fileOf('a\nc') } }]);
    assert.deepEqual(await cellsOf(facts), [
      ['prompt', ['added Title']],
      ['prompt_file notes/a.md', ['added a', 'added c']],
    ]);
    const [before] = paint([{ fields: { prompt: 'Title', ...fileOf('a\nb') } }]).tasks;
    assert.ok(before !== undefined);
    const knownRows = { approved: new Map([[1, describeRow(before.task)]]), origins: new Map() };
    assert.deepEqual(await cellsOf({ ...facts, knownRows }), [
      ['prompt_file', ['same notes/a.md:', 'same a', 'removed b', 'added c']],
    ]);
  });

  it('shows the whole text that a new row adds to the system prompt, and warns of it', async () => {
    const [row] = (await buildStartPage(collect([{ fields: { appendSystemPrompt: 'Be\nbrief.' } }]))).changed;
    assert.deepEqual(row?.warnings, [String.raw`more power: adds to the system prompt: Be\nbrief.`]);
    assert.deepEqual(
      row.cells.at(-1)?.lines.map(({ text }) => text),
      ['Be', 'brief.'],
    );
  });

  it('contains no HTML of a row', async () => {
    const fields = { prompt: HOSTILE, user: HOSTILE, allowedTools: [HOSTILE], workingDir: HOSTILE };
    const page = await draw(collect([{ fields }, { ...APPROVED, fields }]), HOSTILE);
    assert.doesNotMatch(page, /<script|<img|" onfocus=/);
  });

  it('reveals characters that change the direction of writing', async () => {
    assert.match(await draw(collect([{ fields: { prompt: 'a\u202eb' } }])), /a\\u202eb/);
  });

  it('gives an edited row another key, so that its tick is lost', () => {
    const [before, now] = ['p', 'q'].map((power) => collect([{ state: { power } }]).plan);
    assert.ok(before !== undefined && now !== undefined);
    assert.notEqual(keyOfPlan(before), keyOfPlan(now));
    assert.deepEqual(before.unapproved.map(keyOf), [approvalOf({ id: 1, power: 'p' })]);
  });
});
