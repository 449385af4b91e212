import type { EndFacts } from '../stream/endFacts';
import { readFailure } from '../attempt/transcript';

/**
 * Returns the facts of an attempt that met a limit, with the limit's end from its transcript if its output does
 * not have it. The transcript has it to the second; the text names a minute of some day, if any.
 */
export async function addTranscriptReset(facts: EndFacts, transcript: string): Promise<EndFacts> {
  const { rateLimit, failure, result, plainText } = facts.stream;
  const limits = [rateLimit, failure?.rateLimit, result?.failure.rateLimit];
  if (limits.some((info) => info?.resetsAtS !== undefined)) return facts;
  const record = await readFailure(
    transcript,
    result === undefined ? (failure?.said ?? plainText.trim()) : result.text,
  );
  const kept = record?.failure.rateLimit;
  if (kept?.resetsAtS === undefined) return facts;
  return { ...facts, stream: { ...facts.stream, failure: { ...failure, rateLimit: kept } } };
}
