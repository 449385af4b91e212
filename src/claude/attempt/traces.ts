import { lstat } from 'node:fs/promises';
import type { AttemptFacts, Job } from '../../domain/task/attempt';
import { hasCode } from '../../platform/files/files';
import { readPieces } from './filePieces';
import { compact } from '../stream/json';
import { createLineSplitter } from './lineSplitter';
import { findTranscript } from './session';
import { createStreamReader, readSpending } from '../stream/stream';
import { readSessionEnd } from './transcript';

/** Returns facts of an attempt whose worker died, from its output so far and its session. */
export async function readTraces(
  { session, outputFile }: Pick<Job, 'session' | 'outputFile'>,
  environment: NodeJS.ProcessEnv,
): Promise<AttemptFacts> {
  const contextTokens = await readContext(session, environment);
  return compact({ ...(await readOutput(outputFile)), contextTokens });
}

/** Returns the number of tokens in a session's context; undefined if that is not known. */
export async function readContext(
  session: string,
  environment: NodeJS.ProcessEnv,
): Promise<number | undefined> {
  return (await readTranscript(session, environment, readSessionEnd))?.contextTokens;
}

/** Reads a session's transcript. Undefined if there is none or it cannot be read: its facts are optional. */
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
  const traces = await ifReadable(async () => {
    // Only a regular file is output. A pipe would keep its reader waiting.
    if (!(await lstat(file)).isFile()) return undefined;
    const reader = createStreamReader();
    const splitter = createLineSplitter();
    const take = (line: string): void => void reader.push(line);
    for await (const piece of readPieces(file, 0)) splitter.push(piece).forEach(take);
    splitter.end().forEach(take);
    const facts = reader.facts();
    return compact({ model: facts.model, version: facts.version, ...readSpending(facts) });
  });
  return traces ?? {};
}

async function ifReadable<T>(read: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EIO', 'EISDIR')) return undefined;
    throw error;
  }
}
