import { readPieces } from '../attempt/filePieces';
import { asList } from '../../platform/text/shapes';
import { asText, parseObject, type JsonObject } from '../stream/json';
import { createLineSplitter } from '../attempt/lineSplitter';

/** Turn that ended in a failure, as its hook reports it. */
export interface FailureEvent {
  readonly name: 'StopFailure';
  /** `rate_limit` for a usage limit and for a throttle alike. */
  readonly error: string;
  /** Text that Claude Code wrote instead of an answer. */
  readonly text: string;
  /** Path of the session's transcript. */
  readonly transcript: string;
}

/** Event that a hook of an interactive session reports, as far as it is used here. */
export type HookEvent =
  | { readonly name: 'SessionStart'; readonly source: string }
  | { readonly name: 'UserPromptSubmit' }
  | { readonly name: 'Notification'; readonly kind: string; readonly message: string }
  /** A tool call ended, with or without success. */
  | { readonly name: 'PostToolUse' }
  | { readonly name: 'Stop'; readonly inBackground: number }
  | FailureEvent
  | { readonly name: 'SessionEnd'; readonly reason: string };

/** Reads the events of one session while they are appended. */
export interface HookEventReader {
  /** Returns all events so far. Only what is new is read; an incomplete line waits. */
  read(): Promise<readonly HookEvent[]>;
}

/** Creates a reader of the file that the hooks of `HOOK_SETTINGS` append to. A missing file has no events. */
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
      // Reads run one after the other, also after a failed one: two at once would read the same bytes twice.
      last = last.then(readOn, readOn);
      return last;
    },
  };
}

/** Returns the event of a line; none if it is damaged or of a kind that is not requested. */
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
