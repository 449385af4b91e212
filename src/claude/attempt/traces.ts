import { lstat } from 'node:fs/promises';
import type { AttemptFacts, Job } from '../../domain/task/attempt';
import { hasCode } from '../../platform/files/files';
import { readPieces } from './filePieces';
import { compact } from '../stream/json';
import { createLineSplitter } from './lineSplitter';
import { findTranscript } from './session';
import { createStreamReader, readSpending } from '../stream/stream';
import { readSessionEnd } from './transcript';

/** What a run whose worker died has left of itself: its output up to then, and its session. */
export async function readTraces(
  { session, outputFile }: Pick<Job, 'session' | 'outputFile'>,
  environment: NodeJS.ProcessEnv,
): Promise<AttemptFacts> {
  const contextTokens = await readContext(session, environment);
  return compact({ ...(await readOutput(outputFile)), contextTokens });
}

/** How many tokens a session holds; undefined where that is not known. */
export async function readContext(
  session: string,
  environment: NodeJS.ProcessEnv,
): Promise<number | undefined> {
  return (await readTranscript(session, environment, readSessionEnd))?.contextTokens;
}

/** Undefined where there is none, or it cannot be read: what it tells is worth having, and nothing depends on it. */
export async function readTranscript<T>(
  session: string,
  environment: NodeJS.ProcessEnv,
  read: (file: string) => Promise<T>,
): Promise<T | undefined> {
  return ifReadable(async () => {
    const transcript = await findTranscript(session, environment);
    return transcript === null ? undefined : read(transcript);
  });
}

async function readOutput(file: string): Promise<AttemptFacts> {
  const reported = await ifReadable(async () => {
    // Whatever else has this name is no output: a pipe would keep its reader waiting.
    if (!(await lstat(file)).isFile()) return undefined;
    const reader = createStreamReader();
    const splitter = createLineSplitter();
    const take = (line: string): void => void reader.push(line);
    for await (const piece of readPieces(file, 0)) splitter.push(piece).forEach(take);
    splitter.end().forEach(take);
    const facts = reader.facts();
    return compact({ model: facts.model, version: facts.version, ...readSpending(facts) });
  });
  return reported ?? {};
}

async function ifReadable<T>(read: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EIO', 'EISDIR')) return undefined;
    throw error;
  }
}
