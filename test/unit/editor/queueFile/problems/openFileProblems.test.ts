import assert from 'node:assert/strict';
import { QueueDocument } from '../../../../../src/editor/queueFile/document/queueDocument';
import { OpenFileProblems } from '../../../../../src/editor/queueFile/problems/openFileProblems';
import type { TextRange } from '../../../../../src/editor/queueFile/document/textRange';
import type { RowContext } from '../../../../../src/queue/row/rowContext';

const CONTEXT: RowContext = { timeZone: 'UTC', folder: '/work', home: '/h', allowBypass: false };
const HEADER = 'id,priority,working_dir,prompt,status,dependencies';

const place = ({ start, end }: TextRange): string =>
  `${start.line}:${start.character}-${end.line}:${end.character}`;

/** Problems as `place message`. */
async function problemsOf(text: string, live = new OpenFileProblems(CONTEXT)): Promise<string[]> {
  const problems = await live.find(QueueDocument.parse(text), CONTEXT);
  return problems.map(({ range, message }) => `${place(range)} ${message}`);
}

describe('The problems of an open queue file', () => {
  it('are at their cells, several of a row', async () => {
    const [priority, prompt, ...others] = await problemsOf(`${HEADER}\n1,hihg,🐛," ",pending,\n`);
    assert.match(priority ?? '', /^1:2-1:6 The priority "hihg" is not known\./);
    assert.match(prompt ?? '', /^1:10-1:13 The prompt is missing\./);
    assert.deepEqual(others, []);
  });

  it('are at the whole cell over several lines', async () => {
    const [found] = await problemsOf(`${HEADER}\r\n1,"hi\r\nhg",.,Test,,\r\n`);
    assert.match(found ?? '', /^1:2-2:3 The priority/);
  });

  it('are at the row that has too many or too few cells', async () => {
    const found = await problemsOf(`${HEADER}\n1,high,.,Test, and more,,\n2,high\n`);
    assert.match(found[0] ?? '', /^1:0-1:25 This row has 7 cells/);
    assert.match(found[1] ?? '', /^2:0-2:6 This row has 2 cells/);
  });

  it('are at the cell with a misplaced quote, and at a quote that is not closed', async () => {
    const [misplaced] = await problemsOf(`${HEADER}\n1,high,.,Say "hi",,\n`);
    assert.match(misplaced ?? '', /^1:9-1:17 This quote is misplaced\./);
    const [open] = await problemsOf(`${HEADER}\n1,high,.,"Say hi,,\n2,high,.,Test,,`);
    assert.match(open ?? '', /^1:9-1:10 This quote is never closed\./);
  });

  it('are at the header that lacks a column, or names one twice', async () => {
    const [lacking] = await problemsOf('id,prompt\n1,Test\n');
    assert.match(lacking ?? '', /^0:0-0:9 The header lacks working_dir\./);
    const [twice] = await problemsOf('id;prompt;working_dir;id\n');
    assert.match(twice ?? '', /^0:0-0:24 The header names the column id twice\./);
    const [empty] = await problemsOf('');
    assert.match(empty ?? '', /^0:0-0:0 The file is empty\./);
  });

  it('are warnings at a column that may be misspelled, and none at another name', async () => {
    const text = 'id,working_dir,prompt,Dependancies ,owner,tag,tags\n1,.,Do it,,me,,\n';
    const problems = await new OpenFileProblems(CONTEXT).find(QueueDocument.parse(text), CONTEXT);
    const message = 'The column "dependancies" is not known and has no effect. Did you mean dependencies?';
    assert.deepEqual(
      problems.map((problem) => [place(problem.range), problem.severity, problem.message]),
      [['0:22-0:35', 'warning', message]],
    );
  });

  it('are at both rows with one id, and each points at the other', async () => {
    const text = `${HEADER}\n7,,.,a,,\n8,,.,b,,\n 7,,.,c,,\n`;
    const problems = await new OpenFileProblems(CONTEXT).find(QueueDocument.parse(text), CONTEXT);
    assert.deepEqual(
      problems.map(({ range, related }) => [
        place(range),
        related.map((other) => `${place(other.range)} ${other.message}`),
      ]),
      [
        ['1:0-1:1', ['3:0-3:2 Id 7 is here too.']],
        ['3:0-3:2', ['1:0-1:1 Id 7 is here too.']],
      ],
    );
  });

  it('are also at a valid row if a row that cannot be read has its id', async () => {
    const text = `${HEADER}\n7,,.,a,,\n8,,.,b,,\n7,zz,.,c,,\n`;
    const [valid, unread, ...others] = await new OpenFileProblems(CONTEXT).find(
      QueueDocument.parse(text),
      CONTEXT,
    );
    assert.ok(valid !== undefined && unread !== undefined);
    assert.deepEqual(
      [place(valid.range), valid.message, valid.related.map(({ range }) => place(range))],
      ['1:0-1:1', 'Id 7 is on lines 2 and 4. Each row needs a unique id.', ['3:0-3:1']],
    );
    assert.match(unread.message, /^The priority "zz" is not known/);
    assert.deepEqual(others, []);
  });

  it('are at the very dependency that is missing or closes a cycle', async () => {
    const text = `${HEADER}\n1,,.,a,,9 | 2\n2,,.,b,,\n`;
    const [missing, ...others] = await problemsOf(text);
    assert.match(missing ?? '', /^1:8-1:9 Depends on 9, which does not exist\./);
    assert.deepEqual(others, []);
    const cycle = await problemsOf(`${HEADER}\n1,,.,a,,4|2\n2,,.,b,,4|1\n4,,.,c,,\n`);
    assert.deepEqual(
      cycle.map((found) => found.split(' ')[0]),
      ['1:10-1:11', '2:10-2:11'],
    );
  });

  it('follow each change of the text, also the header', async () => {
    const live = new OpenFileProblems(CONTEXT);
    assert.deepEqual(await problemsOf(`${HEADER}\n1,high,.,Test,pending,\n`, live), []);
    assert.equal((await problemsOf(`${HEADER}\n1,hig,.,Test,pending,\n`, live)).length, 1);
    assert.equal((await problemsOf(`\n${HEADER}\n1,hig,.,Test,pending,\n`, live))[0]?.slice(0, 7), '2:2-2:5');
    const moved = HEADER.replace('id,priority', 'priority,id');
    assert.equal((await problemsOf(`${moved}\n1,high,.,Test,pending,\n`, live)).length, 1);
    assert.deepEqual(await problemsOf(`${moved}\nhigh,1,.,Test,pending,\n`, live), []);
  });

  it('follow the context: what the settings allow', async () => {
    const live = new OpenFileProblems(CONTEXT);
    const document = QueueDocument.parse('id,prompt,working_dir,permission_mode\n1,a,.,bypassPermissions\n');
    assert.equal((await live.find(document, CONTEXT)).length, 1);
    assert.deepEqual(await live.find(document, { ...CONTEXT, allowBypass: true }), []);
  });

  it('are found once each when checks overlap', async () => {
    const live = new OpenFileProblems(CONTEXT);
    const texts = ['x', '1', 'y'].map((id) => `${HEADER}\n${id},,.,a,,\n`);
    const found = await Promise.all(texts.map((text) => problemsOf(text, live)));
    assert.deepEqual(
      found.map(({ length }) => length),
      [1, 0, 1],
    );
  });
});
