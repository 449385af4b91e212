import * as path from 'node:path';
import type { QueueView } from '../../domain/queue/view';
import { isRepository, missingRepository } from '../../domain/task/repository';
import { placeOf } from '../../domain/task/place';
import type { Definition, TaskId } from '../../domain/task/task';
import { findProgram, isLookedUp } from '../../platform/processes/findProgram';
import { t } from '../../platform/text/translate';
import { describeFolder } from '../present/text';
import { type Unusable, whyUnusable } from './usableFolder';
import type { Host } from '../context/host';

/** Requirement of a row that this machine lacks or has elsewhere. */
export interface Lack {
  /** `note`: the task may create it, or may not need it. */
  readonly state: 'problem' | 'note';
  /** Missing thing and what to do, or where it is. */
  readonly message: string;
}

/** Fields of a row that are checked. */
type Needing = Pick<Definition, 'id' | 'workingDir' | 'realDir' | 'verify'>;

/** Checks what rows need before anything is paid for. Checks each folder and program once. */
export class TaskRequirements {
  private readonly folders = new Map<string, Promise<Unusable | null>>();
  private readonly programs = new Map<string, Promise<string | null>>();

  constructor(private readonly environment: NodeJS.ProcessEnv) {}

  /** Number of working directories checked. */
  get folderCount(): number {
    return this.folders.size;
  }

  /** Returns what the row lacks: its repository, its working directory, the program of its check. */
  async find(row: Needing): Promise<Lack[]> {
    return [...listLink(row), ...(await this.findMissing(row))];
  }

  /** As `find`, without where the working directory really is. */
  async findMissing(row: Needing): Promise<Lack[]> {
    const missing = missingRepository(row);
    if (missing !== null) return [noteOf(describeMissing(row.id, missing))];
    const why = await this.lookAtFolder(placeOf(row).folder);
    return [...listFolderLacks(row, why), ...(await this.findProgramLacks(row, why !== null))];
  }

  private async findProgramLacks(row: Needing, isFolderMissing: boolean): Promise<Lack[]> {
    const { id, verify: [program] = [] } = row;
    const { folder } = placeOf(row);
    if (program === undefined || (await this.hasProgram(program, folder))) return [];
    if (isLookedUp(program)) return [describeNotOnPath(id, program)];
    if (path.isAbsolute(program)) return [describeNoProgram(id, program)];
    // If the folder itself is missing, that is already reported.
    return isFolderMissing ? [] : [describeNoProgramAt(id, program, path.resolve(folder, program))];
  }

  private lookAtFolder(folder: string): Promise<Unusable | null> {
    const looking = this.folders.get(folder) ?? whyUnusable(folder);
    this.folders.set(folder, looking);
    return looking;
  }

  private async hasProgram(program: string, folder: string): Promise<boolean> {
    const key = `${folder}\0${program}`;
    const looking = this.programs.get(key) ?? findProgram(program, folder, this.environment);
    this.programs.set(key, looking);
    return (await looking) !== null;
  }
}

/** Describes what these tasks lack, in sentences; nothing for an invalid row. */
export async function describeLacks(
  { host }: { readonly host: Pick<Host, 'env'> },
  queue: { read(): Promise<Pick<QueueView, 'tasks'>> },
  ids: readonly TaskId[],
): Promise<string[]> {
  const asked = new Set(ids);
  const requirements = new TaskRequirements({ ...host.env });
  const lacks: Lack[] = [];
  for (const { definition } of (await queue.read()).tasks)
    if (asked.has(definition.id)) lacks.push(...(await requirements.find(definition)));
  return lacks.map(({ message }) => message);
}

function listLink(row: Needing): Lack[] {
  const { through, folder } = placeOf(row);
  if (through === undefined || isRepository(row.workingDir)) return [];
  return [noteOf(t('{0} is a link to {1}.', nameFolder(row), folder))];
}

function listFolderLacks(row: Needing, why: Unusable | null): Lack[] {
  if (why === null) return [];
  return [{ state: 'problem', message: `${why.describe(nameFolder(row))} ${FIXES[why.kind]}` }];
}

function nameFolder(row: Needing): string {
  const { id, workingDir } = row;
  const named = isRepository(workingDir) ? describeFolder(placeOf(row)) : workingDir;
  return t('The working directory {0} of task {1}', named, id);
}

function describeMissing(id: TaskId, repository: string): string {
  return t(
    "The repository {0} of task {1} is not on this machine, so the task waits for another one. To run it here, add the repository's folder to the setting repositories in your own config.yaml.",
    repository,
    id,
  );
}

function noteOf(message: string): Lack {
  return { state: 'note', message };
}

function describeNotOnPath(id: TaskId, program: string): Lack {
  const message = t(
    'The verify program {0} of task {1} is not on the PATH. Install it, or correct the row.',
    program,
    id,
  );
  return { state: 'problem', message };
}

function describeNoProgram(id: TaskId, program: string): Lack {
  const message = t(
    'The verify program {0} of task {1} cannot be executed, or does not exist. Install it, or correct the row.',
    program,
    id,
  );
  return { state: 'problem', message };
}

function describeNoProgramAt(id: TaskId, program: string, file: string): Lack {
  return noteOf(
    t(
      'The verify program {0} of task {1} does not exist at {2}, or cannot be executed. Correct the row, unless the task makes it.',
      program,
      id,
      file,
    ),
  );
}

const FIXES: Readonly<Record<Unusable['kind'], string>> = {
  missing: t('Create it, or correct the row.'),
  'no-folder': t('Correct the row.'),
  closed: t('Change its permissions, or correct the row.'),
};
