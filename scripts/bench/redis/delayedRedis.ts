import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { TcpProxy } from '../../../test/support/redis/tcpProxy';

/** A Redis that is reached through a network that takes its time. */
export interface DelayedRedis {
  readonly url: string;
  close(): void;
}

/** Starts a proxy, in a process of its own, that holds every reply back. */
export async function delayReplies(url: string, delayMs: number): Promise<DelayedRedis> {
  const { port } = new URL(url);
  const args = [...process.execArgv, process.argv[1] ?? '', 'delay', port, String(delayMs)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const through = new URL(url);
  through.port = line.trim();
  return { url: through.href, close: () => child.stdin.end() };
}

/** Plays that process: prints its port, and ends with its input. */
export async function playDelay(port: number, delayMs: number): Promise<void> {
  const proxy = await TcpProxy.open(port);
  proxy.delay({ toClient: delayMs });
  process.stdout.write(`${proxy.port}\n`);
  await finished(process.stdin.resume());
  await proxy.close();
}
