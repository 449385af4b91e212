import assert from 'node:assert/strict';
import { defaults } from '../../../../src/domain/settings/settings';
import { attach, attachProblem, composePrompt, formatPlace } from '../../../../src/editor/form/attachments';
import { readDailyInterval, writeDailyInterval } from '../../../../src/editor/form/dailyInterval';
import { renderForm } from '../../../../src/editor/form/formHtml';
import { parseMessage } from '../../../../src/editor/form/formMessages';
import {
  cellsOf,
  changedCells,
  FIELDS,
  newValues,
  takeOver,
  valuesOf,
} from '../../../../src/editor/form/formValues';

const MOMENT = { now: Date.parse('2026-11-20T18:00:00Z'), timeZone: 'UTC' };

describe('The form of a new task', () => {
  const priorityOf = (settings = defaults): string => newValues('.', settings).priority;

  it('leaves the priority to the priority rules, if there are some', () => {
    assert.equal(priorityOf(), 'medium');
    assert.equal(priorityOf({ ...defaults, priorityRules: [{ tag: 'docs', priority: 'low' }] }), '');
  });
});

describe('The cells of the form', () => {
  it('are written in the form of the file', () => {
    const cells = cellsOf(
      {
        ...newValues('docs', defaults),
        ...{ prompt: 'A', time: 'tomorrow 2am', repeat: 'day', repeatAt: '9:05', check: "npm 'run x' y" },
        ...{ tags: 'a, b|c', deadline: 'someday' },
      },
      MOMENT,
    );
    assert.equal(cells.scheduled_time, '2026-11-21 02:00');
    assert.deepEqual([cells.repeat, cells.repeat_interval], ['yes', '5 9 * * *']);
    assert.equal(cells.verify, '["npm","run x","y"]');
    assert.equal(cells.tags, 'a|b|c');
    assert.equal(cells.deadline, 'someday');
  });

  it('change only where the user changed a field', () => {
    const before = valuesOf({
      prompt: 'A',
      priority: '3',
      tags: ' a |b',
      scheduled_time: '2026-11-21T02:00Z',
    });
    assert.deepEqual(changedCells(before, before, MOMENT), {});
    assert.deepEqual(changedCells(before, { ...before, prompt: 'B' }, MOMENT), { prompt: 'B' });
    assert.deepEqual(changedCells(before, { ...before, repeat: 'day' }, MOMENT), {
      repeat: 'yes',
      repeat_interval: '0 9 * * *',
    });
    assert.deepEqual(changedCells(before, { ...before, time: '' }, MOMENT), { scheduled_time: '' });
  });
});

describe('A form of a row', () => {
  it('has the line ends of a browser, so that nothing is changed in a file with others', () => {
    const values = valuesOf({ prompt: 'One\r\ntwo\rthree', append_system_prompt: 'A\r\nb' });
    assert.deepEqual([values.prompt, values.systemPrompt], ['One\ntwo\nthree', 'A\nb']);
  });

  it('has no line ends in a field of one line, so that the page changes nothing that the user did not', () => {
    const cells = {
      prompt: 'A',
      allowed_tools: 'Read|\r\nBash(npm test)',
      tags: 'docs|\nurgent',
      verify: '[\n',
    };
    const shown = valuesOf(cells);
    const { tools, tags, check } = shown;
    assert.deepEqual([tools, tags, check], ['Read|Bash(npm test)', 'docs, urgent', '[']);
    assert.deepEqual(changedCells(shown, { ...shown, prompt: 'B' }, MOMENT), { prompt: 'B' });
  });

  it('takes over what somebody else changed, and keeps what the user changed', () => {
    const before = valuesOf({ prompt: 'A', priority: 'low', allowed_tools: 'Bash' });
    const now = valuesOf({ prompt: 'Theirs', priority: 'critical', allowed_tools: 'Read' });
    const shown = takeOver({ ...before, prompt: 'Mine' }, before, now);
    assert.deepEqual(shown, { ...now, prompt: 'Mine' });
    assert.deepEqual(changedCells(now, shown, MOMENT), { prompt: 'Mine' });
  });
});

