import assert from 'node:assert/strict';
import { defaults } from '../../../../src/domain/settings/settings';
import { ratesOf } from '../../../../src/domain/order/rates';
import { approvable, approvalOf } from '../../../../src/domain/task/approval';
import { parseRepeatInterval } from '../../../../src/domain/time/schedule';
import { FIELDS, newValues, valuesOf, type FormValues } from '../../../../src/editor/form/formValues';
import { checkValues, firstWrong } from '../../../../src/editor/form/formProblems';
import type { FormFacts } from '../../../../src/editor/form/formFacts';
import { composeView } from '../../../../src/editor/form/formView';
import {
  HOUR,
  MINUTE,
  NOW,
  paint,
  runByWorker,
  type Around,
  type Row,
} from '../../../support/queue/viewModels';

const ROWS = { timeZone: 'UTC', folder: '/work', home: '/home/me', allowBypass: false };
const NEW: FormValues = { ...newValues('.', defaults), prompt: 'Write tests' };

function factsOf(rows: readonly Row[] = [{}], around: Around = { workers: 1 }): FormFacts {
  return {
    rows: ROWS,
    viewModel: paint(rows, around),
    moment: { now: NOW, timeZone: 'UTC' },
    id: null,
    edited: null,
    unread: null,
    isModeChosen: true,
    rates: ratesOf([], NOW),
    login: 'aiko',
    folderExists: (folder) => folder === '/work',
    folders: ['.'],
  };
}

/** Facts for editing the first task. */
function editing(rows: readonly Row[], around?: Around): FormFacts {
  const facts = factsOf(rows, around);
  const [shown] = facts.viewModel.tasks;
  assert.ok(shown !== undefined);
  return { ...facts, id: 1, edited: { shown, initial: NEW } };
}

const SHOWN = { attachments: [], failure: null, isSaving: false, promptFile: null };

const viewOf = (values: Partial<FormValues>, facts = factsOf()) =>
  composeView({ ...NEW, ...values }, facts, SHOWN);

describe('The form of a task', () => {
  it('says where its prompt is open, and how the text comes back', () => {
    const { hints } = composeView(NEW, factsOf(), { ...SHOWN, promptFile: 'new-task.md' });
    assert.match(hints.prompt?.text ?? '', /^Open in new-task\.md\. Save there to bring the text here;/);
    assert.equal(viewOf({}).hints.prompt, undefined);
  });

  it('names no default permissions before the user has chosen some', () => {
    const hintOf = (mode: string, isModeChosen: boolean): string =>
      viewOf({ mode }, { ...factsOf(), isModeChosen }).hints.mode?.text ?? '';
    assert.equal(hintOf('', false), 'Not chosen yet. Start asks what Claude may do without asking.');
    assert.match(hintOf('', true), /\(default\): edit and delete files in its folder/);
    assert.match(hintOf('plan', false), /may do this: only read and plan/);
  });

  it('needs only a prompt', () => {
    assert.deepEqual(viewOf({}).problems, {});
    const { problems, definition } = checkValues({ ...NEW, prompt: ' ' }, factsOf());
    assert.deepEqual(Object.keys(problems), ['prompt']);
    assert.equal(definition, null);
  });

  it('names the problem of each field, and the first of them', () => {
    const { problems } = viewOf({
      ...{ time: 'someday', repeat: 'day', repeatAt: '25:00', tools: '%', check: 'npm "test' },
      ...{
        deadline: 'soon',
        model: '-x',
        timeout: '0',
        retries: 'many',
        user: 'a|b',
        mode: 'bypassPermissions',
      },
    });
    assert.deepEqual(
      FIELDS.filter((field) => problems[field] !== undefined),
      ['time', 'repeatAt', 'mode', 'tools', 'check', 'deadline', 'model', 'timeout', 'retries', 'user'].sort(
        (a, b) => FIELDS.findIndex((field) => field === a) - FIELDS.findIndex((field) => field === b),
      ),
    );
    assert.match(problems.time ?? '', /not understood.*tomorrow 2am/);
    assert.equal(firstWrong(problems, FIELDS), 'time');
    assert.equal(firstWrong({}, FIELDS), null);
  });

  it('refuses an interval that is not one, at its own field', () => {
    assert.match(viewOf({ repeat: 'interval', interval: 'often' }).problems.interval ?? '', /not understood/);
    assert.match(viewOf({ repeat: 'interval' }).problems.interval ?? '', /needs an interval/);
  });

  it('refuses dependencies that do not exist, or wait for the task', () => {
    assert.match(viewOf({ dependencies: '9' }).problems.dependencies ?? '', /Task 9 does not exist/);
    const facts = editing([{}, { fields: { dependencies: [1] } }]);
    assert.match(viewOf({ dependencies: '2' }, facts).problems.dependencies ?? '', /Task 2 itself waits/);
    assert.match(viewOf({ dependencies: '1' }, facts).problems.dependencies ?? '', /wait for itself/);
    assert.deepEqual(viewOf({}, facts).tasks, []);
  });

  it('offers tasks by id and prompt, and shows chosen ones as chips', () => {
    const facts = factsOf([{ fields: { prompt: 'Paint' } }, { state: { status: 'failed' } }]);
    const { tasks, chips } = viewOf({ dependencies: '2|7' }, facts);
    assert.deepEqual(tasks, ['1 Paint']);
    assert.deepEqual(
      chips.map(({ id, isBad }) => [id, isBad]),
      [
        ['2', true],
        ['7', true],
      ],
    );
  });

  it('says that the row of a task to wait for is invalid', () => {
    const facts = factsOf();
    const snapshot = { ...facts.viewModel.snapshot, invalidIds: new Set([7]) };
    const view = viewOf({ dependencies: '7' }, { ...facts, viewModel: { ...facts.viewModel, snapshot } });
    assert.deepEqual(view.problems, {});
    assert.deepEqual(view.chips, [{ id: '7', text: '7 (invalid)', isBad: true }]);
    assert.match(view.outcome.rest, /^It cannot start: waits for 7 \(invalid\)\./);
  });

  it('shows what a time means, also one in the past', () => {
    assert.deepEqual(viewOf({ time: 'tomorrow 2am' }).hints.time, {
      text: 'Sat 2026-11-21 02:00, in 8 h',
      tone: 'good',
    });
    assert.equal(viewOf({ time: '2026-11-20 17:00' }).hints.time?.tone, 'warning');
  });

  it('shows the next times of a repetition, from the first one on', () => {
    const daily = viewOf({ repeat: 'weekday', repeatAt: '7:30' }).hints.repeat?.text;
    assert.match(
      daily ?? '',
      /^First as soon as possible, then Mon 2026-11-23 07:30, Tue 2026-11-24 07:30, /,
    );
    const later = viewOf({ repeat: 'interval', interval: '12h', time: 'tomorrow 2am' }).hints.repeat?.text;
    assert.match(later ?? '', /^First at the time above, then Sat 2026-11-21 14:00, /);
  });

  it('warns about a folder that does not exist', () => {
    assert.equal(viewOf({ folder: 'lost' }).hints.folder?.tone, 'warning');
    assert.equal(viewOf({ folder: '.' }).hints.folder?.tone, 'plain');
  });

  it('says which program a check runs', () => {
    assert.match(
      viewOf({ check: 'npm test "a b"' }).hints.check?.text ?? '',
      /"npm", "test" "a b"; no shell/,
    );
  });
});

