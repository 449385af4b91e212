import assert from 'node:assert/strict';
import {
  describePayment,
  noteVersion,
  type Paid,
  requireUsable,
  whyUnpaid,
} from '../../../../src/app/present/installation';
import { isProblem } from '../../../../src/domain/problem';

const PAID: Paid = {
  auth: {
    loggedIn: true,
    method: 'claude.ai',
    subscriptionType: 'max',
    planTier: 'max_20x',
    email: 'me@example.com',
  },
  billing: 'subscription',
  billingChoice: 'auto',
  unusedKeys: [],
  accountKey: 'abcdef0123456789',
};
const reported = (paid: Partial<Paid>): string => describePayment({ ...PAID, ...paid });

describe('The text of the billing', () => {
  it('names the plan without the address of the account', () => {
    assert.equal(reported({}), 'billed to the subscription it is signed in with (max 20x, account abcdef01)');
    const { planTier: _, ...auth } = PAID.auth;
    assert.match(reported({ auth }), /\(max, account/);
    assert.doesNotMatch(reported({}), /example/);
  });

  it('names unused keys', () => {
    assert.match(reported({ unusedKeys: ['ANTHROPIC_API_KEY'] }), /; ANTHROPIC_API_KEY is not used$/);
    const both = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'];
    assert.match(
      reported({ unusedKeys: both }),
      /; ANTHROPIC_API_KEY and ANTHROPIC_AUTH_TOKEN are not used$/,
    );
  });

  for (const [words, paid] of [
    ['billed to the API key in ANTHROPIC_API_KEY, not to a subscription', keyFrom('ANTHROPIC_API_KEY')],
    [
      'billed to the API key of the Console account it is signed in with, not to a subscription',
      keyFrom('/login managed key'),
    ],
    ['billed to an API key (Claude Code does not say which), not to a subscription', keyFrom(undefined)],
    [
      'billed by Google Vertex AI, not to a subscription',
      { billing: 'cloud', auth: { loggedIn: true, method: 'third_party', provider: 'vertex' } },
    ],
    ['not signed in', { billing: 'none', auth: { loggedIn: false, method: 'none' } }],
    [
      'billed to the subscription that it is signed in with, if any: this version cannot report it',
      { billing: 'none', auth: { loggedIn: false, method: 'unknown' } },
    ],
    [
      'billed to a subscription, as far as this version can tell (account abcdef01)',
      { auth: { loggedIn: false, method: 'unknown' } },
    ],
    [
      'billed to the subscription of the token in CLAUDE_CODE_OAUTH_TOKEN (account abcdef01)',
      { auth: { loggedIn: true, method: 'oauth_token' } },
    ],
  ] as const satisfies readonly (readonly [string, Partial<Paid>])[])
    it(`has a form for: ${words}`, () => {
      assert.equal(reported(paid), words);
    });

  it('has a remedy if billing is not as chosen', () => {
    const signedOut = { loggedIn: false, method: 'none' };
    const none: Paid = { ...PAID, billing: 'none', auth: signedOut };
    assert.equal(whyUnpaid(none), null);
    assert.equal(whyUnpaid(PAID), null);
    assert.throws(
      () => requireUsable({ ...none, billingChoice: 'subscription', version: '2.1.329' }),
      (error) => isProblem(error, 'not-paid') && error.message.includes('Run "claude" and then /login'),
    );
    assert.match(whyUnpaid({ ...none, billingChoice: 'api-key' }) ?? '', /Set ANTHROPIC_API_KEY/);
  });
});

describe('A key beside an unknown sign-in', () => {
  const unknown: Paid = { ...PAID, billing: 'api-key', auth: { loggedIn: false, method: 'unknown' } };

  it('is not billed until the user chooses it', () => {
    assert.throws(
      () => requireUsable({ ...unknown, version: '2.1.40' }),
      (error) => isProblem(error, 'not-paid') && error.message.includes('Set billing to'),
    );
    assert.equal(whyUnpaid({ ...unknown, billingChoice: 'api-key' }), null);
  });

  it('is ignored if a subscription token is given', () => {
    assert.equal(whyUnpaid({ ...unknown, billing: 'subscription' }), null);
  });
});

describe('The text of a version of Claude Code', () => {
  it('is an error if it cannot run tasks', () => {
    assert.throws(
      () => requireUsable({ ...PAID, version: '1.0.60' }),
      (error) => isProblem(error, 'claude-missing') && error.message.includes('too old: 2.0.20'),
    );
    for (const version of ['2.0.20', '9.9.9', null]) requireUsable({ ...PAID, version });
  });

  it('is a sentence if it was not tested', () => {
    assert.equal(noteVersion({ version: '2.1.200' }), null);
    assert.match(
      noteVersion({ version: '9.9.9' }) ?? '',
      /newer than the tested ones.*\(2\.1\.90 to 2\.1\.332\)/,
    );
    assert.match(
      noteVersion({ version: '2.0.76' }) ?? '',
      /older than the tested ones.*: it cannot report who is signed in, and reports a usage limit as text only, to the minute\.$/,
    );
    assert.match(noteVersion({ version: '2.1.80' }) ?? '', /older than the tested ones [^:]*\)\.$/);
    assert.match(noteVersion({ version: '1.0.60' }) ?? '', /too old: 2\.0\.20/);
    assert.match(noteVersion({ version: null }) ?? '', /did not report its version/);
  });
});

function keyFrom(keySource: string | undefined): Partial<Paid> {
  const auth = { loggedIn: true, method: 'api_key' };
  return { billing: 'api-key', auth: keySource === undefined ? auth : { ...auth, keySource } };
}
