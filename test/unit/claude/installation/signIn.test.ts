import assert from 'node:assert/strict';
import { parseSignIn, signInArguments, UNKNOWN_SIGN_IN } from '../../../../src/claude/installation/signIn';

describe('The command that signs in', () => {
  it('is "auth login", or the slash command where the version has no "auth"', () => {
    const signedOut = parseSignIn('{"loggedIn":false,"authMethod":"none"}');
    assert.deepEqual(signInArguments(signedOut), ['auth', 'login']);
    assert.deepEqual(signInArguments(UNKNOWN_SIGN_IN), ['/login']);
  });
});
