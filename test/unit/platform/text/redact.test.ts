import assert from 'node:assert/strict';
import { array, assert as check, constantFrom, jsonValue, oneof, property, string, uuid } from 'fast-check';
import { redact, redactCounting } from '../../../../src/platform/text/redact';

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
const PGP = join(
  '-----BEGIN PGP PRIV',
  'ATE KEY BLOCK-----\n\n',
  `${BODY}\n${BODY}\nAbc=\n=aB1c\n`,
  '-----END PGP PRIV',
  'ATE KEY BLOCK-----',
);
/** Made-up texts of a given length. */
const plain = (length: number): string => 'Ab1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uVwXyZ'.repeat(9).slice(0, length);
const upper = (length: number): string => 'A2B3C4D5E6F7G2H3I4J5K6L7'.repeat(9).slice(0, length);
const hex = (length: number): string => '0a1b2c3d4e5f6789'.repeat(12).slice(0, length);
/** One secret of each family, after the formats in the rules of gitleaks. */
const FAMILIES: Readonly<Record<string, string>> = {
  'a GitLab personal token': join('gl', 'pat-', plain(20)),
  'a routable GitLab token': join('gl', 'pat-', plain(27), '.01.', plain(9)),
  'a GitLab trigger token': join('gl', 'ptt-', hex(40)),
  'a GitLab deploy token': join('gl', 'dt-', plain(20)),
  'a GitLab runner token': join('gl', 'rt-', plain(20)),
  'a GitLab job token': join('gl', 'cbt-1a_', plain(20)),
  'a GitLab OAuth secret': join('gl', 'oas-', plain(64)),
  'an old GitLab runner token': join('GR13', '48941', plain(20)),
  'a GitHub OAuth token': join('gh', 'o_', plain(36)),
  'a GitHub user token': join('gh', 'u_', plain(36)),
  'a GitHub refresh token': join('gh', 'r_', plain(36)),
  'a temporary AWS key': join('AS', 'IA', upper(16)),
  'an AWS bearer key': join('AB', 'IA', upper(16)),
  'an AWS context key': join('AC', 'CA', upper(16)),
  'an older AWS key': join('A3', 'TX', upper(16)),
  'an AWS Bedrock key': join('AB', 'SK', plain(120)),
  'a Google OAuth token': join('ya', '29.', plain(60)),
  'a Google client secret': join('GOC', 'SPX-', plain(28)),
  'a Google refresh token': join('1/', '/0', plain(40)),
  'a PyPI token': join('py', 'pi-AgEIcHlwaS5vcmc', plain(60)),
  'a RubyGems key': join('ruby', 'gems_', hex(48)),
  'a Docker token': join('dckr', '_pat_', plain(27)),
  'a Hugging Face token': join('h', 'f_', plain(34)),
  'a Groq key': join('gs', 'k_', plain(52)),
  'an xAI key': join('xa', 'i-', plain(80)),
  'a Perplexity key': join('pp', 'lx-', plain(48)),
  'a Replicate token': join('r', '8_', plain(37)),
  'an OpenAI key': join('sk', '-proj-', plain(74), 'T3Blbk', 'FJ', plain(74)),
  'a Stripe key': join('sk', '_live_', plain(24)),
  'a restricted Stripe key': join('rk', '_test_', plain(24)),
  'a webhook secret': join('wh', 'sec_', plain(32)),
  'a Square token': join('sq0', 'atp-', plain(22)),
  'a Shopify token': join('shp', 'at_', hex(32)),
  'a Shopify secret': join('shp', 'ss_', hex(32)),
  'a Slack app token': join('xa', 'pp-1-', upper(11), '-1234567890-', hex(30)),
  'a Slack configuration token': join('xo', 'xe.xo', 'xp-1-', upper(160)),
  'a SendGrid key': join('S', 'G.', plain(22), '.', plain(43)),
  'a Mailgun key': join('ke', 'y-', hex(32)),
  'a Mailchimp key': join(hex(32), '-us', '12'),
  'a Brevo key': join('xkey', 'sib-', hex(64), '-', plain(16)),
  'a Twilio key': join('S', 'K', hex(32)),
  'a Discord token': join('M', plain(25), '.Gx1yZ2.', plain(38)),
  'a DigitalOcean token': join('do', 'p_v1_', hex(64)),
  'a Heroku key': join('HR', 'KU-AA', plain(58)),
  'a Fly token': join('fo', '1_', plain(43)),
  'a Databricks token': join('da', 'pi', hex(32)),
  'a Supabase token': join('sb', 'p_', hex(40)),
  'a Supabase secret': join('sb', '_secret_', plain(31)),
  'a PlanetScale token': join('pscale', '_tkn_', plain(43)),
  'a Vault token': join('hv', 's.', plain(95)),
  'a Doppler token': join('dp', '.pt.', plain(43)),
  'a Pulumi token': join('pu', 'l-', hex(40)),
  'a Tailscale key': join('ts', 'key-auth-', plain(30)),
  'a Cloudflare origin key': join('v1', '.0-', hex(24), '-', hex(146)),
  'a Terraform token': join(plain(14), '.atlas', 'v1.', plain(67)),
  'a Linear key': join('lin', '_api_', plain(40)),
  'a Notion token': join('nt', 'n_12345678901', plain(35)),
  'an older Notion token': join('sec', 'ret_', plain(43)),
  'a Postman key': join('PM', 'AK-', hex(24), '-', hex(34)),
  'a Figma token': join('fi', 'gd_', plain(40)),
  'an Airtable token': join('pa', 't', plain(14), '.', hex(64)),
  'an Atlassian token': join('ATA', 'TT3', plain(180)),
  'a Sentry token': join('sntr', 'yu_', hex(64)),
  'a Grafana token': join('gl', 'sa_', plain(32), '_', hex(8)),
  'a New Relic key': join('NR', 'AK-', upper(27)),
  'a Dynatrace token': join('dt', '0c01.', upper(24), '.', upper(64)),
  'a 1Password token': join('op', 's_eyJ', plain(250)),
  'an age key': join('AGE-SEC', 'RET-KEY-1', upper(58)),
};
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
  'a private key of PGP': PGP,
  ...FAMILIES,
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
  'a Telegram token': [
    'https://api.telegram.org/bot12345678:AAH1234567890abcdefghijklmnopqrstuv/x',
    'AAH1234567890abcdefghijklmnopqrstuv',
  ],
  'a Slack hook': [
    'https://hooks.slack.com/services/T01ABCDEF/B01ABCDEF/abcdefghijklmnopqrstuvwx',
    'T01ABCDEF/B01ABCDEF/abcdefghijklmnopqrstuvwx',
  ],
  'a Discord hook': [`https://discord.com/api/webhooks/123456789012345678/${plain(68)}`, plain(68)],
  'a Teams hook': [`https://x.webhook.office.com/webhookb2/${hex(60)}`, hex(60)],
  'an Azure client secret': [`abc8Q~${plain(31)}`, `Q~${plain(31)}`],
  'an Azure storage key': [
    `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${plain(86)}==;`,
    `${plain(86)}==`,
  ],
  'an Azure bus key': [`Endpoint=sb://x/;SharedAccessKey=${plain(43)}=`, `${plain(43)}=`],
  'Basic sign-in in a header': ['Authorization: Basic YW5uOnMzY3IzdCF4', 'YW5uOnMzY3IzdCF4'],
  'Basic sign-in in JSON': ['{"authorization": "Basic YW5uOnMzY3IzdCF4"}', 'YW5uOnMzY3IzdCF4'],
  'Basic sign-in in a URL': ['https://ann:hunter2@example.org/x', 'hunter2'],
  'a Cloudflare token': [`CLOUDFLARE_API_TOKEN=${plain(40)}`, plain(40)],
  'a Cloudflare token of a prefixed variable': [`PROD_CLOUDFLARE_API_TOKEN=${plain(40)}`, plain(40)],
  'a Twilio token': [`twilio_auth_token: ${hex(32)}`, hex(32)],
  'a password in a URL': ['postgres://ann:s3cr3t!x@db.example/main', 's3cr3t!x'],
  'a password with an at sign in it': ['redis://ann:p@ss@w0rd@cache:6379/0', 'p@ss@w0rd'],
  'a password without a user': ['redis://:hunter22@cache:6379/0', 'hunter22'],
};

