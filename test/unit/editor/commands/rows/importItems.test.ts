import assert from 'node:assert/strict';
import { planImport } from '../../../../../src/app/actions/rows/importPlan';
import { describeRow, listRows } from '../../../../../src/editor/commands/rows/importItems';

const ROWS = { timeZone: 'UTC', folder: '/work', home: '/home/me', allowBypass: false };
const USUAL = { status: 'pending', working_dir: '.', priority: 'medium' };

function list(name: string, text: string) {
  return listRows(planImport(name, Buffer.from(text), { rows: ROWS, ids: new Set(), usual: USUAL }));
}

describe('The list before an import', () => {
  it('ticks rows that are open and valid, and says what is special about each', () => {
    const items = list(
      'tasks.csv',
      'id,working_dir,prompt,status,dependencies,model,priority\n1,.,a,completed,,,\n2,sub,b,,1,opus,\n3,.,c,,,,urgent\n',
    );
    assert.deepEqual(
      items.map(({ isPicked, description }) => [isPicked, description]),
      [
        [false, 'done'],
        [true, ''],
        [false, ''],
      ],
    );
    assert.equal(items[1]?.detail, 'working_dir sub · priority medium · model opus · after row 1');
    assert.match(items[2]?.detail ?? '', /^The priority "urgent" is not known\./);
  });

  it('says how much of a prompt it leaves out, and shows all of a row on demand', () => {
    const [item] = list('TODO.md', `- [ ] ${'x'.repeat(100)}\n  and more\u200b\n`);
    assert.match(item?.detail ?? '', /more characters, 1 more line/);
    assert.ok(item !== undefined);
    assert.match(describeRow(item), /prompt: x{100}\nand more.+\n/);
    const [wrong] = list('TODO.md', '- [ ]\n');
    assert.ok(wrong !== undefined);
    assert.match(describeRow(wrong), /^The prompt is missing\.[^\n]*\n\nstatus: pending\n/);
  });
});
