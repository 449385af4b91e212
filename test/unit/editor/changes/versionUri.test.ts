import assert from 'node:assert/strict';
import { composeUri, parseSide, parseUri, type KeptVersion } from '../../../../src/editor/changes/versionUri';

const VERSION: KeptVersion = {
  queue: '0123456789abcdef0123456789abcdef',
  format: 'sha1',
  kind: 'file',
  object: 'a'.repeat(40),
};

/** Whether a URI with these parts names a version. */
const names = (parts: Partial<ReturnType<typeof composeUri>>): boolean =>
  parseUri({ ...composeUri(VERSION, 'a'), ...parts }) !== null;

describe('The URI of a kept version', () => {
  it('has the name of the file, and all that is needed to read it', () => {
    for (const version of [
      VERSION,
      { ...VERSION, kind: 'link' } as const,
      { ...VERSION, kind: 'submodule' } as const,
      { ...VERSION, format: 'sha256', object: 'b'.repeat(64) } as const,
    ]) {
      const uri = composeUri(version, 'src/a b.ts');
      assert.equal(uri.path, '/src/a b.ts');
      assert.deepEqual(parseUri(uri), version);
    }
  });

  it('names the side of a difference for which it was made, and the version all the same', () => {
    const side = { task: 12, attempt: 3, side: 'after' } as const;
    const uri = composeUri(VERSION, 'a', side);
    assert.deepEqual([parseSide(uri), parseUri(uri)], [side, VERSION]);
    assert.equal(parseSide(composeUri(VERSION, 'a')), null);
    for (const more of ['12', '12 3', '12 3 left', '0 3 after', '12 -1 after', '12 3 after x', '1e3 3 after'])
      assert.equal(names({ query: `sha1 file ${VERSION.object} ${more}` }), false, more);
  });

  it('names only an object of a format, in a queue', () => {
    const { queue, object } = VERSION;
    assert.equal(names({ query: `sha1 file ${object}` }), true);
    const wrong = [
      '',
      object,
      `sha1 file HEAD`,
      `sha1 file ${object.slice(1)}`,
      `sha1 file ${object}a`,
      `sha1 file ${object.toUpperCase()}`,
      `sha1 file ${object}\n`,
      `sha1 file ${object} more`,
      `sha1 file --batch`,
      `sha1 file ${object}:../../secret`,
      `sha256 file ${object}`,
      `sha1 tree ${object}`,
      `sha1 constructor ${object}`,
      `toString file ${object}`,
      `../other file ${object}`,
    ];
    for (const query of wrong) assert.equal(names({ query }), false, query);
    for (const authority of ['', '..', `../${queue}`, queue.slice(1), `${queue}0`, queue.toUpperCase()])
      assert.equal(names({ authority }), false, authority);
  });
});