describe('The outcome of the form', () => {
  const outcomeOf = (values: Partial<FormValues>, facts?: FormFacts) => viewOf(values, facts).outcome;

  it('says after what, when, approved and as whom', () => {
    const { lead, rest } = outcomeOf({ dependencies: '1', time: 'tomorrow 2am', user: 'ken' });
    assert.equal(lead, 'After 1 and at Sat 2026-11-21 02:00 (in 8 h).');
    assert.equal(
      rest,
      'Approved, because you write it here. It runs unattended as aiko. Its turn is that of user ken.',
    );
  });

  it('says how long, where tasks of this priority have run', () => {
    const facts = factsOf();
    const medium = { ...facts.rates.medium, meanDurationMs: 20.4 * MINUTE };
    const { lead } = outcomeOf({}, { ...facts, rates: { ...facts.rates, medium } });
    assert.equal(lead, 'As soon as its turn comes, about 20 min.');
  });

  it('says that a task cannot start after one that only the user can end', () => {
    const after1 = (status: 'pending' | 'failed' | 'cancelled' | 'review'): string =>
      outcomeOf({ dependencies: '1' }, factsOf([{ state: { status } }])).rest;
    assert.match(after1('failed'), /^It cannot start: waits for 1 \(failed\)\. Approved/);
    assert.match(after1('cancelled'), /^It cannot start: waits for 1 \(cancelled\)\. /);
    assert.match(after1('pending'), /^Approved/);
    assert.match(after1('review'), /^Approved/);
  });

  it('says why nothing starts', () => {
    assert.match(outcomeOf({}, factsOf([{}], {})).rest, /No worker is running: press Start afterwards/);
    assert.match(outcomeOf({}, factsOf([{}], { held: 'by hand', workers: 1 })).rest, /Nothing starts now: /);
  });

  it('says that the edited task was removed meanwhile, and what to do with the text', () => {
    assert.deepEqual(outcomeOf({ prompt: 'Other' }, { ...factsOf(), id: 12 }), {
      lead: 'Task 12 was removed.',
      rest: 'Nothing can be saved. Copy your text, and add a task with it.',
    });
  });

  it('says that a comment is lost with another prompt, and only then', () => {
    const facts = editing([{ state: { resume: 'comment' } }]);
    const lost = /Claude will not get your comment: it was about the earlier row\./;
    assert.match(outcomeOf({ prompt: 'Other' }, facts).rest, lost);
    assert.doesNotMatch(outcomeOf({ tags: 'docs' }, facts).rest, lost);
  });

  it('promises no approval for a row that is invalid now', () => {
    const { viewModel, ...others } = factsOf();
    const snapshot = { ...viewModel.snapshot, invalidIds: new Set([12]) };
    const facts = { ...others, viewModel: { ...viewModel, snapshot }, id: 12 };
    assert.match(outcomeOf({ prompt: 'Other' }, facts).rest, /^It still needs your approval\./);
  });

  it('says that the queue cannot be read now, and why', () => {
    assert.deepEqual(outcomeOf({}, { ...factsOf(), unread: 'Redis at x does not answer.' }), {
      lead: 'The queue cannot be read now.',
      rest: 'Redis at x does not answer. What you typed stays here.',
    });
  });

  it('says that it is being saved, instead of what follows', () => {
    const view = composeView(NEW, factsOf(), { ...SHOWN, isSaving: true });
    assert.deepEqual([view.outcome, view.isSaving], [{ lead: 'Saving…', rest: '' }, true]);
  });

  it('asks for a prompt, or for what is wrong', () => {
    assert.equal(outcomeOf({ prompt: '' }).lead, 'Write a prompt.');
    assert.equal(outcomeOf({ timeout: 'x' }).lead, '1 field is wrong: Timeout.');
    const two = outcomeOf({ timeout: 'x', dependencies: '99' });
    assert.equal(two.lead, '2 fields are wrong: After, Timeout.');
  });

  it('says whether an edit renews the approval', () => {
    const facts = editing([{}]);
    assert.match(outcomeOf({}, facts).rest, /^Nothing is changed yet\./);
    assert.match(outcomeOf({ priority: 'high' }, facts).rest, /^Changes priority; its approval stays\./);
    assert.match(
      outcomeOf({ prompt: 'Other', folder: 'docs' }, facts).rest,
      /^Changes prompt and folder\. Approved again, because you write it here\./,
    );
  });

  it('says how an edited task stays that does not run because of the edit', () => {
    const leadOf = (row: Row, values: Partial<FormValues> = { priority: 'high' }): string =>
      viewOf(values, editing([row])).outcome.lead;
    assert.match(leadOf({ state: { status: 'completed', lastSuccessAt: NOW } }), /^Completed/);
    assert.equal(leadOf({ state: { status: 'cancelled' } }), 'Cancelled.');
    assert.equal(leadOf({ state: { status: 'failed', lastOutcome: 'error' } }), 'Failed.');
    assert.equal(leadOf({ state: { status: 'review', lastOutcome: 'review' } }), 'Needs review.');
    const repeat = parseRepeatInterval('0 9 * * *');
    assert.ok(repeat !== null);
    const daily: Row = {
      fields: { repeat },
      state: {
        lastOutcome: 'success',
        lastSuccessAt: NOW - MINUTE,
        dueAt: NOW + 15 * HOUR,
        dueCause: 'repeat',
      },
    };
    assert.equal(leadOf(daily), 'Runs at Sat 2026-11-21 09:00 (in 15 h).');
    assert.match(
      leadOf(daily, { repeat: 'interval', interval: '0 * * * *' }),
      /^Runs at Fri 2026-11-20 \d\d:00/,
    );
    assert.equal(leadOf(daily, { prompt: 'Other' }), 'Runs as soon as its turn comes.');
    assert.match(leadOf(daily, { time: 'tomorrow 2am' }), /^Runs at Sat 2026-11-21 02:00/);
    const { hints } = viewOf({ repeat: 'day' }, editing([daily]));
    assert.match(hints.repeat?.text ?? '', /^Next at Sat 2026-11-21 09:00, then Sun 2026-11-22 09:00/);
  });

  it('says that an unapproved task stays unapproved, and a running one keeps its permissions', () => {
    const approvedRows = { trusted: false, approvals: new Set<string>() };
    assert.match(
      outcomeOf({ prompt: 'B' }, editing([{}], { approvedRows })).rest,
      /still needs your approval/,
    );
    assert.match(
      outcomeOf({ prompt: 'B' }, editing([runByWorker])).rest,
      /^The task is running: prompt can be/,
    );
    const [shown] = paint([{}]).tasks;
    assert.ok(shown !== undefined);
    const { definition, state } = shown.task;
    const approvals = new Set([approvalOf(approvable(definition, state.power))]);
    const facts = editing([{}], { approvedRows: { trusted: false, approvals } });
    assert.match(outcomeOf({ prompt: 'B' }, facts).rest, /Approved again/);
  });
});

describe('The values of a row', () => {
  it('are shown as a user writes them', () => {
    const values = valuesOf({
      ...{ priority: '4', repeat: 'Yes', repeat_interval: '30 7 * * 1-5', verify: '["npm","run","a b"]' },
      ...{ tags: 'docs|urgent', allowed_tools: 'Read|Edit' },
    });
    assert.equal(values.priority, 'high');
    assert.deepEqual([values.repeat, values.repeatAt], ['weekday', '07:30']);
    assert.equal(values.check, 'npm run "a b"');
    assert.equal(values.tags, 'docs, urgent');
  });
});
