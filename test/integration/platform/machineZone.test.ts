import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { machineZone, processZone } from '../../../src/platform/timeZones';

describe('The zone of the machine', () => {
  let etc: string;
  beforeEach(() => {
    etc = mkdtempSync(join(tmpdir(), 'etc-'));
  });
  afterEach(() => rmSync(etc, { recursive: true }));

  function link(zone: string): void {
    const file = join(etc, 'zoneinfo', zone);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, '');
    symlinkSync(file, join(etc, 'localtime'));
  }

  it('is the one that its clock is linked to', () => {
    link('America/Argentina/Ushuaia');
    writeFileSync(join(etc, 'timezone'), 'Asia/Tokyo\n');
    assert.equal(machineZone(etc), 'America/Argentina/Ushuaia');
  });

  it('is found in the folders with and without leap seconds', () => {
    link('posix/Europe/Berlin');
    assert.equal(machineZone(etc), 'Europe/Berlin');
  });

  it('is the one that Debian names if its clock is a copy', () => {
    writeFileSync(join(etc, 'localtime'), 'TZif2');
    writeFileSync(join(etc, 'timezone'), 'Asia/Tokyo\n');
    assert.equal(machineZone(etc), 'Asia/Tokyo');
  });

  it('is the zone of the process if nothing valid names it', () => {
    assert.equal(machineZone(etc), processZone());
    writeFileSync(join(etc, 'timezone'), 'Nowhere/Land\n');
    assert.equal(machineZone(etc), processZone());
  });
});