describe('A repetition at a time of day', () => {
  it('is a cron expression', () => {
    assert.equal(writeDailyInterval('weekday', '07:05'), '5 7 * * 1-5');
    assert.equal(writeDailyInterval('day', '24:00'), null);
    assert.deepEqual(readDailyInterval('5 7 * * *'), { days: 'day', at: '07:05' });
    assert.equal(readDailyInterval('*/5 7 * * *'), null);
    assert.equal(readDailyInterval('70 7 * * *'), null);
  });
});

describe('Attached context', () => {
  it('follows the prompt in full, in a fence that it cannot end', () => {
    const text = 'a\n```\nb';
    const prompt = composePrompt('Fix it \n', [
      { title: 'src/a.ts:1-3', text },
      { title: 'docs', text: '' },
    ]);
    assert.equal(prompt, `Fix it\n\nContext: src/a.ts:1-3\n\`\`\`\`\n${text}\n\`\`\`\`\n\nContext: docs`);
    assert.equal(composePrompt(' ', [{ title: 'docs', text: '' }]), ' ');
    assert.equal(composePrompt('Fix it\n', []), 'Fix it');
  });

  it('names its place', () => {
    assert.equal(formatPlace('a.ts', null), 'a.ts');
    assert.equal(formatPlace('a.ts', { first: 2, last: 2 }), 'a.ts:2');
    assert.equal(formatPlace('a.ts', { first: 2, last: 4 }), 'a.ts:2-4');
    assert.deepEqual(attachProblem('a.ts:2', { source: 'ts', code: '2345', message: 'No.' }), {
      title: 'Problem in a.ts:2',
      text: 'ts 2345: No.',
    });
  });

  it('is attached once', () => {
    const one = { title: 'a', text: '' };
    assert.equal(attach(attach([], one), { ...one }).length, 1);
  });
});

describe('A message of the page', () => {
  const values = newValues('.', defaults);

  it('is taken if its shape is right', () => {
    assert.deepEqual(parseMessage({ kind: 'submit', values, again: true, more: 1 }), {
      kind: 'submit',
      values,
      again: true,
    });
    assert.deepEqual(parseMessage({ kind: 'detach', index: 1 }), { kind: 'detach', index: 1 });
    assert.deepEqual(parseMessage({ kind: 'ready' }), { kind: 'ready' });
  });

  it('is dropped otherwise', () => {
    const { prompt: _, ...some } = values;
    for (const message of [
      null,
      'submit',
      [],
      { kind: 'run' },
      { kind: 'change' },
      { kind: 'change', values: some },
      { kind: 'submit', values: { ...values, time: 5 } },
      { kind: 'submit', values: { ...values, prompt: 'x'.repeat(1_000_001) } },
      { kind: 'detach', index: -1 },
    ])
      assert.equal(parseMessage(message), null, JSON.stringify(message).slice(0, 80));
  });
});

describe('The page of the form', () => {
  const html = renderForm({
    ...{ title: 'Edit <Task> "1"', button: 'Save', isNew: false, allowBypass: false },
  }).source;

  it('escapes texts', () => {
    assert.ok(html.includes('<h1 id="title">Edit &lt;Task&gt; &quot;1&quot;</h1>'));
  });

  it('loads nothing and has no script of its own', () => {
    assert.doesNotMatch(html, /https?:|\bsrc=|href=|\sstyle=|\son\w+=/);
  });

  it('has a label, a hint and a problem for each field', () => {
    for (const field of FIELDS) {
      assert.ok(html.includes(`data-field="${field}"`), field);
      assert.ok(html.includes(`id="hint-${field}"`) && html.includes(`id="problem-${field}"`), field);
      const control = field === 'dependencies' ? 'after' : field;
      const isLabelled =
        html.includes(`<label for="${control}"`) ||
        (html.split(`id="${control}"`)[1]?.slice(0, 200) ?? '').includes('aria-label');
      assert.ok(isLabelled, field);
    }
  });

  it('offers only the modes that the machine allows', () => {
    assert.doesNotMatch(html, /bypassPermissions/);
  });
});
