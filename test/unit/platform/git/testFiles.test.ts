import assert from 'node:assert/strict';
import { isTestFile } from '../../../../src/platform/git/testFiles';

describe('A test file', () => {
  for (const path of [
    ...['test/a.ts', 'src/__tests__/a.js', 'tests/unit/a.py', 'spec/models/user.rb', 'app/e2e/login.ts'],
    ...['src/a.test.ts', 'src/a.spec.tsx', 'lib/a_test.go', 'lib/test_a.py', 'lib/user_spec.rb'],
    ...['src/UserTest.java', 'src/UserTests.cs', 'src/LoginSpec.scala'],
  ])
    it(`is ${path}`, () => {
      assert.ok(isTestFile(path));
    });

  for (const path of [
    ...['src/latest.ts', 'src/contest/a.ts', 'docs/testing.md', 'src/inspect.ts', 'src/attestation.ts'],
    ...['README.md', 'src/specification.ts', 'src/protest.js'],
  ])
    it(`is not ${path}`, () => {
      assert.ok(!isTestFile(path));
    });
});
