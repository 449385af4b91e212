import assert from 'node:assert/strict';
import { readCsv } from '../../../../src/queue/csv/csvFile';
import { mergeCsv, type Merge, type MergeInput } from '../../../../src/queue/csv/threeWayMerge';
import { applyEdits } from '../../../support/csv/textEdits';

const HEADER = 'id,working_dir,prompt,status';

function text(...rows: readonly string[]): string {
  return [HEADER, ...rows, ''].join('\n');
}

interface States {
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

const TYPED: MergeInput['isOwn'] = () => true;
const CAME_BY_UNDO: MergeInput['isOwn'] = () => false;

function merge({ base, mine, theirs }: States, isOwn: MergeInput['isOwn'] = TYPED): Merge {
  const [baseFile, mineFile, theirsFile] = [base, mine, theirs].map((each) => readCsv(Buffer.from(each)));
  assert.ok(baseFile && mineFile && theirsFile);
  return mergeCsv({ base: baseFile, mine: mineFile, theirs: theirsFile, isOwn });
}

/** The unsaved document after the merge, which must need nothing when it is merged once more. */
function merged(states: States, isOwn: MergeInput['isOwn'] = TYPED): string {
  const outcome = merge(states, isOwn);
  assert.notEqual(outcome.kind, 'conflict', outcome.kind === 'conflict' ? outcome.message : '');
  const after = outcome.kind === 'merged' ? applyEdits(states.mine, outcome.edits) : states.mine;
  assert.deepEqual(merge({ ...states, mine: after }, isOwn), { kind: 'same' });
  return after;
}

function conflict(states: States, isOwn: MergeInput['isOwn'] = TYPED): string {
  const outcome = merge(states, isOwn);
  assert.equal(outcome.kind, 'conflict');
  return outcome.message;
}

const BASE = text('1,/w,one,pending', '2,/w,two,pending', '3,/w,three,pending');

describe('Unsaved changes', () => {
  it('stay unchanged without changes on the disk', () => {
    const mine = text('1,/w,one more,pending', '2,/w,two,pending', '4,/w,fo');
    assert.deepEqual(merge({ base: BASE, mine, theirs: BASE }), { kind: 'same' });
    const unreadable = `${BASE}4,/w,"half a prompt`;
    assert.deepEqual(merge({ base: BASE, mine: unreadable, theirs: BASE }), { kind: 'same' });
  });

  it('take a new row above or below a row whose empty cell at that place changed on the disk', () => {
    const header = 'scheduled_time,id,working_dir,prompt,status';
    const base = [header, ',1,/w,one,pending', ',2,/w,two,', ''].join('\n');
    const theirs = [
      header,
      ',1,/w,one,pending',
      ',8,/w,eight,pending',
      '2026-11-21 09:00,2,/w,two,completed',
      ',9,/w,nine,pending',
    ].join('\n');
    for (const end of ['\n', '']) {
      const mine = base.replace('one', 'one more').replace(/\n$/, end);
      assert.equal(
        merged({ base, mine, theirs }, CAME_BY_UNDO),
        `${theirs.replace('one', 'one more')}${end}`,
      );
    }
  });

  it('take cells that changed on the disk, and keep their own', () => {
    const mine = BASE.replace('two', '"two, ""quoted"""');
    const theirs = BASE.replace('1,/w,one,pending', '1,/w,one,completed').replace('three', 'drei');
    assert.equal(
      merged({ base: BASE, mine, theirs }),
      text('1,/w,one,completed', '2,/w,"two, ""quoted""",pending', '3,/w,drei,pending'),
    );
  });

  it('have offsets in UTF-16 units, as editors do', () => {
    const base = text('1,/w,表を書く 😀,pending', '2,/w,👩‍👩‍👧 ünïcode,pending');
    const mine = base.replace('表を書く', '表を消す。𠮷');
    const theirs = base.replace(/pending$/m, 'completed').replace('ünïcode,pending', '終わり 🎉,running');
    assert.equal(
      merged({ base, mine, theirs }),
      text('1,/w,表を消す。𠮷 😀,completed', '2,/w,👩‍👩‍👧 終わり 🎉,running'),
    );
  });

  it('keep the quotes of a cell, and get them if a new text needs them', () => {
    const base = text('1,/w,"one",pending', '2,/w,two,pending');
    const theirs = text('1,/w,eins,pending', '2,/w,"zwei, drei",pending');
    const mine = `${base}4,/w,mine,pending\n`;
    assert.equal(
      merged({ base, mine, theirs }),
      text('1,/w,"eins",pending', '2,/w,"zwei, drei",pending', '4,/w,mine,pending'),
    );
  });

  it('get rows from the disk at their place there, without moving their own', () => {
    const mine = `${BASE.replace('one', 'eins')}7,/w,mine,pending\n`;
    const theirs = text(
      '9,/w,first,pending',
      '1,/w,one,pending',
      '8,/w,second,pending',
      '10,/w,third,pending',
      '2,/w,two,pending',
      '3,/w,three,pending',
      '11,/w,"last\nof all",pending',
    );
    assert.equal(
      merged({ base: BASE, mine, theirs }),
      text(
        '9,/w,first,pending',
        '1,/w,eins,pending',
        '8,/w,second,pending',
        '10,/w,third,pending',
        '2,/w,two,pending',
        '3,/w,three,pending',
        '11,/w,"last\nof all",pending',
        '7,/w,mine,pending',
      ),
    );
  });

  it('get rows from the disk also if the last line has no end, or no row exists yet', () => {
    const base = text('1,/w,one,pending').trimEnd();
    const theirs = `${base}\n2,/w,two,pending`;
    assert.equal(merged({ base, mine: base.replace('one', 'eins'), theirs }), theirs.replace('one', 'eins'));
    const empty = [HEADER, `${HEADER}\n`];
    for (const nothing of empty) {
      const typed = `${nothing.trimEnd()}\n\n`;
      const added = text('1,/w,one,pending', '2,/w,two,pending');
      assert.equal(merged({ base: nothing, mine: typed, theirs: added }).replace('\n\n', '\n'), added);
      assert.equal(merged({ base: nothing, mine: nothing, theirs: added }).trimEnd(), added.trimEnd());
    }
  });

  it('lose unchanged rows that were deleted on the disk', () => {
    const mine = BASE.replace('one', 'eins');
    assert.equal(merged({ base: BASE, mine, theirs: text('1,/w,one,pending') }), text('1,/w,eins,pending'));
    const unended = BASE.trimEnd();
    assert.equal(
      merged({
        base: unended,
        mine,
        theirs: text('4,/w,four,pending', '1,/w,one,pending', '2,/w,two,pending'),
      }),
      text('4,/w,four,pending', '1,/w,eins,pending', '2,/w,two,pending'),
    );
  });

  it('exchange all rows if the disk did', () => {
    for (const mine of [BASE, BASE.trimEnd()]) {
      const theirs = text('7,/w,seven,pending', '8,/w,eight,pending');
      assert.equal(merged({ base: BASE, mine, theirs }), theirs);
    }
  });

  it('keep a row deleted into which the program wrote a status', () => {
    const mine = text('1,/w,one,pending', '3,/w,three,pending');
    assert.equal(
      merged({ base: BASE, mine, theirs: BASE.replaceAll('pending', 'running') }),
      mine.replaceAll('pending', 'running'),
    );
  });

  it('keep their order, and match a moved row by its id', () => {
    const mine = text('3,/w,three,pending', '1,/w,one,pending', '2,/w,two,pending');
    assert.equal(
      merged({ base: BASE, mine, theirs: BASE.replace('2,/w,two,pending', '2,/w,zwei,failed') }),
      text('3,/w,three,pending', '1,/w,one,pending', '2,/w,zwei,failed'),
    );
  });

  it('win in a shared cell over a write of the program', () => {
    const mine = BASE.replace('one,pending', 'one,cancelled');
    const theirs = BASE.replace('one,pending', 'one,running');
    assert.equal(merged({ base: BASE, mine, theirs }), mine);
  });

  it('do not win in a shared cell if they came from an undo', () => {
    const base = BASE.replace('one,pending', 'one,completed');
    const mine = BASE.replace('two', 'zwei');
    const wanted = mine.replace('one,pending', 'one,completed');
    assert.equal(merged({ base, mine, theirs: base }, CAME_BY_UNDO), wanted);
    const asked: unknown[] = [];
    merged({ base, mine, theirs: base }, (...question) => asked.push(question) === 0);
    assert.deepEqual(asked[0], [1, 'status', 'pending']);
    assert.equal(
      merged({ base: BASE, mine: BASE.replace('one,pending', 'one,failed'), theirs: text() }, CAME_BY_UNDO),
      text(),
    );
  });

  it('are not changes if the editor only normalized line ends, or removed the byte order mark', () => {
    const base = '\ufeffid,working_dir,prompt,status\r\n1,/w,"a\nb",pending\r\n2,/w,"c\r\nd",pending\n';
    const mine = base
      .slice(1)
      .replace(/\r\n|\n/g, '\r\n')
      .replace('c\r\nd', 'c\r\ne');
    const theirs = base.replace('"a\nb",pending', '"a\nb\nx",running').concat('3,/w,"e\nf",pending\n');
    assert.equal(
      merged({ base, mine, theirs }),
      `${HEADER}\r\n1,/w,"a\r\nb\r\nx",running\r\n2,/w,"c\r\ne",pending\r\n3,/w,"e\r\nf",pending\r\n`,
    );
  });

  it('can start with a byte order mark', () => {
    const mine = `\ufeff${BASE.replace('one', 'eins')}`;
    assert.equal(
      merged({ base: BASE, mine, theirs: BASE.replace('two', 'zwei') }),
      mine.replace('two', 'zwei'),
    );
  });

  it('with a half-typed row, or one without an id, are merged', () => {
    for (const typed of ['4,/w', ',/w,new,pending', 'x', '1,/w,copied,pending']) {
      const mine = `${BASE}${typed}\n`;
      const theirs = BASE.replace('two,pending', 'two,running');
      assert.equal(merged({ base: BASE, mine, theirs }), mine.replace('two,pending', 'two,running'));
    }
  });

  it('keep their dialect', () => {
    const base = 'id;working_dir;prompt;status\n1;/w;one;pending\n';
    assert.equal(
      merged({ base, mine: `${base}2;/w;mine;\n`, theirs: base.replace('one', '"a;b"') }),
      'id;working_dir;prompt;status\n1;/w;"a;b";pending\n2;/w;mine;\n',
    );
  });
});

describe('The user', () => {
  it('must choose if both sides wrote different texts into one cell', () => {
    const states = { base: BASE, mine: BASE.replace('one', 'eins'), theirs: BASE.replace('one', 'un') };
    assert.match(conflict(states), /Row 1 .*prompt/);
    assert.equal(
      merged({ ...states, theirs: states.mine.replace('two', 'zwei') }),
      states.mine.replace('two', 'zwei'),
    );
  });

  it('must choose if one side deleted a row that the other changed', () => {
    const deleted = text('2,/w,two,pending', '3,/w,three,pending');
    const changed = BASE.replace('one', 'eins');
    assert.match(conflict({ base: BASE, mine: deleted, theirs: changed }), /Row 1 was deleted/);
    assert.match(conflict({ base: BASE, mine: changed, theirs: deleted }), /Row 1 .*deleted on disk/);
    const reopened = BASE.replace('one,pending', 'one,cancelled');
    assert.match(conflict({ base: BASE, mine: reopened, theirs: deleted }), /Row 1/);
  });

  it('must choose if both gave one id to different new rows, but not to equal ones', () => {
    const mine = `${BASE}4,/w,mine,pending\n`;
    const theirs = BASE.replace('two', 'zwei');
    assert.match(conflict({ base: BASE, mine, theirs: `${theirs}4,/w,theirs,pending\n` }), /Row 4/);
    assert.equal(
      merged({ base: BASE, mine, theirs: `${theirs}4,/w,mine,running\n` }, CAME_BY_UNDO),
      `${theirs}4,/w,mine,running\n`,
    );
  });

  it('must choose if changed rows cannot be distinguished', () => {
    const theirs = BASE.replace('one,pending', 'one,running');
    for (const mine of [`${BASE}1,/w,copied,pending\n`, BASE.replace('1,/w,one,', '1,/w,one, two,')])
      assert.match(conflict({ base: BASE, mine, theirs }), /Row 1/);
    assert.match(
      conflict({ base: BASE, mine: `${BASE}1,/w,copy,pending\n`, theirs: text('3,/w,three,pending') }),
      /Row 1/,
    );
    assert.match(
      conflict({ base: BASE, mine: `${BASE}5,/w,`, theirs: `${BASE}5,/w,five,pending\n` }),
      /Row 5/,
    );
    const without = `${BASE},/w,no id,pending\n`;
    assert.match(
      conflict({ base: without, mine: BASE, theirs: without.replace('no id', 'none') }),
      /without a unique id/,
    );
  });

  it('must choose if the first line was changed, rows were moved on the disk, or a file is not whole', () => {
    const mine = BASE.replace('one', 'eins');
    const moved = text('2,/w,two,pending', '1,/w,one,pending', '3,/w,three,pending');
    const wider = BASE.replace('status', 'status,model').replaceAll('pending', 'pending,');
    for (const theirs of [moved, wider, '', `${BASE}4,/w,"half`, BASE.slice(0, -12).concat('"')]) {
      conflict({ base: BASE, mine, theirs });
    }
    const theirs = BASE.replace('two', 'zwei');
    conflict({ base: BASE, mine: wider, theirs });
    conflict({ base: BASE, mine: `${mine}4,/w,"half`, theirs });
  });
});
