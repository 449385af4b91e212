import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly displayName: string;
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
    assert.equal(manifest.displayName, 'Task Queue for Claude Code');
    assert.deepEqual(manifest.bin, { 'claude-queue': 'dist/cli.js' });
  });

  it('ships the program and what a reader needs, and nothing else', () => {
    const shipped = read('.vscodeignore').trim().split('\n');
    assert.deepEqual(shipped, [
      '**',
      '!package.json',
      '!dist/README.md',
      '!CHANGELOG.md',
      '!LICENSE',
      '!dist/*.js',
      '!dist/NOTICES.txt',
      '!media/icon.*',
    ]);
    // The packager refuses to be told twice.
    assert.equal('files' in manifest, false);
  });

  it('needs no package at run time, since the program is bundled', () => {
    assert.deepEqual(manifest.dependencies ?? {}, {});
  });

  it('fixes the version of every package it is built with', () => {
    for (const [name, version] of Object.entries(manifest.devDependencies)) {
      assert.match(version, /^\d+\.\d+\.\d+$/, name);
    }
  });

  it('asks for the Node that .nvmrc names', () => {
    assert.equal(manifest.engines['node'], `>=${read('.nvmrc').trim()}.0`);
  });

  it('has the types of the oldest editor that it runs in', () => {
    assert.equal(manifest.engines['vscode'], `^${manifest.devDependencies['@types/vscode'] ?? ''}`);
  });

  it('has the scripts that CONTRIBUTING.md and .ci/run call', () => {
    for (const name of ['start', 'test', 'build', 'typecheck', 'lint', 'format', 'format:check']) {
      assert.ok(manifest.scripts[name], name);
    }
  });

  it('has the script with which a packager builds first', () => {
    assert.equal(manifest.scripts['vscode:prepublish'], manifest.scripts['build']);
  });

  it('is under the licence that LICENSE holds', () => {
    assert.equal(manifest.license, 'MIT');
    assert.match(read('LICENSE'), /^MIT License\n/);
  });
});
