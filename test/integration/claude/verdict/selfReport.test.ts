import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeInput, type ContinuedInput } from '../../../../src/claude/attempt/sessionSummary';
import { parseLine } from '../../../../src/claude/stream/parseLine';
import { renderMessage } from '../../../../src/claude/stream/render';
import { composeRequest, splitAnswer } from '../../../../src/claude/verdict/selfReport';
import type { Verdict } from '../../../../src/domain/task/attempt';
import { failed, INIT, judge, result } from '../../../support/claude/judgeRun';

const TOKEN = '4f9c';
const LINE = 'QUEUE-RESULT-4f9c: {"outcome":"finished","reason":"Fixed it."}';
const lineOf = (outcome: string, reason: string): string =>
  `QUEUE-RESULT-4f9c: ${JSON.stringify({ outcome, reason })}`;

const FINISHED = { end: 'finished', reason: 'Fixed it.' };

/** Ends of answers, each with the report in it. */
const CASES: readonly (readonly [name: string, text: string, report: object | null])[] = [
  ['plain', `Done.\n\n${LINE}`, FINISHED],
  ['in a code block', `Done.\n\n\`\`\`json\n${LINE}\n\`\`\``, FINISHED],
  ['in bold', `Done.\n\n**${LINE}**`, FINISHED],
  ['in backticks', `Done.\n\n\`${LINE}\``, FINISHED],
  ['with blanks behind it', `Done.\n\n${LINE}  \n\n \t\n`, FINISHED],
  ['quoted in the middle of the text', `The log says\n${LINE}\nand then I stopped.`, null],
  ['behind a quotation mark', `Done.\n\n> ${LINE}`, null],
  ['behind other words', `I will not write ${LINE}`, null],
  [
    'with the placeholders of the request',
    'Done.\n\nQUEUE-RESULT-4f9c: {"outcome":"<finished, could_not or needs_answer>","reason":"<one sentence>"}',
    null,
  ],
  ['with an unknown outcome', `Done.\n\n${lineOf('done', 'Fixed it.')}`, null],
  ['with an empty reason', `Done.\n\n${lineOf('finished', '  ')}`, null],
  ['with a reason of two lines', `Done.\n\n${lineOf('finished', 'Fixed\nit.')}`, null],
  ['with another token', `Done.\n\n${LINE.replace('4f9c', '0000')}`, null],
  ['without a token', `Done.\n\n${LINE.replace('-4f9c', '')}`, null],
  ['that is no JSON', 'Done.\n\nQUEUE-RESULT-4f9c: finished', null],
];

const SELF_REPORT = { token: TOKEN, isRequired: false };
const judgeAnswer = (text: string, more: object = {}): Verdict =>
  judge([INIT, result({ result: text })], { exitCode: 0, selfReport: SELF_REPORT, ...more });

describe('A report line', () => {
  for (const [name, text, report] of CASES) {
    it(`${name} is ${report === null ? 'no report' : 'a report, and no part of the answer'}`, () => {
      assert.deepEqual(splitAnswer(text, TOKEN), { answer: report === null ? text : 'Done.', report });
    });
  }

  it('has a reason of at most 300 characters, without control characters', () => {
    const { report } = splitAnswer(lineOf('could_not', `\u001b[31m${'x'.repeat(400)}`), TOKEN);
    assert.deepEqual([report?.reason.length, report?.reason.startsWith('xxx')], [300, true]);
  });

  it('is not shown with what Claude says', () => {
    const content = [{ type: 'text', text: `Done.\n\n${LINE}` }];
    const message = parseLine(JSON.stringify({ type: 'assistant', message: { content } }));
    assert.deepEqual(renderMessage(message, TOKEN), ['Done.']);
    assert.deepEqual(renderMessage(message, '0000'), ['Done.', LINE]);
  });
});