describe('A text for approval, redacted,', () => {
  it('has no secret of any shape, and their lengths instead', () => {
    for (const secret of Object.values(SECRETS)) {
      const whole = `before ${secret}\nafter`;
      const { text, takenOut } = redactCounting(whole);
      const left = text.replace(/\[redacted [A-Za-z1 ]+\]/, '');
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

  it('has no private key that has a password, was cut off or is in one line', () => {
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

  it('keeps text between private key marks that is no key', () => {
    for (const words of [' do this ', '\nthen\nthat\n', `\n${BODY} and do it `]) {
      const { text } = redactCounting(PEM.replace(/\n[^]*\n/, words));
      assert.match(text, /do this|then\nthat|and do it/);
    }
  });
});

describe('A stored output', () => {
  for (const [name, secret] of Object.entries(SECRETS)) {
    const body = secret.includes('\n') ? BODY : secret;
    it(`has no trace of ${name}`, () => {
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
    it(`has no trace of ${name}, but keeps the words around it`, () => {
      for (const shown of [redact(text), redact(JSON.stringify([`\n${text}`]))]) {
        assert.ok(!shown.includes(secret), shown);
        assert.match(shown, /\[redacted\]/);
      }
    });
  }

  it('has no trace of a given secret with quotes and backslashes', () => {
    const secret = String.raw`pass"word\of-the-callbacks`;
    const text = `before ${secret} after`;
    const line = JSON.stringify({ a: text, b: JSON.stringify({ text }) });
    for (const shown of [redact(text, [secret]), redact(line, [secret])]) {
      assert.doesNotMatch(shown, /callbacks/);
      assert.match(shown, /before \[redacted\] after/);
    }
    assert.doesNotThrow(() => JSON.parse(redact(line, [secret])));
  });

  it('has no end of a given secret that starts with another one', () => {
    assert.equal(
      redact('x 0123456789abcdef-more y', ['0123456789abcdef', '0123456789abcdef-more']),
      'x [redacted] y',
    );
  });

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
      'Basic authentication; authorization: Basic is a scheme. const twilioAuthToken = readTokenFromTheEnvironment();',
      'hf_hub_download, sk_learn, key-value, secret_name, dapi, glpat-, SG.ui, SKILL, patient.md, dp.pt.test',
      'at 10:Afternoon in v1.0-beta-us1, https://discord.com/api/webhooks/ and https://hooks.slack.com/services/',
    ];
    for (const text of ordinary) assert.equal(redact(text), text);
    check(property(uuid(), (id) => assert.equal(redact(id), id)));
  });

  it('stays valid JSON', () => {
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

  it('takes time linear in its length', () => {
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
      `://a:${'@'.repeat(long)}`,
      '://:@'.repeat(long / 5),
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
