import type { IncomingHttpHeaders } from 'node:http';

/** A request of Claude Code's for the next step of a session's conversation. */
export interface Turn {
  /** The id of the Claude Code session. */
  readonly session: string;
  /** Counts the session's requests from 1, tries of a failed one included. */
  readonly number: number;
  /** Texts of the user in this conversation, oldest first, without those that Claude Code adds. */
  readonly userTexts: readonly string[];
  readonly lastUserText: string;
  /** Texts that Claude Code added: what it knows of the folder, such as a CLAUDE.md. */
  readonly addedTexts: readonly string[];
  /** The system prompt. */
  readonly system: string;
  /** The tools that Claude is offered, as JSON. */
  readonly tools: string;
  /** Number of tool results in the conversation. */
  readonly toolResults: number;
  readonly auth: 'subscription' | 'api-key' | 'none';
  readonly model: string;
}

/** The part of a request's body that the stand-in reads. */
export interface RequestBody {
  readonly model: string;
  readonly stream: boolean;
  readonly toolCount: number;
  readonly system: string;
  readonly tools: string;
  readonly userTexts: readonly string[];
  readonly addedTexts: readonly string[];
  readonly toolResults: number;
}

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Reads the body of a `/v1/messages` request; what is absent is empty. */
export function readBody(json: unknown): RequestBody {
  const body = isObject(json) ? json : {};
  const blocks = listOf(body['messages'])
    .filter(isObject)
    .filter((message) => message['role'] === 'user')
    .flatMap(blocksOf);
  return {
    model: typeof body['model'] === 'string' ? body['model'] : '',
    stream: body['stream'] === true,
    toolCount: listOf(body['tools']).length,
    system: readSystem(body['system']),
    tools: JSON.stringify(body['tools'] ?? []),
    userTexts: blocks.filter(hasText).flatMap((block) => (isSpoken(block) ? [block.text] : [])),
    addedTexts: blocks.filter(hasText).flatMap((block) => (isSpoken(block) ? [] : [block.text])),
    toolResults: blocks.filter((block) => block['type'] === 'tool_result').length,
  };
}

function readSystem(system: unknown): string {
  if (typeof system === 'string') return system;
  return listOf(system)
    .filter(isObject)
    .filter(hasText)
    .map(({ text }) => text)
    .join('\n');
}

function blocksOf(message: Json): Json[] {
  const content = message['content'];
  return typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content).filter(isObject);
}

type TextBlock = Json & { readonly text: string };

const hasText = (block: Json): block is TextBlock => typeof block['text'] === 'string';

/** Claude Code wraps what it adds to the user's words into this element. */
function isSpoken({ text }: TextBlock): boolean {
  return !text.trimStart().startsWith('<system-reminder>');
}

/** A subscription's token comes as a bearer, a key in a header of its own. */
export function authOf(headers: IncomingHttpHeaders): Turn['auth'] {
  if (headers['x-api-key'] !== undefined) return 'api-key';
  return headers.authorization === undefined ? 'none' : 'subscription';
}

/** The session that a request belongs to; empty where Claude Code does not say. */
export function sessionOf(headers: IncomingHttpHeaders): string {
  const session = headers['x-claude-code-session-id'];
  return typeof session === 'string' ? session : '';
}
