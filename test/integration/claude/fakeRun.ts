import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { RunnerOptions } from '../../../src/claude/attempt/run';
import type { Job } from '../../../src/domain/task/attempt';
import { placeOf } from '../../../src/domain/task/place';
import type { Definition } from '../../../src/domain/task/task';
import { systemClock, type Clock } from '../../../src/platform/clock';
import { systemProcesses } from '../../../src/platform/processes/processes';

const FAKE = resolve(__dirname, '../../fixtures/claude/fakeClaude.js');

/** One line that the fake Claude noted about its run. */
export interface Note {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: string;
  readonly child?: number;
}

export function notesIn(folder: string): Note[] {
  const file = join(folder, 'notes');
  if (!existsSync(file)) return [];
  const text = readFileSync(file, 'utf8').trimEnd();
  return text.split('\n').map((line) => JSON.parse(line) as Note);
}

export function inputsIn(folder: string): string[] {
  return notesIn(folder).flatMap(({ input }) =>
    input === undefined ? [] : Buffer.from(input, 'base64').toString('utf8'),
  );
}

export function jobIn(folder: string, fields: Partial<Definition> = {}, more: Partial<Job> = {}): Job {
  const definition: Definition = {
    id: 1,
    priority: 'medium',
    workingDir: folder,
    prompt: 'Do it.',
    dependencies: [],
    maxRetries: 3,
    ...fields,
  };
  return {
    definition,
    place: placeOf(definition),
    session: randomUUID(),
    outputFile: join(folder, 'output.jsonl'),
    timeoutMs: 60_000,
    attemptMark: randomUUID(),
    ...more,
  };
}

/** However slow the machine is, no time limit cuts anything short: what bounds something waits until that has ended. */
const PATIENT: Clock = {
  now: () => systemClock.now(),
  sleep: async (ms, signal) => {
    if (signal === undefined) await systemClock.sleep(ms);
    else if (!signal.aborted) await once(signal, 'abort');
  },
};

/** The fake Claude plays this script, at home in the folder. */
export function optionsIn(
  folder: string,
  script: string,
  environment: NodeJS.ProcessEnv = {},
): RunnerOptions {
  return {
    claude: FAKE,
    environment: {
      PATH: dirname(process.execPath),
      HOME: folder,
      FAKE_SCRIPT: script,
      FAKE_NOTES: join(folder, 'notes'),
      ...environment,
    },
    billing: 'subscription',
    protectedPaths: [],
    permissionMode: 'acceptEdits',
    apiRetries: 4,
    clock: PATIENT,
    processes: systemProcesses,
    timeZone: 'UTC',
  };
}
