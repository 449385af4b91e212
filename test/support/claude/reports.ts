import { text, type Reply } from './replies';
import type { Turn } from './turn';

/** Claude's words with a report line, as it was asked for in the system prompt or in the conversation. */
export function report(turn: Turn, words: string, outcome: string, reason: string, pauseMs?: number): Reply {
  const token = tokenIn(turn);
  if (token === undefined) return text(words, pauseMs);
  return text(`${words}\n\nQUEUE-RESULT-${token}: ${JSON.stringify({ outcome, reason })}`, pauseMs);
}

/** The token of the report that Claude is asked for; undefined where it is not asked. */
export function tokenIn({ system, userTexts }: Turn): string | undefined {
  return /QUEUE-RESULT-([0-9a-f]{4}): \{/.exec([system, ...userTexts].join('\n'))?.[1];
}
