import type { RunFacts } from '../stream/runFacts';
import { readFailure } from '../attempt/transcript';

/**
 * The facts of a run that met a limit, with the limit's end from its transcript where its output does not have it: there
 * it is to the second, while the text names a minute of some day, if any.
 */
export async function addTranscriptReset(facts: RunFacts, transcript: string): Promise<RunFacts> {
  const { rateLimit, failure, result, plainText } = facts.stream;
  const reported = [rateLimit, failure?.rateLimit, result?.failure.rateLimit];
  if (reported.some((info) => info?.resetsAtS !== undefined)) return facts;
  const record = await readFailure(
    transcript,
    result === undefined ? (failure?.said ?? plainText.trim()) : result.text,
  );
  const kept = record?.failure.rateLimit;
  if (kept?.resetsAtS === undefined) return facts;
  return { ...facts, stream: { ...facts.stream, failure: { ...failure, rateLimit: kept } } };
}
