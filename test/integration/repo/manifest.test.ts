import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { MANIFEST } from '../../../scripts/texts/manifest';

interface Manifest {
  readonly name: string;
  readonly license: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly engines: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const read = (name: string): string => readFileSync(resolve(__dirname, '../../..', name), 'utf8');
const manifest = JSON.parse(read('package.json')) as Manifest;

describe('package.json', () => {
  it('names the product and its program', () => {
    assert.equal(manifest.name, 'claude-task-queue');
    assert.equal(MANIFEST.displayName, 'Task Queue for Claude Code');
    assert.deepEqual(manifest.bin, { 'claude-queue': 'dist/cli.js' });
  });

  it('ships the program, the docs and the licence, and nothing else', () => {
    const shipped = read('.vscodeignore').trim().split('\n');
    assert.deepEqual(shipped, [
      '**',
      '!package.json',
      '!package.nls*.json',
      '!l10n/*.json',
      '!README.md',
      '!CHANGELOG.md',
      '!LICENSE',
      '!dist/*.js',
      '!dist/NOTICES.txt',
      '!media/attempt/*',
      '!media/icon.*',
      '!media/*.css',
      '!media/*.js',
      '!media/walkthrough/*.md',
    ]);
    // The packager refuses a second list.
    assert.equal('files' in manifest, false);
  });

  it('ships pages whose green can be read on white: that of test icons is the same in every theme', () => {
    for (const style of [
      'media/attempt/page.css',
      'media/taskForm.css',
      'src/editor/pages/checks/findingsStyle.ts',
    ])
      assert.doesNotMatch(read(style), /testing-iconPassed/, style);
  });

  it('has no run-time dependency', () => {
    assert.deepEqual(manifest.dependencies ?? {}, {});
  });

  it('pins the version of every development package', () => {
    for (const [name, version] of Object.entries(manifest.devDependencies)) {
      assert.match(version, /^\d+\.\d+\.\d+$/, name);
    }
  });

  it('requires the Node of .nvmrc', () => {
    assert.equal(manifest.engines['node'], `>=${read('.nvmrc').trim()}.0`);
  });

  it('has the types of the oldest supported editor', () => {
    assert.equal(manifest.engines['vscode'], `^${manifest.devDependencies['@types/vscode'] ?? ''}`);
  });

  it('promises no older editor than the oldest one that runs the tests', () => {
    // A code-server 4.X.Y is VS Code 1.X.Y.
    const [, minor = ''] = /oldest: \{ codeServer: '4\.(\d+)\./.exec(read('scripts/host/editors.mjs')) ?? [];
    assert.equal(manifest.engines['vscode'], `^1.${minor}.0`);
  });

  it('has the scripts that CONTRIBUTING.md and .ci/run call', () => {
    for (const name of ['start', 'test', 'build', 'typecheck', 'lint', 'format', 'format:check']) {
      assert.ok(manifest.scripts[name], name);
    }
  });

  it('has the script that a packager runs first', () => {
    assert.equal(manifest.scripts['vscode:prepublish'], manifest.scripts['build']);
  });

  it('has the licence of LICENSE', () => {
    assert.equal(manifest.license, 'MIT');
    assert.match(read('LICENSE'), /^MIT License\n/);
  });
});
