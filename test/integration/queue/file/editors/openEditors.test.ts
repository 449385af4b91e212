import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RowTexts } from '../../../../../src/queue/file/fileState';
import {
  isAnyUnsaved,
  OpenEditor,
  readBases,
  readLivingWindows,
} from '../../../../../src/queue/file/editors/openEditors';
import { composeMarker } from '../../../../../src/queue/file/editors/windowMarkers';
import { TestMachine } from '../../../../conformance/systemUnderTest';
import { makeFolder } from '../../folder';
import { StatePaths } from '../../../../../src/queue/queuePaths';

const DAY_MS = 24 * 60 * 60 * 1000;

const PENDING: RowTexts = [[1, ['pending', '', '0']]];
const RUNNING: RowTexts = [[1, ['running', '', null]]];

/** A queue's `state/`, which is not there yet, and the windows that have the queue open. */
class CliHarness {
  readonly paths = new StatePaths(join(makeFolder(), 'state'));
  readonly state = this.paths.folder;
  private readonly machine = new TestMachine();
  private readonly isAlive = this.machine.isAlive.bind(this.machine);

  window(pid: number, startedAt = 'then'): OpenEditor {
    return new OpenEditor(this.paths, { pid, startedAt }, this.isAlive);
  }

  /** Ends a window without a last word. */
  kill(pid: number): void {
    this.machine.kill(pid);
  }

  async read() {
    const living = await readLivingWindows(this.paths, this.isAlive);
    const unsaved = living.filter((window) => window.unsaved !== null);
    return { living, unsaved, bases: await readBases(this.paths) };
  }

  isUnsaved(): Promise<boolean> {
    return isAnyUnsaved(this.paths, this.isAlive);
  }

  markers(): string[] {
    return readdirSync(join(this.state, 'windows')).sort();
  }

  /** Writes a marker of any name and content. */
  put(name: string, text: string): void {
    mkdirSync(join(this.state, 'windows'), { recursive: true });
    writeFileSync(join(this.state, 'windows', name), text);
  }
}

async function pidsOf(cli: CliHarness): Promise<{ living: number[]; unsaved: number[] }> {
  const { living, unsaved } = await cli.read();
  return {
    living: living.map(({ process }) => process.pid).sort(),
    unsaved: unsaved.map(({ process }) => process.pid),
  };
}

