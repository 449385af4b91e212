import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
}

const read = (name: string): string => readFileSync(resolve(__dirname, '../../..', name), 'utf8');

describe('package-lock.json', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, LockedPackage> };
  const locked = Object.entries(packages).filter(([path]) => path !== '');

  it('names no registry, so that everyone installs from their own', () => {
    assert.deepEqual(
      locked.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path),
      [],
    );
    assert.match(read('.npmrc'), /^omit-lockfile-registry-resolved=true$/m);
  });

  it('fixes every package by its version and its checksum', () => {
    assert.ok(locked.length > 50);
    assert.deepEqual(
      locked
        .filter(([, { version, integrity }]) => version === undefined || integrity === undefined)
        .map(([path]) => path),
      [],
    );
  });

  it('is of the version that package.json states', () => {
    const { version } = JSON.parse(read('package.json')) as LockedPackage;
    assert.equal(packages['']?.version, version);
  });
});
