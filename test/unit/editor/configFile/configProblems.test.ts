import assert from 'node:assert/strict';
import { findConfigProblems } from '../../../../src/editor/configFile/configProblems';
import type { SettingScope } from '../../../../src/domain/settings/setting';
import { parseConfig } from '../../../../src/platform/files/configText';

/** Problems as `part of the text: message`. */
async function problemsOf(text: string, scope: SettingScope = 'queue'): Promise<string[]> {
  const problems = findConfigProblems(await parseConfig(text), scope);
  return problems.map(({ start, end, message }) => `${text.slice(start, end)}: ${message}`);
}

async function assertProblem(
  text: string,
  part: string,
  message: RegExp,
  scope?: SettingScope,
): Promise<void> {
  const problems = await problemsOf(text, scope);
  assert.equal(problems.length, 1, problems.join('\n'));
  assert.ok(problems[0]?.startsWith(`${part}: `), problems[0]);
  assert.match(problems[0] ?? '', message);
}

describe('A problem of a settings file', () => {
  it('is absent in a valid or empty file', async () => {
    assert.deepEqual(await problemsOf(''), []);
    assert.deepEqual(await problemsOf('# nothing yet\n'), []);
    assert.deepEqual(await problemsOf('maxPerHour: 5\nquietHours:\n  - {from: "09:00", to: "10:00"}\n'), []);
    assert.deepEqual(await problemsOf('billing: auto\n', 'machine'), []);
  });

  it('is at the name if that is unknown, or belongs into the other file', async () => {
    await assertProblem('maxPerHour: 5\nmax_per_day: 7\n', 'max_per_day', /Did you mean maxPerDay/);
    await assertProblem('billing: auto\n', 'billing', /belongs to this machine/);
    await assertProblem('maxPerHour: 5\n', 'maxPerHour', /belongs to the queue/, 'machine');
  });

  it('has the name that a misspelled one means, if the file may have it', async () => {
    const meantIn = async (text: string, scope: SettingScope = 'queue'): Promise<(string | undefined)[]> =>
      findConfigProblems(await parseConfig(text), scope).map(({ meant }) => meant);
    assert.deepEqual(await meantIn('maxPerHour: 5\nmaxRuning: 2\n'), ['maxRunning']);
    assert.deepEqual(await meantIn('maxRunning: 1\nmaxRuning: 2\n'), [undefined]);
    assert.deepEqual(await meantIn('maxRuning: 2\n', 'machine'), [undefined]);
    assert.deepEqual(await meantIn('zebra: 2\nmaxPerHour: many\n'), [undefined, undefined]);
  });

  it('is at the value if that is wrong, and at the name if there is none', async () => {
    await assertProblem('maxPerHour: many\n', 'many', /a whole number, at least 1/);
    await assertProblem('taskTimeout: 90\n', '90', /a number with its unit/);
    await assertProblem('maxPerDay:\n', 'maxPerDay', /it is null/);
  });

  it('is at the wrong part of a value with parts', async () => {
    const hours = 'quietHours:\n  - {from: "09:00", to: "10:00"}\n';
    await assertProblem(
      `${hours}  - {from: "25:00", to: "10:00"}\n`,
      '"25:00"',
      /entry 2: from must be a time/,
    );
    await assertProblem(`${hours}  - {from: "9:00"}\n`, '{from: "9:00"}', /to must be a time of day/);
    await assertProblem(`${hours}  - {form: "9:00"}\n`, 'form', /has no "form"/);
    await assertProblem('pools:\n  fast: {min: 2, max: 1}\n', '1', /fast: max must be at least min/);
    await assertProblem('pools:\n  4fast: {min: 2}\n', '4fast', /a name is a letter/);
    await assertProblem('repositories: {web: src}\n', 'src', /must name folders/, 'machine');
  });

  it('is found in text that is not YAML, or not names with values', async () => {
    await assertProblem('maxPerHour: 5\nmaxPerHour: 6\n', 'm', /not valid YAML.*unique/);
    await assertProblem('- a\n- b\n', '- a\n- b\n', /must be names with values/);
    await assertProblem('maxPerHour: *other\n', 'maxPerHour: *other\n', /not valid YAML/);
  });
});
