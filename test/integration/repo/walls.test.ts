import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';

const ROOT = resolve(__dirname, '../../..');

/** The walls alone: they need no types, so the file named need not exist. */
const eslint = new ESLint({
  cwd: ROOT,
  overrideConfig: [
    { ...tseslint.configs.disableTypeChecked, files: ['**/*.ts'] },
    { files: ['**/*.ts'], rules: { '@typescript-eslint/no-unused-vars': 'off' } },
  ],
});

async function complaints(filePath: string, code: string): Promise<string[]> {
  const results = await eslint.lintText(`${code}\n`, { filePath: resolve(ROOT, filePath) });
  return results.flatMap((result) => result.messages.map((m) => `${m.ruleId ?? 'fatal'}: ${m.message}`));
}

const FORBIDDEN: readonly (readonly [why: string, file: string, code: string])[] = [
  [
    'domain may not import platform',
    'src/domain/task.ts',
    "import { systemClock } from '../platform/clock';",
  ],
  [
    'domain may not import platform even for a type',
    'src/domain/task.ts',
    "import type { Clock } from '../platform/clock';",
  ],
  ['domain may not read files', 'src/domain/task.ts', "import { readFileSync } from 'node:fs';"],
  [
    'domain may not take a library outside its list',
    'src/domain/task.ts',
    "import { parse } from 'csv-parse/sync';",
  ],
  ['domain may not ask for the time', 'src/domain/task.ts', 'export const now = Date.now();'],
  [
    'domain may not ask for the time through new Date()',
    'src/domain/task.ts',
    'export const now = new Date();',
  ],
  ['domain may not throw dice', 'src/domain/task.ts', 'export const dice = Math.random();'],
  ['domain may not see the process', 'src/domain/task.ts', 'export const home = process.env;'],
  [
    'platform may not import queue',
    'src/platform/files.ts',
    "import { openQueue } from '../queue/openQueue';",
  ],
  [
    'queue may not import account',
    'src/queue/file/journal.ts',
    "import { openGate } from '../../account/gate';",
  ],
  [
    'queue may not import account with import()',
    'src/queue/openQueue.ts',
    "export const gate = import('../account/gate');",
  ],
  ['account may not import claude', 'src/account/gate.ts', "import { run } from '../claude/run';"],
  [
    'claude may not import queue',
    'src/claude/run.ts',
    "import type { TaskQueue } from '../queue/taskQueue';",
  ],
  ['claude may not import worker', 'src/claude/run.ts', "import { work } from '../worker/work';"],
  ['worker may not import claude', 'src/worker/work.ts', "import { run } from '../claude/run';"],
  [
    'app may not import cli',
    'src/app/context/queueContext.ts',
    "import { table } from '../../cli/output/table';",
  ],
  [
    'app may not import editor',
    'src/app/context/queueContext.ts',
    "import { tree } from '../../editor/tree/tree';",
  ],
  [
    'worker may not import app',
    'src/worker/work.ts',
    "import { buildViewModel } from '../app/viewModel/queueViewModel';",
  ],
  ['app may not import vscode', 'src/app/context/queueContext.ts', "import * as vscode from 'vscode';"],
  ['cli may not import editor', 'src/cli/output/table.ts', "import { tree } from '../../editor/tree/tree';"],
  ['editor may not import cli', 'src/editor/tree/tree.ts', "import { table } from '../../cli/output/table';"],
  ['the program cli.ts may not import editor', 'src/cli.ts', "import { tree } from './editor/tree';"],
  ['the program extension.ts may not import cli', 'src/extension.ts', "import { table } from './cli/table';"],
  ['nothing imports a program', 'src/cli/status.ts', "import { main } from '../cli';"],
  ['only the editor imports vscode', 'src/worker/work.ts', "import * as vscode from 'vscode';"],
  ['cli may not import vscode', 'src/cli/status.ts', "import type * as vscode from 'vscode';"],
  ['only cli reads argv', 'src/worker/work.ts', 'export const words = process.argv;'],
  ['only cli has an argument parser', 'src/worker/work.ts', "import { Command } from 'commander';"],
  ['nobody loads ioredis at start', 'src/queue/openQueue.ts', "import { Redis } from 'ioredis';"],
  [
    'nobody loads prom-client at start',
    'src/app/metrics/renderMetrics.ts',
    "import { Registry } from 'prom-client';\nexport const registry = Registry;",
  ],
  [
    'nobody loads the store in Redis at start',
    'src/queue/openQueue.ts',
    "import { RedisQueue } from './redis/redisQueue';",
  ],
  [
    'app may not import the store of queues in files',
    'src/app/context/queueContext.ts',
    "import { stampOf } from '../../queue/file/journal/digest';",
  ],
  [
    'app may not import the store of queues in files even for a type',
    'src/app/context/queueContext.ts',
    "import type { FileStore } from '../../queue/file/fileStore';",
  ],
  [
    'the model of a queue may not import its store',
    'src/queue/model/steps.ts',
    "import { digest } from '../file/journal/digest';",
  ],
  [
    'only the check of unsaved rows in the editor may read rows as the store of queues in files does',
    'src/editor/queueFile/diagnostics.ts',
    "import { RowReader } from '../../queue/file/reading/rowReader';",
  ],
  [
    'the editor may not load the store of queues in files outside editor/unsaved',
    'src/editor/state/openedQueue.ts',
    "export const store = import('../../queue/file/fileStore');",
  ],
  [
    'app may not import the store of queues in Redis',
    'src/app/context/queueContext.ts',
    "import { RedisStore } from '../../queue/redis/redisStore';",
  ],
  [
    'editor/unsaved may not import the store of queues in Redis',
    'src/editor/unsaved/saveListener.ts',
    "import { RedisStore } from '../../queue/redis/redisStore';",
  ],
  [
    'app may not import the CSV',
    'src/app/context/queueContext.ts',
    "import { readCsv } from '../../queue/csv/csvFile';",
  ],
  [
    'cli may not import the CSV',
    'src/cli/commands/rows/add.ts',
    "import { readCsv } from '../../../queue/csv/csvFile';",
  ],
  [
    'the meaning of a row may not import the CSV',
    'src/queue/row/readTexts.ts',
    "import { readCsv } from '../csv/csvFile';",
  ],
  [
    'the tree of the editor may not import the CSV',
    'src/editor/tree/tree.ts',
    "import { readCsv } from '../../queue/csv/csvFile';",
  ],
  [
    'texts may not import actions',
    'src/app/present/reasons/reason.ts',
    "import { approve } from '../../actions/approve';",
  ],
  [
    'nobody joins the name of the state folder',
    'src/cli/commands/look/check.ts',
    "import { join } from 'node:path';\nexport const state = join('/queue', 'state');",
  ],
  [
    'nobody joins the name of NEXT_TASK.md',
    'src/editor/tree/tree.ts',
    "import * as path from 'node:path';\nexport const next = path.join('/queue', 'NEXT_TASK.md');",
  ],
  ['no barrels', 'src/queue/file/journal.ts', "export * from './records';"],
  ['no default exports', 'src/queue/file/journal.ts', 'const journal = 1;\nexport default journal;'],
  ['no console outside cli', 'src/worker/work.ts', "console.log('working');"],
  ['no any', 'src/worker/work.ts', 'export const anything: any = 1;'],
  [
    'no non-null assertions',
    'src/worker/work.ts',
    'export const first = (list: string[]): string => list.at(0)!;',
  ],
];

