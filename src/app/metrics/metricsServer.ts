import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIP, type AddressInfo } from 'node:net';
import { Problem } from '../../domain/problem';
import { hasCode } from '../../platform/files/files';
import { formatHost, isLoopback } from '../../platform/net/addresses';
import { t } from '../../platform/text/translate';
import { METRICS_TYPE } from './renderMetrics';

/** Address at which metrics are served. */
export interface MetricsAddress {
  /** IP address. */
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
}

/** Dependencies of a server of metrics. */
export interface MetricsServerDeps {
  /** Returns the metrics as they are now. */
  readonly take: () => Promise<string>;
  /** Called with each failure to take them. */
  readonly failed: (error: unknown) => void;
}

/** Longest time in which a request must arrive, in ms. */
const REQUEST_TIMEOUT_MS = 5_000;
const MOST_CONNECTIONS = 20;

/** Path of the metrics, as Prometheus asks for it by default. */
const METRICS_PATH = '/metrics';

/** Serves the metrics of a queue over HTTP until it is closed. */
export class MetricsServer {
  private taking: Promise<string> | null = null;

  private constructor(
    private readonly server: Server,
    private readonly deps: MetricsServerDeps,
  ) {}

  /** Starts a server. @throws Problem `usage` if the address is not available */
  static async start(address: MetricsAddress, deps: MetricsServerDeps): Promise<MetricsServer> {
    const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS });
    server.maxConnections = MOST_CONNECTIONS;
    const own = new MetricsServer(server, deps);
    server.on('request', (request, response) => {
      void own.answer(request, response, isLoopback(address.host));
    });
    await listen(server, address);
    server.on('error', deps.failed);
    return own;
  }

  /** Address of the metrics. */
  get url(): string {
    // A TCP server that listens has such an address.
    const { address, port } = this.server.address() as AddressInfo;
    return `http://${formatHost(address)}:${String(port)}${METRICS_PATH}`;
  }

  /** Ends all connections and resolves when the port is free. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.server.close(() => {
        resolve();
      });
    });
    this.server.closeAllConnections();
    await closed;
  }

  /** Never rejects. */
  private async answer(request: IncomingMessage, response: ServerResponse, isLocal: boolean): Promise<void> {
    const { method = '', url = '' } = request;
    const [path] = url.split('?', 1);
    if (isLocal && !isOwnName(request.headers.host ?? '')) send(response, 403, 'Forbidden');
    else if (path !== METRICS_PATH) send(response, 404, `Not found: the metrics are at ${METRICS_PATH}`);
    else if (method !== 'GET' && method !== 'HEAD') send(response, 405, 'Method not allowed');
    else {
      try {
        send(response, 200, await this.takeOnce(), METRICS_TYPE);
      } catch (error) {
        this.deps.failed(error);
        send(response, 503, 'The queue cannot be read now');
      }
    }
  }

  /** Requests at the same time share one answer. */
  private takeOnce(): Promise<string> {
    this.taking ??= this.deps.take().finally(() => {
      this.taking = null;
    });
    return this.taking;
  }
}

function listen(server: Server, { host, port }: MetricsAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(explainRefusal(error, `${formatHost(host)}:${String(port)}`));
    });
    server.listen({ host, port }, () => {
      server.removeAllListeners('error');
      resolve();
    });
  });
}

function explainRefusal(error: Error, address: string): Error {
  if (hasCode(error, 'EADDRINUSE'))
    return new Problem(
      'usage',
      t(
        'Metrics cannot be served at {0}: the port is in use. Give another one, or 0 for a free one.',
        address,
      ),
    );
  return new Problem('usage', t('Metrics cannot be served at {0}: {1}', address, error.message), {
    cause: error,
  });
}

/**
 * Whether a request names this machine as only the machine itself does. A web page whose name was made to lead here
 * would name that, and must not read the answer.
 */
function isOwnName(host: string): boolean {
  const name = host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  return name.toLowerCase() === 'localhost' || (isIP(name) !== 0 && isLoopback(name));
}

function send(response: ServerResponse, status: number, text: string, type = 'text/plain'): void {
  const body = text.endsWith('\n') ? text : `${text}\n`;
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}
