import { readPieces } from '../attempt/filePieces';
import { asList, asText, parseObject, type JsonObject } from '../stream/json';
import { createLineSplitter } from '../attempt/lineSplitter';

/** A turn that ended in a failure, as its hook tells it. */
export interface FailureEvent {
  readonly name: 'StopFailure';
  /** `rate_limit` for a limit and for a throttle alike. */
  readonly error: string;
  /** What Claude Code wrote instead of an answer. */
  readonly text: string;
  /** Where Claude Code keeps the session. */
  readonly transcript: string;
}

/** What a hook of an interactive session told, as far as it matters here. */
export type HookEvent =
  | { readonly name: 'SessionStart'; readonly source: string }
  | { readonly name: 'UserPromptSubmit' }
  | { readonly name: 'Notification'; readonly kind: string; readonly message: string }
  /** A tool came to its end, well or not. */
  | { readonly name: 'PostToolUse' }
  | { readonly name: 'Stop'; readonly inBackground: number }
  | FailureEvent
  | { readonly name: 'SessionEnd'; readonly reason: string };

/** Reads the events of one session while they are appended. */
export interface HookEventReader {
  /** All events so far. Only what is new is read; a line that is not whole yet waits. */
  read(): Promise<readonly HookEvent[]>;
}

/** A reader of the file that the hooks of `HOOK_SETTINGS` append to; no file is no event. */
export function createHookEventReader(file: string): HookEventReader {
  const splitter = createLineSplitter();
  const events: HookEvent[] = [];
  let position = 0;
  const readOn = async (): Promise<readonly HookEvent[]> => {
    for await (const piece of readPieces(file, position)) {
      position += piece.length;
      for (const line of splitter.push(piece)) events.push(...parseHookEvent(line));
    }
    return [...events];
  };
  let last: Promise<readonly HookEvent[]> = Promise.resolve(events);
  return {
    read() {
      // One after the other, also after one that failed: two at once would read the same bytes twice.
      last = last.then(readOn, readOn);
      return last;
    },
  };
}

/** The event that a line holds; none where it is damaged, or of a kind that is not asked for. */
function parseHookEvent(line: string): HookEvent[] {
  const json = parseObject(line);
  return json === null ? [] : readEvent(json);
}

function readEvent(json: JsonObject): HookEvent[] {
  const word = (member: string): string => asText(json[member]) ?? '';
  const name = json['hook_event_name'];
  switch (name) {
    case 'SessionStart':
      return [{ name, source: word('source') }];
    case 'UserPromptSubmit':
    case 'PostToolUse':
      return [{ name }];
    case 'Notification':
      return [{ name, kind: word('notification_type'), message: word('message') }];
    case 'Stop':
      return [{ name, inBackground: asList(json['background_tasks']).length }];
    case 'StopFailure':
      return [
        {
          name,
          error: word('error'),
          text: word('last_assistant_message'),
          transcript: word('transcript_path'),
        },
      ];
    case 'SessionEnd':
      return [{ name, reason: word('reason') }];
    default:
      return [];
  }
}