const ALLOWED: readonly (readonly [why: string, file: string, code: string])[] = [
  [
    'domain imports itself and a cron library',
    'src/domain/schedule.ts',
    "import { Cron } from 'croner';\nimport type { Task } from './task';",
  ],
  [
    'queue imports domain and platform from a folder inside',
    'src/queue/file/journal.ts',
    "import type { Task } from '../../domain/task';\nimport { lock } from '../../platform/lock';\nimport { row } from '../row';",
  ],
  [
    'queue loads ioredis when it is needed, and has its types',
    'src/queue/redis/store.ts',
    "import type { Redis } from 'ioredis';\nexport const load = (): Promise<unknown> => import('ioredis');",
  ],
  [
    'worker imports queue and account',
    'src/worker/work.ts',
    "import type { TaskQueue } from '../queue/taskQueue';\nimport type { Gate } from '../account/gate';",
  ],
  [
    'cli reads argv, prints and imports what is below',
    'src/cli/status.ts',
    "import { Command } from 'commander';\nimport { work } from '../worker/work';\nconsole.log(process.argv);",
  ],
  [
    'the program cli.ts imports its room',
    'src/cli.ts',
    "import { main } from './cli/main';\nexport const words = process.argv;",
  ],
  [
    'openQueue imports the stores',
    'src/queue/openQueue.ts',
    "import { FileStore } from './file/fileStore';\nimport { RedisStore } from './redis/redisStore';",
  ],
  [
    'editor/unsaved imports the store of queues in files, and the CSV',
    'src/editor/unsaved/unsavedQueue.ts',
    "import { digest } from '../../queue/file/journal/digest';\nimport { readCsv } from '../../queue/csv/csvFile';",
  ],
  [
    'the language features of the editor import the CSV',
    'src/editor/queueFile/lenses/planLenses.ts',
    "import { readCsv } from '../../queue/csv/csvFile';",
  ],
  [
    'a folder of the editor may be named queue, and hold what it likes',
    'src/editor/commands/tasks/approve.ts',
    "import { locate } from '../queue/closedQueue';\nimport { fold } from '../queue/file/fold';",
  ],
  [
    'editor imports vscode',
    'src/editor/tree.ts',
    "import * as vscode from 'vscode';\nimport { work } from '../worker/work';",
  ],
];

describe('The walls between the rooms', () => {
  for (const [why, file, code] of FORBIDDEN) {
    it(why, async () => {
      const found = await complaints(file, code);
      assert.equal(found.length, 1, `expected exactly one complaint, got:\n${found.join('\n')}`);
      assert.doesNotMatch(found.join(), /^fatal/);
    });
  }

  for (const [why, file, code] of ALLOWED) {
    it(why, async () => assert.deepEqual(await complaints(file, code), []));
  }
});
