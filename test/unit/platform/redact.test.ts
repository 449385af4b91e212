import assert from 'node:assert/strict';
import { array, assert as check, constantFrom, jsonValue, oneof, property, string, uuid } from 'fast-check';
import { redact, redactCounting } from '../../../src/platform/redact';

/** Put together here, so that no scanner takes them for real ones. */
const join = (...parts: readonly string[]): string => parts.join('');
const BODY = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj';
const PEM = join(
  '-----BEGIN RSA PRIV',
  'ATE KEY-----\n',
  `${BODY}\n${BODY}\nAbc=\n`,
  '-----END RSA PRIV',
  'ATE KEY-----',
);
const SECRETS: Readonly<Record<string, string>> = {
  'an Anthropic key': join('sk-', 'ant-api03-AbCdEf-123456_7890'),
  'an Anthropic sign-in': join('sk-', 'ant-oat01-AbCdEf123456'),
  'another key': join('sk-', 'proj-Abcdefghij1234567890klmn'),
  'a GitHub token': join('gh', 'p_abcdefghijklmnopqrstuvwxyz0123456789'),
  'a GitHub server token': join('gh', 's_abcdefghijklmnopqrstuvwxyz0123456789'),
  'a fine-grained GitHub token': join('github', '_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz'),
  'an AWS key': join('AK', 'IAIOSFODNN7EXAMPLE'),
  'a Slack token': join('xo', 'xb-123456789012-abcdefABCDEF'),
  'a Google key': join('AI', 'zaSyA1234567890abcdefghijklmnopqrstuvw'),
  'an npm token': join('np', 'm_abcdefghijklmnopqrstuvwxyz0123456789'),
  'a JWT': join(
    'ey',
    'JhbGciOiJIUzI1NiJ9.',
    'ey',
    'JzdWIiOiIxMjM0NTY3ODkwIn0.',
    'dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P',
  ),
  'a private key': PEM,
};
const QUOTED: Readonly<Record<string, readonly [text: string, secret: string]>> = {
  'a bearer': ['Authorization: Bearer abcdef1234567890ABCDEF', 'abcdef1234567890ABCDEF'],
  'an AWS secret': [
    'aws_secret_access_key = wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEYab',
    'wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEYab',
  ],
  'an AWS secret in JSON': [
    '{"SecretAccessKey": "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEYab"}',
    'wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEYab',
  ],
  'a password in a URL': ['postgres://ann:s3cr3t!x@db.example/main', 's3cr3t!x'],
  'a password without a user': ['redis://:hunter22@cache:6379/0', 'hunter22'],
};

describe('What a person answers for', () => {
  it('is without a secret of each shape, and says how long these were', () => {
    for (const secret of Object.values(SECRETS)) {
      const whole = `before ${secret}\nafter`;
      const { text, takenOut } = redactCounting(whole);
      const left = text.replace(/\[redacted [A-Za-z ]+\]/, '');
      assert.match(left, /^before \w?\nafter$/);
      assert.equal(takenOut, whole.length - left.length);
    }
    for (const [text, secret] of Object.values(QUOTED)) {
      assert.deepEqual(redactCounting(text), {
        text: text.replace(secret, '[redacted]'),
        takenOut: secret.length,
      });
    }
  });

  it('is without a private key that has a password, was cut off or stands in one line', () => {
    const begin = PEM.slice(0, PEM.indexOf('\n'));
    const heads = `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${'0A'.repeat(16)}\n\n`;
    for (const key of [
      PEM.replace('\n', `\n${heads}`),
      PEM.slice(0, 150),
      PEM.replaceAll('\n', String.raw`\n`),
      `${begin}\n  ${BODY}\n  ${BODY}`,
    ])
      assert.ok(!redactCounting(`"${key}"`).text.includes(BODY), key);
  });

  it('keeps all that stands between the marks of a private key and is none', () => {
    for (const words of [' do this ', '\nthen\nthat\n', `\n${BODY} and do it `]) {
      const { text } = redactCounting(PEM.replace(/\n[^]*\n/, words));
      assert.match(text, /do this|then\nthat|and do it/);
    }
  });
});

