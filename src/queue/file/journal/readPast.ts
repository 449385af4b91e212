import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type { EpochMs } from '../../../domain/time/epoch';
import { listNames, readIfThere, statIfThere } from '../../../platform/files/files';
import { t } from '../../../platform/text/translate';
import type { QueueEvent } from '../../model/events';
import type { Past, PastPart } from '../../model/replay/pastQueue';
import { STATE_NAMES, type StatePaths } from '../../queuePaths';
import { emptyFileState, type Entry, type FileState } from '../fileState';
import { isSoundEntry } from './entryShape';
import { generationOf } from './generations';
import { damaged, headerOf, isValidLine, linesIn } from './journalLine';
import { restorePart } from './snapshotParts';

/** Largest size of all archived generations together, in bytes. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Longest time, in ms, by which a file may be older than its last event: clocks are set. */
const CLOCK_SET_MS = 3_600_000;

/** A file with one generation of the journal. */
interface GenerationFile {
  readonly generation: number;
  readonly file: string;
}

/**
 * Reads the generations of a journal, archived ones too, that have events from this time on. Each is read once, wherever
 * it is by then. Generations of another history are left out.
 * @throws Problem `state-damaged`, `state-newer`
 */
export async function* readPast(state: StatePaths, history: string | null, from: EpochMs): Past {
  const others = new Set<string>();
  for (let last = 0; ;) {
    const next = await findNext(state, { last, others, from });
    if (next === null) return;
    const part = await readGeneration(next, history);
    // It has moved to the archive meanwhile.
    if (part === 'gone') continue;
    if (part === null) {
      others.add(next.file);
      continue;
    }
    last = next.generation;
    yield part;
  }
}

/**
 * Removes archived generations that ended before a time, and the oldest while all together are larger than
 * `MOST_BYTES`.
 */
export async function forgetPast(state: StatePaths, before: EpochMs): Promise<void> {
  const archived = (await listGenerations(state.of('archive'))).sort((a, b) => b.generation - a.generation);
  let bytes = 0;
  for (const { file } of archived) {
    const stat = await statIfThere(file);
    bytes += stat?.size ?? 0;
    if (stat !== null && (bytes > MOST_BYTES || stat.mtimeMs < before)) await fs.rm(file, { force: true });
  }
}

/** Search for a generation after `last`, with events from this time on, that is none of these files of other histories. */
interface Sought {
  readonly last: number;
  readonly others: ReadonlySet<string>;
  readonly from: EpochMs;
}

/** Returns the next generation; null: there is none. */
async function findNext(state: StatePaths, { last, others, from }: Sought): Promise<GenerationFile | null> {
  const isSought = ({ generation, file }: GenerationFile): boolean => generation > last && !others.has(file);
  const archived = (await listGenerations(state.of('archive'))).filter(isSought);
  const current = (await listGenerations(state.folder)).filter(isSought);
  const found = [...archived, ...current].sort((a, b) => a.generation - b.generation);
  for (const one of found) {
    const isCurrent = current.includes(one);
    if (isCurrent || last > 0 || ((await statIfThere(one.file))?.mtimeMs ?? -Infinity) >= from - CLOCK_SET_MS)
      return one;
  }
  return null;
}

async function listGenerations(folder: string): Promise<GenerationFile[]> {
  const names = await listNames(folder);
  return names.flatMap((name) => {
    const generation = generationOf(STATE_NAMES.journal, name);
    return generation === null ? [] : [{ generation, file: path.join(folder, name) }];
  });
}

/** Returns what a generation has; null: nothing of this history. */
async function readGeneration(
  { file }: GenerationFile,
  history: string | null,
): Promise<PastPart | 'gone' | null> {
  const bytes = await readIfThere(file);
  if (bytes === null) return 'gone';
  if (!isOf(bytes, history)) return null;
  const state = emptyFileState();
  return { state: state.queue, events: eventsIn(file, bytes, state) };
}

/**
 * Yields the events of a generation. The first lines restore the state before the first event is there.
 * @throws Problem `state-damaged`, `state-newer`
 */
function* eventsIn(file: string, bytes: Buffer, state: FileState): Generator<QueueEvent> {
  for (const entry of entriesIn(file, bytes)) {
    if (!isSoundEntry(entry)) throw damaged(t('{0} contains an entry that this program never writes.', file));
    if (entry.snapshot !== undefined) restorePart(state, entry.snapshot);
    yield* entry.events ?? [];
  }
}

/** Whether a generation is of this history. The stub of the first generation is of none. */
function isOf(bytes: Buffer, history: string | null): boolean {
  for (const { line } of linesIn<Entry>(bytes, 0)) return headerOf(line).history === history;
  return false;
}

function* entriesIn(file: string, bytes: Buffer): Generator<Entry> {
  let count = 0;
  for (const found of linesIn<Entry>(bytes, 0)) {
    const { line } = found;
    if (!isValidLine(file, found, count)) continue;
    if (line.sealed === true) return;
    count += 1;
    if (line.entry !== undefined) yield line.entry;
  }
}
