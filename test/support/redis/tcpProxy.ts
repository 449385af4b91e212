import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Where bytes flow to. */
export type Direction = 'toServer' | 'toClient';

const DIRECTIONS: readonly Direction[] = ['toServer', 'toClient'];

/** Treatment of the bytes of one direction, on all connections. */
interface Weather {
  delayMs: number;
  isStalled: boolean;
  cut: { bytesLeft: number; readonly done: () => void } | null;
}

/**
 * TCP proxy on the loopback before a server. It passes everything on until `delay`, `stall` or a cut is called; `heal`
 * ends that.
 */
export class TcpProxy {
  private readonly weather: Record<Direction, Weather> = { toServer: calm(), toClient: calm() };
  private readonly links = new Set<Link>();

  private constructor(
    private readonly server: Server,
    private readonly targetPort: number,
  ) {
    server.on('connection', (client) => this.link(client));
  }

  /** Opens a proxy on a free port before this port. */
  static async open(targetPort: number): Promise<TcpProxy> {
    const server = createServer({ allowHalfOpen: true, noDelay: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    server.unref();
    return new TcpProxy(server, targetPort);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Number of connections that are open. */
  get connections(): number {
    return this.links.size;
  }

  /** The same address, but through the proxy. */
  urlOf(url: string): string {
    const through = new URL(url);
    through.port = String(this.port);
    return through.href;
  }

  /** Delays all bytes in these directions by N milliseconds. */
  delay(delayMs: Partial<Record<Direction, number>>): void {
    for (const direction of DIRECTIONS)
      this.weather[direction].delayMs = delayMs[direction] ?? this.weather[direction].delayMs;
  }

  /**
   * Passes nothing on in these directions (default: both), not even the end of a connection. New connections are
   * accepted. `heal` passes on what was held back.
   */
  stall(...directions: readonly Direction[]): void {
    for (const direction of directions.length === 0 ? DIRECTIONS : directions)
      this.weather[direction].isStalled = true;
  }

  /** Resets all connections, on both sides. What was held back is lost. */
  cut(): void {
    for (const link of [...this.links]) link.cut();
  }

  /** Passes nothing on any more on the connections that are open, as a router does that has forgotten them. */
  forget(): void {
    for (const link of this.links) link.forget();
  }

  /**
   * Resets one connection after the N-th byte from now in this direction, counted over all connections. Resolves when it is
   * cut. With 0 bytes nothing more passes: the next that comes is lost.
   */
  cutAfter(bytes: number, direction: Direction): Promise<void> {
    return new Promise((done) => {
      this.weather[direction].cut = { bytesLeft: bytes, done };
    });
  }

  /** Resets the next connection on which the server replies, before the first byte of the reply. Resolves when it is cut. */
  cutAtNextReply(): Promise<void> {
    return this.cutAfter(0, 'toClient');
  }

  /** Passes everything on at once again, with all that was held back. A cut that did not happen yet will not. */
  heal(): void {
    for (const direction of DIRECTIONS) Object.assign(this.weather[direction], calm());
    for (const link of [...this.links]) link.pass();
  }

  /** Cuts all connections, and accepts no more. */
  async close(): Promise<void> {
    this.cut();
    const closed = once(this.server, 'close');
    this.server.close();
    await closed;
  }

  private link(client: Socket): void {
    const server = connect({
      port: this.targetPort,
      host: '127.0.0.1',
      allowHalfOpen: true,
      noDelay: true,
    });
    const link = new Link(client, server, this.weather);
    this.links.add(link);
    void link.closed.then(() => this.links.delete(link));
  }
}

const calm = (): Weather => ({ delayMs: 0, isStalled: false, cut: null });

/** One connection of a client, and the one to the server that belongs to it. */
class Link {
  readonly closed: Promise<unknown>;
  private readonly pipes: readonly Pipe[];

  constructor(
    private readonly client: Socket,
    private readonly server: Socket,
    weather: Record<Direction, Weather>,
  ) {
    const cut = (): void => this.cut();
    this.pipes = [
      new Pipe(client, server, weather.toServer, cut),
      new Pipe(server, client, weather.toClient, cut),
    ];
    this.closed = Promise.all(
      [client, server].map((socket) => new Promise((closed) => socket.once('close', closed))),
    );
  }

  cut(): void {
    for (const socket of [this.client, this.server]) socket.resetAndDestroy();
  }

  pass(): void {
    for (const pipe of this.pipes) pipe.pass();
  }

  forget(): void {
    for (const pipe of this.pipes) pipe.forget();
  }
}

/** Something that came from a socket, and when it is due on the other one. */
interface Held {
  readonly what: Buffer | 'end' | 'reset';
  readonly dueMs: number;
}

/** One direction of one connection. */
class Pipe {
  private readonly held: Held[] = [];
  private timer: NodeJS.Timeout | undefined;
  private isForgotten = false;

  constructor(
    from: Socket,
    private readonly to: Socket,
    private readonly weather: Weather,
    private readonly cut: () => void,
  ) {
    from.on('data', (bytes) => this.hold(bytes));
    from.on('end', () => this.hold('end'));
    from.on('error', () => this.hold('reset'));
    to.on('close', () => clearTimeout(this.timer));
  }

  /** Passes on what is due, in order, and comes back for the rest. */
  pass(): void {
    clearTimeout(this.timer);
    for (;;) {
      const [next] = this.held;
      if (next === undefined || this.weather.isStalled || this.isForgotten) return;
      const waitMs = next.dueMs - performance.now();
      if (waitMs > 0 && this.weather.delayMs > 0) {
        this.timer = setTimeout(() => this.pass(), waitMs);
        return;
      }
      this.held.shift();
      this.passOne(next.what);
    }
  }

  /** Passes nothing on from now on. */
  forget(): void {
    this.isForgotten = true;
  }

  private hold(what: Held['what']): void {
    this.held.push({ what, dueMs: performance.now() + this.weather.delayMs });
    this.pass();
  }

  private passOne(what: Held['what']): void {
    if (what === 'reset') this.cut();
    else if (what === 'end') this.to.end();
    else if (this.weather.cut === null) this.to.write(what);
    else this.passUntilCut(what, this.weather.cut);
  }

  private passUntilCut(bytes: Buffer, cut: NonNullable<Weather['cut']>): void {
    if (bytes.length < cut.bytesLeft) {
      cut.bytesLeft -= bytes.length;
      this.to.write(bytes);
      return;
    }
    this.weather.cut = null;
    // Only what was handed to the system reaches the other side before the reset.
    this.to.write(bytes.subarray(0, cut.bytesLeft), () => {
      this.cut();
      cut.done();
    });
  }
}
