import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Redis } from 'ioredis';
import { until } from '../until';
import { makeCertificate, type Certificate } from './certificate';

/** Options of a server. Default: plain TCP, no password, and nothing is written to the disk. */
export interface RedisOptions {
  /** When the append-only file is synchronized; `no`: there is none. */
  readonly aof?: 'no' | 'everysec' | 'always';
  /** Lines of an ACL file, for users besides `default`: `user NAME on >PASSWORD ~KEYS &CHANNELS +COMMANDS`. */
  readonly acl?: readonly string[];
  readonly tls?: boolean;
  /** Password of the user `default`. */
  readonly password?: string;
  /** Folder to use and to keep, with its data. Without it: one of its own, which `stop` removes. */
  readonly folder?: string;
}

/** Where npm test unpacks it (scripts/tools/redisServer.mjs); else it is on the PATH. */
const UNPACKED = resolve(process.cwd(), '.vscode-test', 'redis-server', 'redis-server');

/** Folder of the unpacked program, for a PATH. */
export const REDIS_FOLDER = dirname(UNPACKED);

/** Starts a server on a free port of the loopback. Resolves when it answers. It ends with this process at the latest. */
export async function startRedis(options: RedisOptions = {}): Promise<RedisServer> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'claude-task-queue-redis-'));
  const server = new RedisServer(await findFreePort(), folder, options);
  await server.restart();
  return server;
}

/** One Redis server: it can be killed, and started again on the same port with the same data. */
export class RedisServer {
  /** Address for the user `default`, with the password. */
  readonly url: string;
  private readonly certificate: Certificate | null;
  private child: ChildProcess | null = null;

  constructor(
    readonly port: number,
    readonly folder: string,
    private readonly options: RedisOptions,
  ) {
    const { tls = false, password } = options;
    const user = password === undefined ? '' : `:${encodeURIComponent(password)}@`;
    this.url = `${tls ? 'rediss' : 'redis'}://${user}127.0.0.1:${port}`;
    this.certificate = tls ? makeCertificate(folder) : null;
    this.writeConfiguration();
  }

  /** File with the certificate to trust, with TLS only. */
  get caFile(): string | undefined {
    return this.certificate?.certFile;
  }

  /** Process id. @throws where it does not run */
  get pid(): number {
    if (this.child?.pid === undefined) throw new Error('Redis is not running.');
    return this.child.pid;
  }

  /** Sends a signal to the server: `SIGKILL`, `SIGSTOP`, `SIGCONT` … */
  kill(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  /** Resolves when the process has ended, at once if it does not run. */
  async ended(): Promise<void> {
    if (this.child === null) return;
    this.child.ref();
    await once(this.child, 'exit');
  }

  /** Kills the server if it runs, and starts it on the same port and folder. Resolves when it answers. */
  async restart(): Promise<void> {
    await this.end();
    const child = launch(join(this.folder, 'redis.conf'));
    if (child.pid !== undefined) this.endWithThisProcess(child, child.pid);
    this.child = child;
    child.once('exit', () => {
      if (this.child === child) this.child = null;
    });
    await until('Redis answers', () => {
      if (this.child === null) throw new Error(`Redis ended at once:\n${this.log()}`);
      return this.answers();
    });
  }

  /** Kills the server, and removes the folder if it is the server's own. */
  async stop(): Promise<void> {
    await this.end();
    if (this.options.folder === undefined) rmSync(this.folder, { recursive: true, force: true });
  }

  /** All that the server logged. */
  log(): string {
    const file = join(this.folder, 'redis.log');
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  }

  private async end(): Promise<void> {
    this.kill('SIGKILL');
    await this.ended();
  }

  /** However this process ends, the pipe to the guard closes: the guard kills the server, and removes its own folder. */
  private endWithThisProcess(child: ChildProcess, pid: number): void {
    const folder = this.options.folder === undefined ? [this.folder] : [];
    const script = 'read -r _; kill -9 "$0"; rm -rf -- "$@"';
    const guard = spawn('sh', ['-c', script, String(pid), ...folder], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    guard.unref();
    child.once('exit', () => guard.kill('SIGKILL'));
  }

  private async answers(): Promise<boolean> {
    const tls = this.certificate === null ? {} : { tls: { ca: readFileSync(this.certificate.certFile) } };
    const client = new Redis(this.url, {
      lazyConnect: true,
      retryStrategy: () => null,
      maxRetriesPerRequest: 0,
      ...tls,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.ping();
      return true;
    } catch {
      return false;
    } finally {
      client.disconnect();
    }
  }

  private writeConfiguration(): void {
    const { aof = 'no', acl = [], password } = this.options;
    const lines = [
      ...['bind 127.0.0.1', 'daemonize no', 'save ""'],
      `dir ${JSON.stringify(this.folder)}`,
      `logfile ${JSON.stringify(join(this.folder, 'redis.log'))}`,
      `aclfile ${JSON.stringify(join(this.folder, 'users.acl'))}`,
      ...(aof === 'no' ? ['appendonly no'] : ['appendonly yes', `appendfsync ${aof}`]),
      ...(this.certificate === null ? [`port ${this.port}`] : this.tlsLines(this.certificate)),
    ];
    // An ACL file takes the place of `requirepass`.
    const secret = password === undefined ? 'nopass' : `>${password}`;
    writeLines(join(this.folder, 'users.acl'), [`user default on ${secret} ~* &* +@all`, ...acl]);
    writeLines(join(this.folder, 'redis.conf'), lines);
  }

  private tlsLines({ certFile, keyFile }: Certificate): string[] {
    return [
      'port 0',
      `tls-port ${this.port}`,
      `tls-cert-file ${JSON.stringify(certFile)}`,
      `tls-key-file ${JSON.stringify(keyFile)}`,
      `tls-ca-cert-file ${JSON.stringify(certFile)}`,
      'tls-auth-clients no',
    ];
  }
}

function writeLines(file: string, lines: readonly string[]): void {
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
}

/** Starts the program. This process may end without waiting for it. */
function launch(configuration: string): ChildProcess {
  const program = existsSync(UNPACKED) ? UNPACKED : 'redis-server';
  const child = spawn(program, [configuration], { stdio: 'ignore' });
  child.once('error', (error) => {
    throw new Error('Redis is not set up: npm test does it.', { cause: error });
  });
  child.unref();
  return child;
}

/** Below the ports that the system gives to connections: none of them can take it while the server is down. */
const FIRST_PORT = 10_000;
const PORTS = 20_000;

/** Returns a port of the loopback that nobody uses. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORTS);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    probe.close();
  }
}
