// The Redis of the tests and of the bench: Debian's, unpacked into .vscode-test/redis-server, or else the one on the PATH.
import { ask, findDebianTool } from './debianTools.mjs';
import { SetupFailure, ensureOnSystem, isAtLeast, program } from '../setup.mjs';

const OLDEST = '7.0.0';

function works(file) {
  const version = /\bv=(\d+\.\d+\.\d+)/.exec(ask(file, ['--version']))?.[1];
  return version !== undefined && isAtLeast(version, OLDEST);
}

/** Sees to a redis-server, and to the program that makes certificates for it. Rejects where there is none. */
export async function ensureRedis() {
  await ensureOnSystem([program(['openssl'], ['openssl'])]);
  const found = await findDebianTool({
    name: 'redis-server',
    debianPackage: 'redis-server',
    program: 'redis-server',
    works,
    size: 'some 7 MB',
  });
  if (found !== undefined) return;
  throw new SetupFailure(
    'Here is needed: the program "redis-server" 7.0 or newer, on the PATH. On Debian 12, Ubuntu 24.04 and newer run: ' +
      'sudo apt-get install -y redis-server; on macOS: brew install redis',
  );
}
