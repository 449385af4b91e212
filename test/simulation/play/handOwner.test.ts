import assert from 'node:assert/strict';
import { Kernel } from '../machine/kernel';
import { Random } from '../machine/random';
import { FOLDER, QUEUE_FILE } from '../program/host';
import { HandOwner } from './handOwner';

const HEADER = 'id,working_dir,prompt,status\n';

describe('the simulated user', () => {
  let kernel: Kernel;
  let owner: HandOwner;

  beforeEach(() => {
    kernel = new Kernel(new Random(1), 0);
    owner = new HandOwner(kernel);
    for (const folder of ['/place', FOLDER])
      kernel.disk.enter(folder, kernel.disk.create('folder', 0o755), 'mkdir');
  });

  function writeByProgram(text: string): void {
    kernel.disk.get(QUEUE_FILE, 'open').bytes = Buffer.from(text);
  }

  it('has written the cells of each row with an id that occurs twice', () => {
    const old = `${HEADER}7,a,Old,review\n`;
    owner.note(old, `${HEADER}7,b,New,pending\n7,a,Old,review\n`);
    assert.equal(owner.hasWritten(7, 'status', 'pending'), true);
    assert.equal(owner.hasWritten(7, 'status', 'completed'), false);
  });

  it('has not written a cell that was there before', () => {
    owner.note(`${HEADER}7,a,Old,review\n`, `${HEADER}7,a,New,review\n`);
    assert.equal(owner.hasWritten(7, 'status', 'review'), false);
  });

  it('expects the changes of a command although another one ended before it', () => {
    owner.create(`${HEADER}1,a,Old,pending\n`);
    const ended = owner.letOthersEdit();
    owner.accept();
    writeByProgram(`${HEADER}1,a,Edited,pending\n`);
    ended();
    owner.accept();
    owner.check();
  });

  it('notices that a program took a prompt back', () => {
    owner.create(`${HEADER}1,a,Old,pending\n`);
    writeByProgram(`${HEADER}1,a,Edited,pending\n`);
    assert.throws(() => {
      owner.check();
    }, /edits kept/);
  });
});
