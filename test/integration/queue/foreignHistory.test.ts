import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Approvals, queueKey } from '../../../src/account/approvals';
import { Histories } from '../../../src/account/histories';
import { permissionFingerprint } from '../../../src/domain/task/permissionFingerprint';
import { OPEN_GATE } from '../../../src/domain/gate/gate';
import { isProblem } from '../../../src/domain/problem';
import { defaults } from '../../../src/domain/settings/settings';
import { COMPLETION } from '../../../src/domain/task/decide';
import { isApproved } from '../../../src/domain/task/approval';
import { openFileQueue, openForeignHistory } from '../../../src/queue/openQueue';
import type { Claimed, TaskQueue } from '../../../src/queue/taskQueue';
import { attemptOf, verdictOf } from '../../conformance/harness';
import { makeFolder } from './folder';

const FIXTURES = resolve(__dirname, '../../fixtures/state');
const ROWS = { timeZone: 'Europe/Berlin', folder: '/place', home: '/home/me', allowBypass: false };
const HOLD = { by: 'person', why: 'night' } as const;

/** A queue folder of a user, whose state folder is `user`. */
class Folder {
  readonly file: string;
  readonly state: string;

  constructor(
    readonly user = makeFolder(),
    readonly folder = makeFolder(),
  ) {
    this.file = join(folder, 'prompts.csv');
    this.state = join(folder, 'state');
  }

  static of(version: string): Folder {
    const made = new Folder();
    cpSync(join(FIXTURES, version === 'v3' ? 'v3' : 'v1', 'prompts.csv'), made.file);
    cpSync(join(FIXTURES, version), made.state, { recursive: true });
    return made;
  }

  /** The folder of a version, with its entries in the user's state folder. */
  static ofItsUser(version: string): Folder {
    const made = Folder.of(version);
    for (const [name, folder, of] of [
      ['approvals', 'approvals', made.file],
      ['history', 'histories', made.state],
    ] as const) {
      mkdirSync(join(made.user, folder));
      cpSync(join(FIXTURES, version, `${name}.json`), join(made.user, folder, `${queueKey(of)}.json`));
    }
    return made;
  }

  get approvals(): Approvals {
    return new Approvals(this.user, this.file);
  }

  open(isAlive: () => boolean = () => false): Promise<TaskQueue> {
    return openFileQueue({
      file: this.file,
      rows: () => ROWS,
      machine: { id: 'here', isAlive },
      known: new Histories(this.user, this.state, this.approvals),
      clock: { now: () => 1_795_198_700_000, sleep: () => Promise.resolve() },
      warn: () => undefined,
    });
  }

  async step(): Promise<void> {
    const queue = await this.open();
    await queue.hold(HOLD, 'h');
    await queue.close();
  }

  headers(): unknown[] {
    return readdirSync(this.state)
      .filter((name) => name.startsWith('journal'))
      .map((name) => readFileSync(join(this.state, name), 'utf8').split('\n')[0] ?? '')
      .map((line) => JSON.parse(line) as { version?: number })
      .map(({ version }) => version);
  }
}

interface ShownTask {
  readonly id: number;
  readonly power: string;
  readonly dueAt: number | null;
  readonly session: string | null;
  readonly firstSeenAt: number;
}

function readShown(version: string): ReadonlyMap<string, ShownTask> {
  const reported = JSON.parse(readFileSync(join(FIXTURES, version, 'state.json'), 'utf8')) as Reported;
  return new Map(reported.queue.tasks.map.map(([, task]) => [`${String(task.id)}:${task.power}`, task]));
}

async function assertKept(made: Folder, before: ReadonlyMap<string, ShownTask>): Promise<void> {
  const queue = await made.open();
  const { tasks } = await queue.read();
  await queue.close();
  const approvedRows = await made.approvals.read();
  assert.ok(tasks.length > 5);
  for (const { definition, state } of tasks) {
    const row = { id: definition.id, power: permissionFingerprint(definition) };
    assert.ok(isApproved(row, approvedRows), String(row.id));
    const { dueAt, session, firstSeenAt } = before.get(`${String(row.id)}:${row.power}`) ?? {};
    assert.deepEqual([state.dueAt, state.session, state.firstSeenAt], [dueAt, session, firstSeenAt]);
  }
}

interface Reported {
  readonly queue: { readonly tasks: { readonly map: readonly (readonly [string, ShownTask])[] } };
}

/** Claims the next row of a trusted queue for a worker. */
async function claimAs(worker: string, queue: TaskQueue): Promise<Claimed> {
  const request = {
    owner: { kind: 'process', machine: 'here', worker, process: { pid: 9, startedAt: worker } },
    since: 0,
    gate: OPEN_GATE,
    approvedRows: { trusted: true, approvals: new Set<string>() },
    settings: defaults,
    timeZone: 'UTC',
    freshSession: worker,
  } as const;
  const answer = await queue.claim(request, worker);
  assert.ok(answer.kind === 'claimed');
  return answer;
}

const isForeign = (error: unknown): boolean => isProblem(error, 'state-foreign');

