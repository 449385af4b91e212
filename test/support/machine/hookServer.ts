import * as http from 'node:http';
import * as https from 'node:https';
import type { AddressInfo } from 'node:net';

/** A request as the server got it. */
export interface Received {
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** Answer of the server: a status with its headers, or nothing at all. */
export type Answer = { readonly status: number; readonly location?: string } | 'silence';

/** A web server of this machine that notes what is posted to it. */
export class HookServer {
  readonly received: Received[] = [];
  /** Answer to the request with this number, from 0. */
  answer: (index: number) => Answer = () => ({ status: 200 });

  private constructor(
    private readonly server: http.Server,
    private readonly scheme: string,
  ) {}

  static async open(tls?: https.ServerOptions): Promise<HookServer> {
    const server = tls === undefined ? http.createServer() : https.createServer(tls);
    const hooks = new HookServer(server, tls === undefined ? 'http' : 'https');
    server.on('request', (request, response) => {
      hooks.take(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return hooks;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  url(path = '/hook', host = '127.0.0.1'): string {
    return `${this.scheme}://${host}:${String(this.port)}${path}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private take(request: http.IncomingMessage, response: http.ServerResponse): void {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const answer = this.answer(this.received.length);
      const { url = '', headers } = request;
      this.received.push({ path: url, headers, body: Buffer.concat(parts).toString() });
      if (answer === 'silence') return;
      response.writeHead(answer.status, answer.location === undefined ? {} : { location: answer.location });
      response.end();
    });
  }
}
