import assert from 'node:assert/strict';
import { QueueDocument } from '../../../../../src/editor/queueFile/document/queueDocument';
import { hasLongPrompt, planMove } from '../../../../../src/editor/queueFile/fixes/movePrompt';

const FOLDER = 'claude_queue/prompts';

function rowOf(text: string, line: number) {
  const document = QueueDocument.parse(text);
  const row = document.rowAt(line);
  assert.ok(row !== undefined);
  return { document, row };
}

/** Moves the prompt of the row in a line, from 0. Returns the new text, and the new file. */
function move(text: string, line: number, taken: readonly string[] = []) {
  const { document, row } = rowOf(text, line);
  const found = planMove(document, row, FOLDER, (file) => !taken.includes(file));
  if (found === null) return null;
  const starts = text.split('\n').map((_, index, lines) => lines.slice(0, index).join('\n').length + 1);
  starts[0] = 0;
  const offset = ({ line: at, character }: { line: number; character: number }): number =>
    (starts[at] ?? 0) + character;
  const changed = found.edits
    .slice()
    .sort((a, b) => offset(b.range.start) - offset(a.range.start))
    .reduce(
      (now, edit) => now.slice(0, offset(edit.range.start)) + edit.text + now.slice(offset(edit.range.end)),
      text,
    );
  return { text: changed, file: found.file, content: found.content };
}

describe('Moving a prompt to a file', () => {
  it('leaves its first line as the title, and names the file in the row', () => {
    const text = 'id,working_dir,prompt,prompt_file\n5,.,"# Tidy up, all\nand then ""rest""",\n6,.,b,\n';
    assert.deepEqual(move(text, 1), {
      text: 'id,working_dir,prompt,prompt_file\n5,.,"Tidy up, all",claude_queue/prompts/5-tidy-up-all.md\n6,.,b,\n',
      file: 'claude_queue/prompts/5-tidy-up-all.md',
      content: '# Tidy up, all\nand then "rest"\n',
    });
  });

  it('adds the column to every row that is not shorter than the header if it is missing', () => {
    const text = 'id;working_dir;prompt\n5;.;"a\nb"\n6;.\n7;.;c\n';
    assert.equal(
      move(text, 1)?.text,
      'id;working_dir;prompt;prompt_file\n5;.;"a";claude_queue/prompts/5-a.md\n6;.\n7;.;c;\n',
    );
  });

  it('keeps the fault of a row with a cell too many, which does not become its prompt file', () => {
    const text = 'id,working_dir,prompt\n5,.,"a\nb"\n6,.,compare, notes.md\n';
    assert.equal(
      move(text, 1)?.text,
      'id,working_dir,prompt,prompt_file\n5,.,"a",claude_queue/prompts/5-a.md\n6,.,compare, notes.md,\n',
    );
  });

  it('takes a name that no file has, also for a title without letters', () => {
    const text = 'id,working_dir,prompt,prompt_file\n5,.,"***\nb",\n';
    assert.equal(move(text, 1)?.file, 'claude_queue/prompts/5-prompt.md');
    const taken = ['claude_queue/prompts/5-prompt.md', 'claude_queue/prompts/5-prompt-2.md'];
    assert.equal(move(text, 1, taken)?.file, 'claude_queue/prompts/5-prompt-3.md');
    assert.equal(move('id,working_dir,prompt\n5,.,"片付け 表\nb"\n', 1)?.file, `${FOLDER}/5-片付け-表.md`);
  });

  it('is possible for several lines or 200 characters, without a file so far', () => {
    const isLong = (prompt: string, file = ''): boolean =>
      hasLongPrompt(rowOf(`id,working_dir,prompt,prompt_file\n5,.,"${prompt}",${file}\n`, 1).row);
    assert.deepEqual(
      [isLong('a'), isLong('a\nb'), isLong('a'.repeat(200)), isLong('a\nb', 'x.md'), isLong('a\n')],
      [false, true, true, false, false],
    );
  });

  it('is not possible in a row that does not fit the header', () => {
    assert.equal(move('id,working_dir,prompt\n5,.,"a\nb",more\n', 1), null);
  });
});