describe('A foreign history', () => {
  it('is refused if another user made it', async () => {
    const made = new Folder();
    writeFileSync(made.file, 'id,working_dir,prompt\n1,.,Take notes\n');
    await made.step();
    await assert.rejects(new Folder(makeFolder(), made.folder).open(), isForeign);
    await (await made.open()).close();
  });

  it('is refused in an open queue if it replaces the known one', async () => {
    const made = new Folder();
    writeFileSync(made.file, 'id,working_dir,prompt\n1,.,Take notes\n');
    await made.step();
    const queue = await made.open();
    const line = { at: 0, n: 0, by: 'x', version: 3, history: 'theirs' };
    rmSync(join(made.state, 'journal'));
    writeFileSync(join(made.state, 'journal.7'), `${JSON.stringify(line)}\n`);
    await assert.rejects(queue.read(), isForeign);
    await assert.rejects(queue.hold(HOLD, 'x'), isForeign);
    await queue.close();
  });

  it('loses its callbacks when it is adopted, also those of running attempts', async () => {
    const theirs = new Folder();
    const row = '.,Take notes,https://row.test/hook';
    writeFileSync(theirs.file, `id,working_dir,prompt,callback_url\n1,${row}\n2,${row}\n`);
    const left = await theirs.open();
    const finished = await claimAs('w1', left);
    const attempt = attemptOf(finished, COMPLETION, 0, verdictOf('success', {}));
    await left.finish(
      finished.claim,
      { change: COMPLETION, attempt, definition: finished.definition },
      'end',
    );
    const { claim: running } = await claimAs('w2', left);
    assert.equal((await left.read()).callbacks.length, 1);
    assert.ok(running.callbacks !== undefined);
    await left.close();

    const ours = new Folder(makeFolder(), theirs.folder);
    const known = new Histories(ours.user, ours.state, ours.approvals);
    const machine = { id: 'here', isAlive: () => false };
    const clock = { now: () => 0, sleep: () => Promise.resolve() };
    await (await openForeignHistory({ file: ours.file, machine, known, clock })).adopt();
    const adopted = await ours.open();
    const { callbacks, claims } = await adopted.read();
    assert.deepEqual([callbacks, claims.map((claim) => claim.callbacks)], [[], [undefined]]);
    await adopted.close();
  });

  it('is refused if it has this format and no id', async () => {
    const made = new Folder();
    writeFileSync(made.file, 'id,working_dir,prompt\n1,.,Take notes\n');
    mkdirSync(made.state);
    writeFileSync(join(made.state, 'journal.7'), `${JSON.stringify({ at: 0, n: 0, by: 'x', version: 3 })}\n`);
    await made.approvals.setTrusted(true);
    await assert.rejects(made.open(), isForeign);
  });

  it('is reported with the folder from which it was moved', async () => {
    const made = new Folder();
    writeFileSync(made.file, 'id,working_dir,prompt\n1,.,Take notes\n');
    await made.step();
    const moved = new Folder(made.user);
    cpSync(made.folder, moved.folder, { recursive: true });
    await assert.rejects(
      moved.open(),
      (error) => isForeign(error) && error instanceof Error && error.message.includes(made.state),
    );
  });

  it('is reported although what is kept of another queue is damaged', async () => {
    const made = new Folder();
    writeFileSync(made.file, 'id,working_dir,prompt\n1,.,Take notes\n');
    await made.step();
    const ours = new Folder(makeFolder(), made.folder);
    mkdirSync(join(ours.user, 'histories'));
    writeFileSync(join(ours.user, 'histories', 'other.json'), '');
    await assert.rejects(ours.open(), isForeign);
  });

  for (const version of ['v1', 'v2']) {
    it(`is refused in format ${version} if this user approved nothing there`, async () => {
      await assert.rejects(Folder.of(version).open(), isForeign);
    });

    it(`is adopted once in format ${version} if this user approved rows there`, async () => {
      const made = Folder.of(version);
      await made.approvals.approve([{ id: 1, power: 'x' }]);
      await made.step();
      assert.ok(made.headers().includes(3));
      await made.step();
    });
  }

  for (const version of ['v1', 'v2']) {
    it(`adopted from format ${version} keeps approvals, due times, sessions and first-seen times`, async () => {
      const made = Folder.of(version);
      const before = readShown(version);
      await made.approvals.approve([...before.values()]);
      await made.step();
      await assertKept(made, before);
    });
  }

  it('of the current format keeps approvals, due times, sessions and first-seen times for the user who made it', async () => {
    await assertKept(Folder.ofItsUser('v3'), readShown('v3'));
  });

  it('of the current format is refused for other users, whatever they approved there', async () => {
    const made = Folder.of('v3');
    await made.approvals.setTrusted(true);
    await assert.rejects(made.open(), isForeign);
  });

  it('of an earlier format that arrives after the adoption is refused', async () => {
    const made = Folder.of('v2');
    await made.approvals.setTrusted(true);
    await made.step();
    await made.step();
    writeFileSync(join(made.state, 'journal.9'), readFileSync(join(FIXTURES, 'v2', 'journal.2')));
    await assert.rejects(made.open(), isForeign);
  });
});

describe('A worker of an earlier version', () => {
  it('prevents starts beside it, and can be stopped', async () => {
    const made = Folder.of('v1');
    await made.approvals.setTrusted(true);
    const queue = await made.open(() => true);
    const owner = {
      kind: 'process',
      machine: 'here',
      worker: 'new',
      process: { pid: 9, startedAt: 'now' },
    } as const;
    const registering = queue.register({ owner, since: 0 }, { alone: false }, 'enlist');
    await assert.rejects(registering, (error) => isProblem(error, 'older-worker'));
    await queue.stop('after-task', 'stop');
    assert.equal((await queue.read()).stop?.how, 'after-task');
    await queue.close();
    assert.deepEqual(made.headers(), [1]);
  });
});