describe('What is stored of an output', () => {
  for (const [name, secret] of Object.entries(SECRETS)) {
    const body = secret.includes('\n') ? BODY : secret;
    it(`holds no trace of ${name}`, () => {
      for (const text of [secret, `key=${secret}.`, `("${secret}")`, `at\n${secret}\nend`]) {
        assert.ok(!redact(text).includes(body), text);
        assert.match(redact(text), /\[redacted/);
        const line = JSON.stringify({ a: text, b: JSON.stringify({ text }) });
        assert.ok(!redact(line).includes(body), line);
        assert.doesNotThrow(() => JSON.parse(redact(line)));
      }
    });
  }
  for (const [name, [text, secret]] of Object.entries(QUOTED)) {
    it(`holds no trace of ${name}, but keeps the words around it`, () => {
      for (const shown of [redact(text), redact(JSON.stringify([`\n${text}`]))]) {
        assert.ok(!shown.includes(secret), shown);
        assert.match(shown, /\[redacted\]/);
      }
    });
  }

  it('keeps the lines around a private key, also one that was cut off or has line numbers', () => {
    assert.equal(redact(`before\n${PEM}\nafter`), 'before\n[redacted private key]\nafter');
    const cut = PEM.slice(0, 150);
    assert.ok(!redact(JSON.stringify([cut])).includes(BODY));
    const numbered = PEM.split('\n')
      .map((line, index) => `${index + 1}→${line}`)
      .join('\n');
    assert.ok(!redact(JSON.stringify([numbered])).includes(BODY));
  });

  it('keeps ordinary text, code, hashes and links as they are', () => {
    const ordinary = [
      'The task-skeleton and the risk-assessment-of-2026 are in disk-usage-report-for-everyone.md.',
      'commit 9a2c1149d47fbdf6d8cd4fd969aff1ee39d46abc by ann@example.org',
      '123e4567-e89b-12d3-a456-426614174000 sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
      'https://example.org:8080/a@b?c=d:e@f and git@github.com:ann/repo.git',
      'const token = process.env.GITHUB_TOKEN ?? ""; // Bearer tokens are opaque',
      'connect(`postgres://${user}:${password}@${host}`)',
      'A file with -----BEGIN CERTIFICATE----- in it; -----BEGIN PRIVATE KEY----- is another word.',
      'sk-learn, sk-loading-indicator-wrapper, npm_config_registry, xoxo, AKIA, eyJ',
      'C:\\new\\bin\\readme.txt',
    ];
    for (const text of ordinary) assert.equal(redact(text), text);
    check(property(uuid(), (id) => assert.equal(redact(id), id)));
  });

  it('stays JSON, whatever was in it', () => {
    const pieces = oneof(
      constantFrom(...Object.values(SECRETS), ...Object.values(QUOTED).map(([text]) => text)),
      constantFrom('\\', '"', '\n', '\\n', '\t', '\b', '\f', 'n', 'pm_', 'Bearer ', '://', ':', '@', '-----'),
      string({ unit: 'binary', maxLength: 5 }),
    );
    check(
      property(array(pieces), jsonValue(), (parts, other) => {
        const text = parts.join('');
        const line = JSON.stringify({ [text]: [text, JSON.stringify({ text }), other] });
        JSON.parse(redact(line));
      }),
      { numRuns: 2000 },
    );
  });

  it('is ready in time linear in its length', () => {
    const long = 200_000;
    const nasty = [
      'a.'.repeat(long),
      '://a:'.repeat(long / 5),
      'eyJ-'.repeat(long / 4),
      'sk-'.repeat(long / 3),
      '-----BEGIN PRIVATE KEY-----'.repeat(long / 27),
      `-----BEGIN PRIVATE KEY-----${'a\\n'.repeat(long)}`,
      `-----BEGIN PRIVATE KEY-----${`\\n${BODY}`.repeat(long / 66)}`.repeat(2),
      `-----BEGIN PRIVATE KEY-----\n${'a'.repeat(long)}`,
      `-----BEGIN PRIVATE KEY-----${'\\n'.repeat(long)}`,
      'Bearer '.repeat(long / 7),
      `Bearer ${'a'.repeat(long)}`,
      '\\'.repeat(long),
      'secret_access_key='.repeat(long / 18),
      `eyJ${'a'.repeat(long)}.eyJ${'a'.repeat(long)}`,
      `://${'x'.repeat(long)}`,
    ];
    for (const text of nasty) {
      const from = process.hrtime.bigint();
      redact(text);
      redactCounting(text);
      const tookMs = Number(process.hrtime.bigint() - from) / 1e6;
      assert.ok(tookMs < 20_000, `${text.slice(0, 30)}… took ${tookMs} ms`);
    }
  });
});
