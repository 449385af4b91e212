import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Block, ErrorReply, MessageReply } from './replies';

type Headers = Readonly<Record<string, string>>;

/** A block as it goes over the wire: a tool call has an id, which its result refers to. */
type SentBlock = Block & { readonly id?: string };

const PIECE_CHARACTERS = 24;
const INPUT_TOKENS = 120;
const OUTPUT_TOKENS = 25;

/** Sends a failure, as JSON like the API's own. */
export function sendError(response: ServerResponse, reply: ErrorReply, headers: Headers): void {
  const requestId = `req_${shortId()}`;
  response.writeHead(reply.status, {
    'content-type': 'application/json',
    'request-id': requestId,
    ...headers,
    ...(reply.retryAfterSeconds === undefined ? {} : { 'retry-after': String(reply.retryAfterSeconds) }),
    ...(reply.shouldRetry === undefined ? {} : { 'x-should-retry': String(reply.shouldRetry) }),
  });
  const { type, message } = reply;
  response.end(JSON.stringify({ type: 'error', error: { type, message }, request_id: requestId }));
}

/** Sends a message: as server-sent events where `stream`, else whole. */
export async function sendMessage(
  response: ServerResponse,
  reply: MessageReply,
  request: { readonly model: string; readonly stream: boolean },
  headers: Headers,
): Promise<void> {
  const content: SentBlock[] = reply.content.map((block) =>
    block.type === 'tool_use' ? { ...block, id: `toolu_${shortId()}` } : block,
  );
  const message = { id: `msg_${shortId()}`, type: 'message', role: 'assistant', model: request.model };
  if (!request.stream) {
    response.writeHead(200, { 'content-type': 'application/json', ...headers });
    const ending = { stop_reason: reply.stopReason, stop_sequence: null, usage: usageOf(OUTPUT_TOKENS) };
    response.end(JSON.stringify({ ...message, content, ...ending }));
    return;
  }
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    ...headers,
  });
  let sent = 0;
  for (const event of eventsOf(message, content, reply.stopReason)) {
    if (response.destroyed) return;
    if (sent === reply.cutAfterEvents) {
      response.destroy();
      return;
    }
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    sent += 1;
    if (reply.pauseMs !== undefined) await sleep(reply.pauseMs);
  }
  response.end();
}

interface StreamEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

function* eventsOf(
  message: object,
  content: readonly SentBlock[],
  stopReason: string,
): Generator<StreamEvent> {
  const start = { ...message, content: [], stop_reason: null, stop_sequence: null, usage: usageOf(1) };
  yield { type: 'message_start', message: start };
  yield { type: 'ping' };
  for (const [index, block] of content.entries()) {
    yield* blockEvents(index, block);
  }
  const delta = { stop_reason: stopReason, stop_sequence: null };
  yield { type: 'message_delta', delta, usage: { output_tokens: OUTPUT_TOKENS } };
  yield { type: 'message_stop' };
}

function* blockEvents(index: number, block: SentBlock): Generator<StreamEvent> {
  if (block.type === 'text') {
    yield { type: 'content_block_start', index, content_block: { type: 'text', text: '' } };
    for (const piece of piecesOf(block.text)) {
      yield { type: 'content_block_delta', index, delta: { type: 'text_delta', text: piece } };
    }
  } else {
    yield { type: 'content_block_start', index, content_block: { ...block, input: {} } };
    const delta = { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
    yield { type: 'content_block_delta', index, delta };
  }
  yield { type: 'content_block_stop', index };
}

/** Cuts between characters, never inside one. */
function piecesOf(words: string): string[] {
  const characters = Array.from(words);
  const pieces: string[] = [];
  for (let i = 0; i < characters.length; i += PIECE_CHARACTERS) {
    pieces.push(characters.slice(i, i + PIECE_CHARACTERS).join(''));
  }
  return pieces;
}

function usageOf(outputTokens: number): object {
  return {
    input_tokens: INPUT_TOKENS,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: outputTokens,
    service_tier: 'standard',
  };
}

function shortId(): string {
  return randomUUID().replaceAll('-', '').slice(0, 22);
}
