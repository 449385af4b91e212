import type { EpochMs } from '../../domain/time/epoch';
import { Problem } from '../../domain/problem';
import { t } from '../../platform/text/translate';
import type { QueueEvent } from '../model/events';
import type { Past } from '../model/replay/pastQueue';
import type { QueueState } from '../model/state/queueState';
import type { RedisConnection } from './connection';
import type { RedisKeys } from './keys';
import { readEntry, restoreBase } from './redisState';
import { ALL, CHAPTER, CHAPTERS, FORGET } from './scripts';
import { asList } from '../../platform/text/shapes';

/** Where a past is. */
interface Place {
  readonly connection: RedisConnection;
  readonly keys: RedisKeys;
  /** Name of the queue for messages. */
  readonly name: string;
}

/** Chapter of the past. */
interface Chapter {
  readonly number: number;
  readonly endsAt: EpochMs;
}

/** Part with its events, and whether it starts with a state. */
interface ReadPart {
  readonly state: QueueState | null;
  readonly events: readonly QueueEvent[];
}

/**
 * Reads the chapters of the past that have events from this time on, and then the log. Each entry is read once, also if
 * the log is compacted meanwhile.
 * @throws Problem `redis-away`, `redis-refused`, `state-damaged`
 */
export async function* readPast(place: Place, from: EpochMs): Past {
  const chapters = await listChapters(place);
  const first = await findFirst(place, chapters, from);
  let last = chapters[first - 1]?.number ?? 0;
  let base = last;
  for (;;) {
    const next = (await listChapters(place)).find(({ number }) => number > last);
    if (next === undefined) {
      const rest = await readRest(place);
      // Without a compaction meanwhile, the log continues the last chapter. One without a chapter was forgotten.
      if (rest.number === base) {
        yield rest.part;
        return;
      }
      base = rest.number;
      continue;
    }
    last = next.number;
    base = last;
    const part = await readChapter(place, next);
    if (part !== null) yield part;
  }
}

/**
 * Removes the chapters that ended before a time, except those without which nobody knows the state at the start of the
 * next one.
 */
export async function forgetPast(place: Place, before: EpochMs): Promise<void> {
  const { connection, keys } = place;
  const chapters = await listChapters(place);
  const needed = await findFirst(place, chapters, before);
  const old = chapters.slice(0, needed).filter(({ endsAt }) => endsAt < before);
  const last = old.at(-1);
  if (last === undefined) return;
  await connection.run(
    FORGET,
    [keys.chapters, ...old.map(({ number }) => keys.chapter(String(number)))],
    [last.endsAt],
  );
}

/**
 * Returns the index of the last chapter that starts with a state and has no later event than this time at its start; the
 * first chapter that starts with a state if none is so old.
 */
async function findFirst(place: Place, chapters: readonly Chapter[], from: EpochMs): Promise<number> {
  const covering = chapters.findIndex(({ endsAt }) => endsAt >= from);
  const opens = async (index: number): Promise<boolean> =>
    (await readItems(place, chapters[index], 0))[0] === 'opens';
  for (let index = covering; index >= 0; index -= 1) if (await opens(index)) return index;
  // Nothing says what the state was before chapters that only continue others.
  for (let index = Math.max(covering, 0); covering >= 0 && index < chapters.length; index += 1)
    if (await opens(index)) return index;
  return chapters.length;
}

async function listChapters({ connection, keys }: Place): Promise<Chapter[]> {
  const answer = asList(await connection.run(CHAPTERS, [keys.chapters], [])).map(Number);
  const chapters: Chapter[] = [];
  for (let index = 0; index + 1 < answer.length; index += 2)
    chapters.push({ number: answer[index] ?? 0, endsAt: answer[index + 1] ?? 0 });
  return chapters.sort((a, b) => a.number - b.number);
}

/** Returns a chapter; null: it is gone. */
async function readChapter(place: Place, chapter: Chapter): Promise<ReadPart | null> {
  const [kind, count, ...texts] = await readItems(place, chapter, -1);
  if (kind === undefined) return null;
  const parts = texts.slice(0, Number(count));
  return {
    state: kind === 'opens' ? readState(place, parts) : null,
    events: readEvents(place, texts.slice(Number(count))),
  };
}

/** Returns the items of a chapter up to this index; -1: all. */
async function readItems(
  { connection, keys }: Place,
  chapter: Chapter | undefined,
  last: number,
): Promise<string[]> {
  if (chapter === undefined) return [];
  const key = keys.chapter(String(chapter.number));
  return asList(await connection.run(CHAPTER, [key], [last])).map(String);
}

async function readRest(place: Place): Promise<{ readonly number: number; readonly part: ReadPart }> {
  const { connection, keys } = place;
  const answer = asList(await connection.run(ALL, [keys.log, keys.base, keys.baseHead], []));
  const [head, parts, entries] = answer;
  const state = readState(place, asList(parts).map(String));
  const events = readEvents(place, asList(entries).map(String));
  return { number: Number.parseInt(String(head), 10), part: { state, events } };
}

function readState({ name }: Place, parts: readonly string[]): QueueState {
  const state = restoreBase(parts);
  if (state === null) throw damaged(name);
  return state.queue;
}

function readEvents({ name }: Place, texts: readonly string[]): QueueEvent[] {
  return texts.flatMap((text) => {
    const entry = readEntry(text);
    if (entry === null) throw damaged(name);
    return entry.events ?? [];
  });
}

function damaged(name: string): Problem {
  return new Problem(
    'state-damaged',
    t('{0}: its past cannot be understood. It was written by a later version, or not by this program.', name),
  );
}
