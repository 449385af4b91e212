import assert from 'node:assert/strict';
import { describeIdle } from '../../../../src/app/present/reasons/idle';
import { formatNextTask } from '../../../../src/app/actions/attempts/nextTaskFile';
import { parseSince } from '../../../../src/cli/options/since';
import { parseUntil } from '../../../../src/cli/options/until';
import { formatJson, parseCount, parseId } from '../../../../src/cli/options/parseArguments';
import { count, shorten } from '../../../../src/app/present/text';
import { placeOf } from '../../../../src/domain/task/place';
import type { Definition } from '../../../../src/domain/task/task';

describe('A typed argument', () => {
  it('is an id if it is a whole number from 1', () => {
    assert.equal(parseId('7'), 7);
    for (const text of ['', '0', '-1', '1.5', 'x', '1e3', ' 1', '99999999999999999999']) {
      assert.throws(() => parseId(text), { reason: 'usage' }, text);
    }
  });

  it('is a count if it is a whole number from 1', () => {
    assert.equal(parseCount('12'), 12);
    assert.throws(() => parseCount('0'), {
      reason: 'usage',
      message: '"0" is not a count: give a whole number from 1.',
    });
  });
});

describe('The time of --until', () => {
  const now = Date.parse('2026-11-20T18:00:00Z');
  const until = (text: string, zone = 'UTC', at = now): string =>
    new Date(parseUntil(text, at, zone)).toISOString();

  it('is the next time of day that comes, today or tomorrow', () => {
    assert.equal(until('18:01'), '2026-11-20T18:01:00.000Z');
    assert.equal(until('18:00'), '2026-11-21T18:00:00.000Z');
    assert.equal(until('7:30'), '2026-11-21T07:30:00.000Z');
    assert.equal(until('07:30', 'Asia/Tokyo'), '2026-11-20T22:30:00.000Z');
  });

  it('follows local time, also if the clocks change before it', () => {
    const saturday = Date.parse('2026-10-24T20:00:00Z');
    assert.equal(until('21:00', 'Europe/Berlin', saturday), '2026-10-25T20:00:00.000Z');
    const lastOfYear = Date.parse('2026-12-31T23:30:00Z');
    assert.equal(until('06:00', 'UTC', lastOfYear), '2027-01-01T06:00:00.000Z');
  });

  it('can be a date with a time', () => {
    assert.equal(until('2026-11-22 06:00'), '2026-11-22T06:00:00.000Z');
    assert.equal(until('2026-11-22T06:00+09:00'), '2026-11-21T21:00:00.000Z');
  });

  it('has the forms of the times of --since and --at: also a date alone, seconds, and a duration from now', () => {
    assert.equal(until('2027-01-01'), '2027-01-01T00:00:00.000Z');
    assert.equal(until('18:00:30'), '2026-11-20T18:00:30.000Z');
    assert.equal(until('8h'), '2026-11-21T02:00:00.000Z');
    const passed = { reason: 'usage', message: /^"2026-01-01" has passed/ };
    assert.throws(() => parseUntil('2026-01-01', now, 'UTC'), passed);
    assert.equal(parseSince('2027-01-01', now, 'UTC'), Date.parse(until('2027-01-01')));
    assert.equal(parseSince('8h', now, 'UTC'), Date.parse('2026-11-20T10:00:00Z'));
  });

  it('must be in the future: a past one is refused with the present time', () => {
    const passed = {
      reason: 'usage',
      message: /^"2026-11-20 17:59" has passed: it is 2026-11-20 18:00:00 \(UTC\)/,
    };
    assert.throws(() => parseUntil('2026-11-20 17:59', now, 'UTC'), passed);
    assert.throws(() => parseUntil('2026-11-20T18:00:00Z', now, 'UTC'), { reason: 'usage' });
    assert.equal(until('2026-11-20T18:00:01Z'), '2026-11-20T18:00:01.000Z');
  });

  it('has no other form', () => {
    for (const text of ['', '5', 'soon', '25:00', '12:60', '2026-13-01 00:00', 'someday']) {
      assert.throws(() => parseUntil(text, now, 'UTC'), { reason: 'usage' }, text);
    }
  });
});

describe('A text in a table', () => {
  it('is the first line, cut to the width', () => {
    assert.equal(shorten('  One line\nanother', 20), 'One line');
    assert.equal(shorten('One line', 8), 'One line');
    assert.equal(shorten('One line', 7), 'One li…');
    assert.equal(shorten('😀😀😀', 2), '😀…');
    assert.equal(shorten('', 5), '');
  });

  it('contains no control sequences', () => {
    assert.equal(shorten('a\u001b[31mb\u0007c\u009bd\u202ee\tf', 20), 'abcde  f');
  });
});

describe('Text in JSON', () => {
  it('is the same text, with control characters escaped', () => {
    const value = { text: 'a\u001b[31mb\u009bc\u202ed\nü 😀' };
    const json = formatJson(value);
    assert.deepEqual(JSON.parse(json), value);
    for (const steering of ['\u001b', '\u009b', '\u202e']) assert.ok(!json.includes(steering));
    assert.match(json, /ü 😀/);
  });
});

describe('A count of things', () => {
  it('has its noun in singular or plural', () => {
    assert.deepEqual(
      [count(0, 'task'), count(1, 'task'), count(2, 'task')],
      ['0 tasks', '1 task', '2 tasks'],
    );
  });
});

describe('The text for an idle queue', () => {
  it('shows what to do', () => {
    const person = { causes: [{ kind: 'not-approved' }], waitsFor: 'person' } as const;
    const moment = { now: 0, timeZone: 'UTC' };
    const hold = { kind: 'hold', hold: { by: 'person', why: 'x', at: 0 } } as const;
    assert.equal(describeIdle({ ...person, state: 'unapproved' }, moment), 'a task needs your approval');
    assert.match(describeIdle({ ...person, state: 'review' }, moment), /in review/);
    assert.match(describeIdle({ ...person, state: 'stuck' }, moment), /cannot be completed/);
    assert.match(describeIdle({ ...person, state: 'dead' }, moment), /a task failed/);
    assert.equal(
      describeIdle({ state: 'waiting', causes: [hold], waitsFor: 'person' }, moment),
      'the queue is paused (x)',
    );
    assert.equal(describeIdle({ state: 'running', causes: [], waitsFor: 'machine' }, moment), 'running');
  });
});

describe('NEXT_TASK.md', () => {
  const task: Definition = {
    id: 7,
    priority: 'high',
    workingDir: '/place/here',
    prompt: 'Do it.',
    dependencies: [],
    maxRetries: 3,
  };

  it('has the task, and how to end it', () => {
    assert.equal(
      formatNextTask(task, placeOf(task)),
      [
        '# Next task: 7',
        '',
        '- Priority: high',
        '- Working directory: /place/here',
        '',
        'Do this task in that directory:',
        '',
        '```text',
        'Do it.',
        '```',
        '',
        'When it is finished, the user marks it: Done, Failed or Return to Queue in the editor, or by a command:',
        '- `claude-queue done`',
        '- `claude-queue fail`',
        '- `claude-queue release`',
        '',
      ].join('\n'),
    );
  });

  it('has the prompt unchanged, between fences that are longer than any in it', () => {
    const prompt = 'See:\n```js\nx\n```\nand `y` and\n````\nz\n````';
    assert.ok(
      formatNextTask({ ...task, prompt }, placeOf(task)).includes(
        `\n\`\`\`\`\`text\n${prompt}\n\`\`\`\`\`\n`,
      ),
    );
  });
});
