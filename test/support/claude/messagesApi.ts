import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rateLimitHeaders } from './rateLimitHeaders';
import type { Usage } from './rateLimitHeaders';
import { invalidRequest, text } from './replies';
import type { Reply } from './replies';
import { sendError, sendMessage } from './sendReply';
import { authOf, readBody, sessionOf } from './turn';
import type { RequestBody, Turn } from './turn';

/** Decides what Claude answers. */
export type Respond = (turn: Turn) => Reply | Promise<Reply>;

export interface MessagesApiOptions {
  readonly respond: Respond;
  /** Fill levels of the account's usage windows; only subscribers get them. */
  readonly usage?: Usage;
}

/** A request as it came; `turn` is absent for those that Claude Code makes on the side. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly turn?: Turn;
}

/** A stand-in of the Messages API for the real `claude`, on loopback and in this process. */
export interface MessagesApi {
  /** For `ANTHROPIC_BASE_URL`. */
  readonly url: string;
  /** Every request so far, in the order of arrival. */
  readonly requests: readonly ReceivedRequest[];
  /** Every turn so far, in the order of arrival. */
  turns(): readonly Turn[];
  /** The first turn that passes, as soon as it has arrived. */
  waitForTurn(passes: (turn: Turn) => boolean): Promise<Turn>;
  /** Sets the fill levels from the next answer on. */
  setUsage(usage: Usage): void;
  /** Refuses every connection, and breaks those that are open, until it comes back at the same address. */
  vanish(): Promise<void>;
  comeBack(): Promise<void>;
  /** Stops, and breaks every connection that is still open. */
  close(): Promise<void>;
}

const DEFAULT_USAGE: Usage = { fiveHour: 0.2, sevenDay: 0.1 };

/** Starts the stand-in on a free port. `respond` is asked for turns of conversations only. */
export async function startMessagesApi(options: MessagesApiOptions): Promise<MessagesApi> {
  const standIn = new StandIn(options);
  const server = createServer((request, response) => {
    response.on('error', () => response.destroy());
    standIn.answer(request, response).catch(() => response.destroy());
  });
  const listen = async (at: number): Promise<void> => {
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests: standIn.requests,
    turns: () => standIn.turns(),
    waitForTurn: (passes) => standIn.waitForTurn(passes),
    setUsage: (usage) => (standIn.usage = usage),
    vanish: () => closeServer(server),
    comeBack: () => listen(port),
    close: () => closeServer(server),
  };
}

async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

class StandIn {
  readonly requests: ReceivedRequest[] = [];
  usage: Usage;
  private readonly respond: Respond;
  private readonly arrivals = new EventEmitter().setMaxListeners(0);
  private readonly counts = new Map<string, number>();

  constructor(options: MessagesApiOptions) {
    this.respond = options.respond;
    this.usage = options.usage ?? DEFAULT_USAGE;
  }

  turns(): readonly Turn[] {
    return this.requests.flatMap(({ turn }) => (turn === undefined ? [] : [turn]));
  }

  async waitForTurn(passes: (turn: Turn) => boolean): Promise<Turn> {
    for (;;) {
      const found = this.turns().find(passes);
      if (found !== undefined) return found;
      await once(this.arrivals, 'turn');
    }
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const json = await readJson(request);
    const path = new URL(request.url ?? '/', 'http://stand-in').pathname;
    const method = request.method ?? '';
    if (method === 'POST' && path === '/v1/messages') {
      await this.answerMessages(request, response, readBody(json));
      return;
    }
    this.requests.push({ method, path });
    if (path === '/v1/messages/count_tokens') {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":100}');
    } else {
      response.writeHead(method === 'HEAD' ? 200 : 404).end();
    }
  }

  /** Claude Code offers its tools in a turn of the conversation only; without them it asks for titles and the like. */
  private async answerMessages(
    request: IncomingMessage,
    response: ServerResponse,
    body: RequestBody,
  ): Promise<void> {
    const received = { method: 'POST', path: '/v1/messages' };
    const auth = authOf(request.headers);
    if (body.toolCount === 0) {
      this.requests.push(received);
      await this.send(response, text('A quiet answer'), body, auth);
      return;
    }
    const turn = this.turnOf(sessionOf(request.headers), body, auth);
    this.requests.push({ ...received, turn });
    this.arrivals.emit('turn');
    await this.send(response, await this.replyTo(turn), body, auth);
  }

  private turnOf(session: string, body: RequestBody, auth: Turn['auth']): Turn {
    const number = (this.counts.get(session) ?? 0) + 1;
    this.counts.set(session, number);
    const { userTexts, addedTexts, toolResults, model, system, tools } = body;
    const lastUserText = userTexts.at(-1) ?? '';
    return { session, number, userTexts, lastUserText, addedTexts, toolResults, auth, model, system, tools };
  }

  /** A test's own mistake shows up in what `claude` prints, where the test looks. */
  private async replyTo(turn: Turn): Promise<Reply> {
    try {
      return await this.respond(turn);
    } catch (error) {
      return invalidRequest(`the stand-in could not answer: ${String(error)}`);
    }
  }

  private async send(
    response: ServerResponse,
    reply: Reply,
    body: RequestBody,
    auth: Turn['auth'],
  ): Promise<void> {
    switch (reply.kind) {
      case 'hang':
        return;
      case 'drop':
        response.destroy();
        return;
      case 'error': {
        const hasHeaders = auth === 'subscription' && reply.limit !== undefined;
        sendError(response, reply, hasHeaders ? rateLimitHeaders(Date.now(), this.usage, reply.limit) : {});
        return;
      }
      case 'message': {
        const headers = auth === 'subscription' ? rateLimitHeaders(Date.now(), this.usage) : {};
        await sendMessage(response, reply, body, headers);
      }
    }
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const raw = Buffer.concat(chunks).toString('utf8');
  return raw === '' ? undefined : (JSON.parse(raw) as unknown);
}
