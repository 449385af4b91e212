import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
}

const read = (name: string): string => readFileSync(resolve(__dirname, '../../..', name), 'utf8');

describe('package-lock.json', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, LockedPackage> };
  const locked = Object.entries(packages).filter(([path]) => path !== '');

  it('names no registry', () => {
    assert.deepEqual(
      locked.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path),
      [],
    );
    assert.match(read('.npmrc'), /^omit-lockfile-registry-resolved=true$/m);
  });

  it('pins every package by its version and its checksum', () => {
    assert.ok(locked.length > 50);
    assert.deepEqual(
      locked
        .filter(([, { version, integrity }]) => version === undefined || integrity === undefined)
        .map(([path]) => path),
      [],
    );
  });

  it('has the version of package.json', () => {
    const { version } = JSON.parse(read('package.json')) as LockedPackage;
    assert.equal(packages['']?.version, version);
  });
});

describe('The locks of tools that are installed on first use', () => {
  const scripts = resolve(__dirname, '../../../scripts');
  const names = readdirSync(scripts, { recursive: true, encoding: 'utf8' });
  const locks = names.filter((name) => name.endsWith('package-lock.json'));

  it('name no registry, and pin every package', () => {
    assert.ok(locks.length >= 3, locks.join(' '));
    for (const lock of locks) {
      const { packages } = JSON.parse(read(join('scripts', lock))) as {
        packages: Record<string, LockedPackage>;
      };
      for (const [path, { resolved, integrity }] of Object.entries(packages))
        if (path !== '')
          assert.deepEqual([resolved, typeof integrity], [undefined, 'string'], `${lock}: ${path}`);
    }
  });
});