describe('A clean end', () => {
  it('that Claude reports as finished is a success, with its sentence as a note', () => {
    const { outcome, report, reportReason } = judgeAnswer(`Done.\n\n${LINE}`);
    assert.deepEqual([outcome, report, reportReason], ['success', 'finished', 'Fixed it.']);
  });

  it('that Claude reports as not finished awaits review', () => {
    const { outcome, reason, message, report } = judgeAnswer(lineOf('could_not', 'No compiler.'));
    assert.deepEqual([outcome, reason, report], ['review', 'could-not', 'could_not']);
    assert.equal(message, 'Claude could not finish: No compiler.');
  });

  it('with a question awaits review, and the question is its text', () => {
    const { outcome, reason, message } = judgeAnswer(lineOf('needs_answer', 'Delete it or keep it?'));
    assert.deepEqual([outcome, reason, message], ['review', 'needs-answer', 'Delete it or keep it?']);
  });

  it('with a question awaits review for it also if actions were refused', () => {
    const refused = { permission_denials: [{ tool_name: 'Bash', tool_input: { command: 'make' } }] };
    const lines = [INIT, result({ result: lineOf('needs_answer', 'May I?'), ...refused })];
    assert.equal(judge(lines, { exitCode: 0, selfReport: SELF_REPORT }).reason, 'needs-answer');
  });

  it('without a report is a success that is not confirmed', () => {
    const { outcome, message, report } = judgeAnswer('All is well.');
    assert.deepEqual([outcome, report], ['success', 'none']);
    assert.match(message, /Not confirmed: Claude did not report how its work ended\.$/);
  });

  it('without a report awaits review if one is required', () => {
    const verdict = judgeAnswer('All is well.', { selfReport: { token: TOKEN, isRequired: true } });
    assert.deepEqual([verdict.outcome, verdict.reason, verdict.report], ['review', 'no-report', 'none']);
  });

  it('has no report if none is requested', () => {
    const verdict = judgeAnswer(lineOf('could_not', 'No compiler.'), { selfReport: undefined });
    assert.deepEqual([verdict.outcome, verdict.report], ['success', undefined]);
  });

  it('of a local command has no report', () => {
    const lines = [INIT, result({ num_turns: 0, result: LINE })];
    const verdict = judge(lines, { exitCode: 0, selfReport: SELF_REPORT });
    assert.deepEqual([verdict.reason, verdict.report], ['no-turns', undefined]);
  });

  it('is reported by the last of several results alone', () => {
    const first = result({ result: lineOf('needs_answer', 'Which one?') });
    const verdict = judge([INIT, first, INIT, result({ result: `Done.\n${LINE}` })], {
      exitCode: 0,
      selfReport: SELF_REPORT,
    });
    assert.deepEqual([verdict.outcome, verdict.report], ['success', 'finished']);
  });
});

describe('A failure', () => {
  it('has no report, whatever its text says', () => {
    const verdict = judge([INIT, failed(`API Error: 500\n${LINE}`)], { selfReport: SELF_REPORT });
    assert.notEqual(verdict.outcome, 'success');
    assert.equal(verdict.report, undefined);
  });

  it('of the turn limit has no report', () => {
    const lines = [INIT, result({ subtype: 'error_max_turns', result: LINE })];
    const verdict = judge(lines, { selfReport: SELF_REPORT });
    assert.deepEqual([verdict.outcome, verdict.report], ['permanent', undefined]);
  });
});

describe('A session that is resumed', () => {
  const SESSION = '00000000-0000-4000-8000-000000000000';
  const OLD = '11111111-1111-4111-8111-111111111111';
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'self-report-'));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  function keep(session: string, text: string): void {
    const project = join(home, '.claude', 'projects', 'somewhere');
    mkdirSync(project, { recursive: true });
    writeFileSync(join(project, `${session}.jsonl`), `${text}\n`);
  }

  const job: ContinuedInput = {
    definition: {
      id: 1,
      priority: 'medium',
      workingDir: '/work',
      prompt: 'Do it.',
      dependencies: [],
      maxRetries: 3,
    },
    session: SESSION,
    resume: 'limit',
  };

  it('that knows the request is reminded of it in one sentence', async () => {
    keep(SESSION, JSON.stringify({ system: composeRequest(TOKEN) }));
    const input = await composeInput(job, 'resume', { HOME: home }, TOKEN);
    assert.match(input, /\n\nClose your last message with the QUEUE-RESULT-4f9c line, .* as described\.\n\n/);
    assert.ok(input.endsWith('This is the task, in full:\n\nDo it.'));
  });

  it('that does not know the request gets all of it', async () => {
    keep(SESSION, '{}');
    const input = await composeInput(job, 'resume', { HOME: home }, TOKEN);
    assert.ok(input.includes(`\n\n${composeRequest(TOKEN)}\n\n`));
  });

  it('is not asked for a report if none is requested', async () => {
    keep(SESSION, '{}');
    assert.doesNotMatch(await composeInput(job, 'resume', { HOME: home }), /QUEUE-RESULT/);
  });

  it('is handed over without the report line of the earlier session', async () => {
    const content = [{ type: 'text', text: `Half is done.\n\n${LINE}` }];
    keep(OLD, JSON.stringify({ type: 'assistant', message: { content, usage: {} } }));
    const note = await composeInput({ ...job, handOver: OLD }, 'start', { HOME: home }, TOKEN);
    assert.match(note, /Half is done\./);
    assert.doesNotMatch(note, /QUEUE-RESULT/);
  });
});
