import { readFields, readWhole, type Fields, type WrongValue } from './structuredSettings';
import { WORKER_KEYS, type Reader, type WorkerKeys } from './workerKeys';

type Sections = typeof WORKER_KEYS;
type Section = keyof Sections;
type Values<Keys> = {
  readonly [K in keyof Keys]?: Keys[K] extends { readonly reader: Reader<infer T> } ? T : never;
};

/** Values of a worker file, under the names that they have in it. What nobody said is absent. */
export type WorkerFile = { readonly [S in Section]: Values<Sections[S]> };

/** Wrong value of a worker file, or of a variable over it. */
export interface WorkerFileProblem {
  /** Keys from the top of the file; absent: a variable. */
  readonly path?: readonly string[];
  /** Name of the value for the user. */
  readonly name: string;
  readonly wrong: WrongValue;
}

/** Values, and the problems of the rest. */
export interface WorkerFileReading {
  readonly file: WorkerFile;
  readonly problems: readonly WorkerFileProblem[];
}

type Environment = Readonly<Record<string, string | undefined>>;
type Report = (problem: WorkerFileProblem) => void;

/**
 * Returns the values of a worker file, overridden by the environment; an empty variable counts as absent. A wrong value
 * and an unknown key are problems.
 */
export function readWorkerFile(values: unknown, environment: Environment): WorkerFileReading {
  const problems: WorkerFileProblem[] = [];
  const report: Report = (problem) => problems.push(problem);
  const top = fieldsOf(values, [], report);
  refuseUnknown(top, [], WORKER_KEYS, Object.keys(WORKER_KEYS), report);
  const read = <S extends Section>(section: S): Values<Sections[S]> => {
    const fields = fieldsOf(top[section] ?? {}, [section], report);
    const keys: WorkerKeys = WORKER_KEYS[section];
    const known = Object.keys(keys).filter((key) => keys[key]?.variable !== undefined);
    refuseUnknown(fields, [section], keys, known, report);
    // Each value comes from the reader of its key.
    return readSection(section, fields, environment, report) as Values<Sections[S]>;
  };
  return { file: { worker: read('worker'), redis: read('redis') }, problems };
}

function readSection(section: Section, fields: Fields, environment: Environment, report: Report): Fields {
  const values: Record<string, unknown> = {};
  const keys: WorkerKeys = WORKER_KEYS[section];
  for (const [key, { variable, reader }] of Object.entries(keys)) {
    const take = (value: unknown, from: Pick<WorkerFileProblem, 'path' | 'name'>): void => {
      const read = reader.read(value);
      if (read === null) report({ ...from, wrong: { path: [], expected: reader.expected, value } });
      else values[key] = read;
    };
    const path = [section, key];
    if (key in fields) take(fields[key], { path, name: path.join('.') });
    const text = variable === undefined ? undefined : environment[variable];
    if (variable !== undefined && text !== undefined && text !== '')
      take(reader.fromText(text), { name: variable });
  }
  return values;
}

function fieldsOf(value: unknown, path: readonly string[], report: Report): Fields {
  const read = readWhole(() => readFields(value));
  if ('value' in read) return read.value;
  report({ path, name: nameOf(path), wrong: read.wrong });
  return {};
}

function refuseUnknown(
  fields: Fields,
  path: readonly string[],
  keys: object,
  known: readonly string[],
  report: Report,
): void {
  for (const [field, value] of Object.entries(fields)) {
    if (Object.hasOwn(keys, field)) continue;
    const expected = { kind: 'known-field', known } as const;
    report({ path: [...path, field], name: nameOf(path), wrong: { path: [], field, expected, value } });
  }
}

function nameOf(path: readonly string[]): string {
  return path.join('.');
}
