import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../../..');

const SHIPPED = [
  'LICENSE',
  'README.md',
  'dist/NOTICES.txt',
  'dist/cli.js',
  'dist/metrics.js',
  'dist/redis.js',
  'dist/watchdog.js',
  'package.json',
];

describe('The command, packed for npm', () => {
  let folder: string;
  let file: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'claude-queue-npm-'));
    run(ROOT, 'npm', 'pack', '--pack-destination', folder);
    file = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
  });

  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function run(cwd: string, program: string, ...args: readonly string[]): string {
    const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' });
    assert.equal(status, 0, `${program} ${args.join(' ')}: ${error?.message ?? stderr}`);
    return stdout;
  }

  it('has the program, the docs and the licence, and nothing else', () => {
    const names = run(folder, 'tar', '-tzf', file).trim().split('\n');
    assert.deepEqual(names.map((name) => name.replace('package/', '')).sort(), SHIPPED);
  });

  it('runs once installed, without any other package, in a folder without a checkout', () => {
    const prefix = join(folder, 'prefix');
    run(folder, 'npm', 'install', '--global', '--offline', '--prefix', prefix, '--loglevel=error', file);
    const work = join(folder, 'work');
    const home = join(folder, 'home');
    for (const each of [work, home]) mkdirSync(each);
    const call = (...args: readonly string[]): string => {
      const { status, stdout, stderr } = spawnSync('claude-queue', args, {
        cwd: work,
        encoding: 'utf8',
        env: { HOME: home, PATH: [join(prefix, 'bin'), dirname(process.execPath)].join(delimiter) },
      });
      assert.equal(status, 0, stderr);
      return stdout;
    };
    call('init');
    call('add', 'Do', 'it', '--timeout', '30m');
    assert.match(call('list'), /^> 1 +ready +medium +Do it$/m);
    assert.equal(readdirSync(join(prefix, 'lib', 'node_modules')).join(), 'claude-task-queue');
  });

  it('is built in a fresh clone after its packages are installed', () => {
    const clone = join(folder, 'clone');
    for (const each of ['package.json', 'package-lock.json', 'scripts'])
      cpSync(join(ROOT, each), join(clone, each), { recursive: true });
    const npm = join(folder, 'npm');
    writeFileSync(npm, `#!/bin/sh\necho "$1" > '${join(folder, 'npm-ran')}'\nexit 1\n`, { mode: 0o755 });
    const { status, stderr } = spawnSync(process.execPath, ['scripts/build.mjs'], {
      cwd: clone,
      encoding: 'utf8',
      env: { PATH: [folder, '/usr/bin', '/bin'].join(delimiter) },
    });
    assert.equal(readFileSync(join(folder, 'npm-ran'), 'utf8'), 'ci\n');
    assert.deepEqual([status, stderr.includes('npm could not install the packages (exit 1)')], [1, true]);
  });
});
