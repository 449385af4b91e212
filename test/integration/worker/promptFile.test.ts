import assert from 'node:assert/strict';
import {
  existsSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { approvable, approvalOf } from '../../../src/domain/task/approval';
import { promptOf } from '../../../src/domain/task/task';
import { PromptFiles } from '../../../src/platform/files/promptFiles';
import { PacedCheck } from '../../../src/platform/files/pacedCheck';
import { openFileQueue } from '../../../src/queue/openQueue';
import type { TaskQueue } from '../../../src/queue/taskQueue';
import { work } from '../../../src/worker/work';
import { OWN_HISTORY } from '../../support/queue/ownHistory';
import { Harness, MACHINE } from '../../support/queue/workerHarness';
import { until } from '../../support/until';
import { makeFolder } from '../queue/folder';

const NEVER = new AbortController().signal;

describe('A task with a prompt file', () => {
  let harness: Harness;
  let queue: TaskQueue;
  let file: string;
  let approvals: Set<string>;
  /** Whether the queue does not look whether its files have changed, as for some time with very many of them. */
  let isResting: boolean;

  beforeEach(async () => {
    const folder = realpathSync(makeFolder());
    harness = new Harness({}, undefined, { folder });
    file = join(folder, 'task.md');
    const csv = join(folder, 'prompts.csv');
    writeFileSync(file, 'Tidy up\n');
    writeFileSync(csv, 'id,working_dir,prompt,prompt_file\n1,.,Title,task.md\n');
    utimesSync(csv, 0, 0);
    isResting = false;
    const promptFiles = new PacedCheck(new PromptFiles(folder));
    let rows = { ...rowsOf(folder), promptFiles: promptFiles.look() };
    const opened = await openFileQueue({
      file: csv,
      rows: () => {
        const now = isResting ? rows.promptFiles : promptFiles.look();
        if (now !== rows.promptFiles) rows = { ...rows, promptFiles: now };
        return rows;
      },
      machine: { id: MACHINE, isAlive: (identity) => harness.processes.isAlive(identity) },
      known: OWN_HISTORY,
      clock: harness.clock,
      warn: (message) => assert.fail(message),
    });
    queue = harness.clock.attended(opened);
    approvals = new Set();
    await approveAsShown();
  });

  afterEach(() => queue.close());

  function rowsOf(folder: string) {
    return { timeZone: 'UTC', folder, home: folder, allowBypass: false };
  }

  async function approveAsShown(): Promise<void> {
    for (const { definition, state } of (await queue.read()).tasks)
      approvals.add(approvalOf(approvable(definition, state.power)));
  }

  /** Works until nothing is left to do. `claimed` happens after the claim and before the attempt. */
  async function workWith(claimed: () => void = () => undefined): Promise<void> {
    const deps = harness.createWorker({ queue });
    const readApprovedRows = (): Promise<{ trusted: false; approvals: Set<string> }> =>
      Promise.resolve({ trusted: false, approvals });
    const events = { ...deps.events, started: claimed };
    await harness.clock.run(work({ ...deps, events, readApprovedRows }, { untilEmpty: true }, NEVER));
  }

  const given = (): string[] => harness.runs.map(({ job }) => promptOf(job.definition));

  it('gets the text of the file, and keeps its title', async () => {
    await workWith();
    assert.deepEqual(given(), ['Tidy up\n']);
    assert.equal(harness.runs[0]?.job.definition.prompt, 'Title');
  });

  it('does not start if the file was swapped between its claim and its start', async () => {
    await workWith(() => {
      writeFileSync(file, 'Tear down\n');
    });
    assert.deepEqual(given(), []);
    const [task] = (await queue.read()).tasks;
    assert.deepEqual([task?.state.status, task?.state.retryCount], ['pending', 0]);
    assert.equal(task?.definition.promptFile?.text, 'Tear down\n');
    assert.match(
      harness.reported.join('\n'),
      /trouble: Task 1 was not started\. Its prompt file task\.md has changed since it was read\./,
    );
    await approveAsShown();
    await workWith();
    assert.deepEqual(given(), ['Tear down\n']);
  });

  it('does not start if a text of the same length and time took the place of the file', async () => {
    const other = `${file}.new`;
    writeFileSync(other, 'Tidy UP\n');
    for (const one of [file, other]) utimesSync(one, 1, 1);
    await approveAsShown();
    await workWith(() => {
      if (existsSync(other)) renameSync(other, file);
    });
    assert.deepEqual(given(), []);
  });

  it('is claimed at most once a minute while the queue does not know that the file has changed', async () => {
    const times: number[] = [];
    isResting = true;
    await workWith(() => {
      writeFileSync(file, 'Tear down\n');
      times.push(harness.clock.now());
      isResting = times.length < 4;
    });
    assert.deepEqual(given(), []);
    assert.ok(times.length >= 4, String(times));
    times.forEach((time, turn) => {
      assert.ok(turn === 0 || time - (times[turn - 1] ?? 0) >= 60_000, String(times));
    });
  });

  it('does not start if a link out of the workspace took the place of the file', async () => {
    const outside = join(realpathSync(makeFolder()), 'same.md');
    writeFileSync(outside, 'Tidy up\n');
    await workWith(() => {
      rmSync(file);
      symlinkSync(outside, file);
    });
    assert.deepEqual(given(), []);
    const { problems, tasks } = await queue.read();
    assert.deepEqual(tasks, []);
    assert.match(JSON.stringify(problems), /"line":2,"column":11.*task\.md leads out of the workspace/);
  });

  it('is another task once the file has changed, and the same again with the old text', async () => {
    const power = async (): Promise<string | undefined> => (await queue.read()).tasks[0]?.state.power;
    const before = await power();
    writeFileSync(file, 'Tear down\n');
    await until('the task is another one', async () => (await power()) !== before);
    writeFileSync(file, 'Tidy up\n');
    await until('the task is the same again', async () => (await power()) === before);
  });

  it('reports each change of the file to who watches the queue, although nobody reads it between them', async () => {
    const over = new AbortController();
    let isReported = false;
    queue.watch(() => {
      isReported = true;
    }, over.signal);
    for (const text of ['Tear down\n', 'Tidy up\n']) {
      isReported = false;
      writeFileSync(file, text);
      await until('a change is reported', () => isReported);
    }
    over.abort();
  });
});