describe('An editor window', () => {
  it('writes nothing before it is announced, and then files that only the user can read', async () => {
    const cli = new CliHarness();
    const window = cli.window(7);
    assert.deepEqual(await cli.read(), { living: [], unsaved: [], bases: [] });
    assert.equal(existsSync(cli.state), false);
    const before = Date.now();
    await window.announce();
    const [marker = ''] = cli.markers();
    assert.match(marker, /^7-.*\.json$/);
    assert.equal(statSync(join(cli.state, 'windows', marker)).mode & 0o777, 0o600);
    assert.equal(statSync(join(cli.state, 'windows')).mode & 0o777, 0o700);
    const [reported] = (await cli.read()).living;
    assert.deepEqual(reported?.process, { pid: 7, startedAt: 'then' });
    assert.ok(reported.openedAt >= before - 1000 && reported.openedAt <= Date.now());
  });

  it('has unsaved changes from its report until its save', async () => {
    const cli = new CliHarness();
    const [one, other] = [cli.window(7), cli.window(8)];
    await Promise.all([one.announce(), other.announce()]);
    assert.equal(await cli.isUnsaved(), false);
    one.markUnsaved(PENDING);
    assert.deepEqual(await pidsOf(cli), { living: [7, 8], unsaved: [7] });
    assert.equal(await cli.isUnsaved(), true);
    assert.deepEqual((await cli.read()).bases, PENDING);
    await one.markSaved();
    assert.deepEqual(await pidsOf(cli), { living: [7, 8], unsaved: [] });
    assert.equal(await cli.isUnsaved(), false);
    assert.deepEqual(await readBases(cli.paths), []);
  });

  it('has the edit base of its first unsaved change until it saves', async () => {
    const cli = new CliHarness();
    const window = cli.window(7);
    window.markUnsaved(PENDING);
    window.markUnsaved(RUNNING);
    assert.deepEqual(await readBases(cli.paths), PENDING);
    await window.markSaved();
    window.markUnsaved(RUNNING);
    assert.deepEqual(await readBases(cli.paths), RUNNING);
  });

  it('still has unsaved changes after a save during which more was typed', async () => {
    const cli = new CliHarness();
    const window = cli.window(7);
    window.markUnsaved(PENDING);
    const saving = window.markSaved(RUNNING);
    assert.equal(await cli.isUnsaved(), true);
    await saving;
    assert.equal(await cli.isUnsaved(), true);
    assert.deepEqual(await readBases(cli.paths), RUNNING);
  });

  it('appears once after the first attempt, and keeps its unsaved changes', async () => {
    const cli = new CliHarness();
    const window = cli.window(7);
    await window.appear();
    assert.equal(existsSync(cli.state), false);
    mkdirSync(cli.state);
    await window.appear();
    assert.deepEqual(await pidsOf(cli), { living: [7], unsaved: [] });
    window.markUnsaved(PENDING);
    await window.appear();
    rmSync(join(cli.state, 'windows'), { recursive: true });
    await window.appear();
    assert.deepEqual(await pidsOf(cli), { living: [7], unsaved: [7] });
  });

  it('writes again what could not be written', async () => {
    const cli = new CliHarness();
    const window = cli.window(7);
    writeFileSync(cli.state, 'no folder');
    assert.throws(() => window.markUnsaved(PENDING));
    rmSync(cli.state);
    window.markUnsaved(PENDING);
    assert.equal(await cli.isUnsaved(), true);
  });

  it('removes its marker when it closes, unless it has unsaved changes', async () => {
    const cli = new CliHarness();
    const window = cli.window(7);
    await window.announce();
    window.leave();
    window.leave();
    assert.deepEqual(cli.markers(), []);
    window.markUnsaved(PENDING);
    window.leave();
    assert.deepEqual(await readBases(cli.paths), PENDING);
  });

  it('that died has no unsaved changes, but its edit base stays until a save', async () => {
    const cli = new CliHarness();
    cli.window(7).markUnsaved(PENDING);
    cli.kill(7);
    assert.deepEqual(await pidsOf(cli), { living: [], unsaved: [] });
    assert.equal(await cli.isUnsaved(), false);
    const next = cli.window(8);
    await next.announce();
    next.markUnsaved(RUNNING);
    assert.deepEqual((await cli.read()).bases.toSorted(), [...PENDING, ...RUNNING]);
    await next.markSaved();
    assert.deepEqual((await cli.read()).bases, []);
    assert.equal(cli.markers().length, 1);
  });

  it('that died without unsaved changes is removed by the next one', async () => {
    const cli = new CliHarness();
    await cli.window(7).announce();
    cli.kill(7);
    await cli.window(8).announce();
    assert.deepEqual(
      cli.markers().map((name) => name.split('-')[0]),
      ['8'],
    );
  });

  it('that died differs from a later one with its process number', async () => {
    const cli = new CliHarness();
    cli.window(7).markUnsaved(PENDING);
    await cli.window(7, 'later').announce();
    assert.deepEqual(await readBases(cli.paths), PENDING);
  });

  it('that died is removed after a month, also with unsaved changes', async () => {
    const cli = new CliHarness();
    for (const [pid, days] of [
      [7, 29],
      [9, 31],
    ] as const) {
      const since = Date.now() - days * DAY_MS;
      const window = { process: { pid, startedAt: 'then' }, openedAt: since };
      cli.put(`${String(pid)}.json`, composeMarker({ ...window, unsaved: { since, base: PENDING } }));
      cli.kill(pid);
    }
    assert.deepEqual(await readBases(cli.paths), PENDING);
    await cli.window(8).announce();
    assert.deepEqual(
      cli.markers().map((name) => name.split(/\W/)[0]),
      ['7', '8'],
    );
  });

  it('works with torn and unknown markers of others', async () => {
    const cli = new CliHarness();
    const whole = composeMarker({
      process: { pid: 7, startedAt: 'then' },
      openedAt: 1,
      unsaved: { since: Date.now(), base: PENDING },
    });
    const foreign = [
      '',
      whole.slice(0, 40),
      'null',
      '[]',
      whole.replace('"version":1', '"version":2'),
      whole.replace('"pid":7', '"pid":"7"'),
      whole.replace('"pending"', '7'),
      whole.replace('"since"', '"sense"'),
    ];
    foreign.forEach((text, index) => {
      cli.put(`${String(index)}.json`, text);
    });
    cli.put('9.json.tmp', whole);
    mkdirSync(join(cli.state, 'windows', 'folder.json'));
    await cli.window(8).announce();
    assert.deepEqual(await pidsOf(cli), { living: [8], unsaved: [] });
    assert.deepEqual(await readBases(cli.paths), []);
    cli.put('7.json', whole);
    assert.deepEqual(await pidsOf(cli), { living: [7, 8], unsaved: [7] });
  });
});
