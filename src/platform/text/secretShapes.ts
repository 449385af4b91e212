/**
 * The shapes of secrets. Prefixes and lengths are facts that the issuers publish for secret scanners; the families follow
 * the rules of gitleaks (github.com/gitleaks/gitleaks, config/gitleaks.toml, read in November 2026). Every repetition is
 * bounded or cannot be split in two ways, so the time is linear in the text; no pattern takes a quote, or one half of an
 * escape, so a JSON text stays one.
 */

/** A known shape of a secret. */
export interface SecretShape {
  /** Its first group, where it has one, is no secret. */
  readonly pattern: RegExp;
  /** Replacement text. */
  readonly mark: string;
  /**
   * One of these starts a word, or a part of one behind `_`, in every text with such a secret; absent: the pattern always
   * runs.
   */
  readonly hints?: readonly string[];
}

/**
 * Position at which a secret may start: not inside a longer word, but right behind a JSON escape such as `\n`, whose
 * letter is not part of what follows.
 */
const START = String.raw`(?:(?<![A-Za-z0-9_\\])|(?<=\\[nrtbf])|(?<=\\u[0-9a-fA-F]{4})|(?<=(?<!\\)\\\\))`;

/**
 * Returns the pattern of a secret's first letters where it may start. They come first, so that the engine skips text
 * without them.
 */
function startWith(letters: string): string {
  return `${letters}(?<=${START}${letters})`;
}

/** Returns the shape of a secret by name and pattern. */
export function shape(name: string, source: string, hints?: readonly string[]): SecretShape {
  const mark = `[redacted ${name}]`;
  return { pattern: new RegExp(source, 'g'), mark, ...(hints === undefined ? {} : { hints }) };
}

/** Returns the shape of a secret behind words that announce it, in the first group; they are kept. */
function keepFirst(source: string, hints?: readonly string[]): SecretShape {
  const pattern = new RegExp(source, hints === undefined ? 'gi' : 'g');
  return { pattern, mark: '[redacted]', ...(hints === undefined ? {} : { hints }) };
}

type Prefixed = readonly [name: string, prefixes: readonly string[], rest: string];

const WORD = '[A-Za-z0-9_-]';
const PLAIN = '[A-Za-z0-9]';
const HEX = '[0-9a-fA-F]';
/** End of a word. */
const END = '(?![A-Za-z0-9])';

/** Secrets whose first letters name their issuer. */
const PREFIXED: readonly Prefixed[] = [
  ['Anthropic key', ['sk-ant-'], `${WORD}{8,}`],
  // OpenAI and others with its form; a word with dashes but without a digit is no key.
  ['key', ['sk-'], `(?=[A-Za-z_-]{0,80}[0-9])${WORD}{20,}`],
  ['GitHub token', ['gho_', 'ghp_', 'ghr_', 'ghs_', 'ghu_'], `${PLAIN}{20,}`],
  ['GitHub token', ['github_pat_'], '[A-Za-z0-9_]{20,}'],
  [
    'GitLab token',
    ['glpat-', 'glptt-', 'gldt-', 'glrt-', 'glrtr-', 'glcbt-', 'glft-', 'glffct-', 'glimt-', 'glagent-'],
    '[A-Za-z0-9_.-]{20,}',
  ],
  ['GitLab token', ['gloas-', 'glsoat-', 'GR1348941'], `${WORD}{20,}`],
  ['AWS key', ['AKIA', 'ASIA', 'ABIA', 'ACCA'], `[0-9A-Z]{16}${END}`],
  ['AWS key', ['A3T'], `[0-9A-Z]{17}${END}`],
  ['AWS key', ['ABSK'], '[A-Za-z0-9+/]{100,280}={0,2}'],
  ['Google key', ['AIza'], `${WORD}{35}`],
  ['Google token', ['ya29.', 'GOCSPX-', '1//0'], `${WORD}{20,}`],
  ['Azure secret', ['sha256~'], `${WORD}{43}`],
  ['npm token', ['npm_'], `${PLAIN}{30,}`],
  ['PyPI token', ['pypi-AgE'], `${WORD}{50,}`],
  ['RubyGems key', ['rubygems_'], `${HEX}{48}`],
  ['Docker token', ['dckr_pat_', 'dckr_oat_'], `${WORD}{20,}`],
  ['Hugging Face token', ['hf_', 'api_org_'], `${PLAIN}{30,}`],
  ['Groq key', ['gsk_'], `${PLAIN}{40,}`],
  ['xAI key', ['xai-'], `${PLAIN}{60,}`],
  ['Perplexity key', ['pplx-'], `${PLAIN}{40,}`],
  ['Replicate token', ['r8_'], `${PLAIN}{37,}`],
  ['Stripe key', ['sk_live_', 'sk_test_', 'sk_prod_', 'rk_live_', 'rk_test_', 'rk_prod_'], `${PLAIN}{10,}`],
  ['webhook secret', ['whsec_'], '[A-Za-z0-9+/]{20,}={0,2}'],
  ['Square token', ['sq0atp-', 'sq0csp-', 'EAAA'], `${WORD}{22,60}${END}`],
  ['Shopify token', ['shpat_', 'shpca_', 'shppa_', 'shpss_'], `${HEX}{32}`],
  ['Slack token', ['xoxe.xox'], '[bp]-[A-Za-z0-9-]{10,}'],
  [
    'Slack token',
    ['xoxa-', 'xoxb-', 'xoxe-', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-', 'xapp-'],
    '[A-Za-z0-9-]{10,}',
  ],
  ['SendGrid key', ['SG.'], '[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{16,64}'],
  ['Mailgun key', ['key-'], `[0-9a-f]{32}${END}`],
  ['Brevo key', ['xkeysib-'], '[0-9a-f]{64}-[A-Za-z0-9]{16}'],
  ['Twilio key', ['SK'], `${HEX}{32}${END}`],
  ['DigitalOcean token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], `${HEX}{32,}`],
  ['Heroku key', ['HRKU-'], `${WORD}{36,}`],
  ['Fly token', ['fo1_', 'fm1a_', 'fm1r_', 'fm2_'], '[A-Za-z0-9_+/-]{40,}={0,3}'],
  ['Databricks token', ['dapi'], '[0-9a-f]{32}(?:-[0-9])?'],
  ['Supabase key', ['sbp_', 'sb_secret_'], `${WORD}{20,}`],
  ['PlanetScale token', ['pscale_tkn_', 'pscale_oauth_', 'pscale_pw_'], '[A-Za-z0-9_.=-]{32,64}'],
  ['Vault token', ['hvs.', 'hvb.', 'hvr.'], `${WORD}{20,}`],
  ['Doppler token', ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.', 'dp.scim.', 'dp.audit.'], '[A-Za-z0-9._-]{40,}'],
  ['Pulumi token', ['pul-'], '[0-9a-f]{40}'],
  ['Tailscale key', ['tskey-'], `${WORD}{20,}`],
  ['Cloudflare key', ['v1.0-'], '[0-9a-f]{24}-[0-9a-f]{146}'],
  ['Linear key', ['lin_api_', 'lin_oauth_'], `${PLAIN}{32,}`],
  ['Notion token', ['ntn_'], `${PLAIN}{40,}`],
  ['Notion token', ['secret_'], `${PLAIN}{43}${END}`],
  ['Postman key', ['PMAK-'], '[0-9a-f]{24}-[0-9a-f]{34}'],
  ['Figma token', ['figd_'], `${WORD}{20,}`],
  ['Airtable token', ['pat'], `${PLAIN}{14}\\.[0-9a-f]{64}`],
  ['Atlassian token', ['ATATT3'], '[A-Za-z0-9_=-]{100,}'],
  ['Sentry token', ['sntrys_', 'sntryu_'], '[A-Za-z0-9+/_=-]{40,}'],
  ['Grafana token', ['glc_', 'glsa_', 'eyJrIjoi'], '[A-Za-z0-9+/_]{32,}={0,3}'],
  ['New Relic key', ['NRAK-', 'NRII-', 'NRJS-'], '[A-Za-z0-9-]{19,}'],
  ['Dynatrace token', ['dt0c01.'], `${PLAIN}{24}\\.${PLAIN}{64}`],
  ['1Password token', ['ops_eyJ'], '[A-Za-z0-9+/]{100,}={0,3}'],
  ['age key', ['AGE-SECRET-KEY-1'], '[0-9A-Z]{40,}'],
];

/** Text between a name and its value, in code, in the environment and in JSON. */
const ASSIGNED = String.raw`\\{0,3}["']?\s{0,4}[:=]\s{0,4}\\{0,3}["']?`;
const HAS_FIGURE = '(?=[A-Za-z._~+/=-]{0,80}[0-9])';

/** Ends of Mailchimp's keys. */
const US_CENTERS = Array.from({ length: 9 }, (_, index) => `-us${String(index + 1)}`);

/** Services whose secrets have no form of their own. */
const SERVICES = [
  'cloudflare',
  'twilio',
  'datadog',
  'heroku',
  'discord',
  'fastly',
  'netlify',
  'algolia',
  'snyk',
].flatMap((name) => [name, name.toUpperCase()]);

/** Secrets that are recognized by the text around them. */
const SURROUNDED: readonly SecretShape[] = [
  shape(
    'token',
    String.raw`${startWith('(?<!-)eyJ')}[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,}`,
    ['eyJ'],
  ),
  // The text before it is part of it, but has no fixed form.
  keepFirst(String.raw`Q~(?<=[A-Za-z0-9_~.]{3}[0-9]Q~)[A-Za-z0-9_~.-]{31,34}`),
  shape('Terraform token', String.raw`[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}`, ['.atlasv1.']),
  // Telegram: the bot's id before it is public.
  keepFirst(String.raw`((?<=[0-9]{5}):)A[A-Za-z0-9_-]{34}(?![A-Za-z0-9_-])`, [':A']),
  shape('Mailchimp key', `[0-9a-f]{32}-us[0-9]{1,2}${END}`, US_CENTERS),
  shape(
    'Discord token',
    String.raw`${startWith('[MNO]')}[A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}`,
  ),
  keepFirst(String.raw`(hooks\.slack\.com/(?:services|workflows|triggers)/)[A-Za-z0-9+/_-]{20,}`, [
    'hooks.slack.com/',
  ]),
  keepFirst(String.raw`(discord(?:app)?\.com/api/webhooks/[0-9]{1,20}/)[A-Za-z0-9_-]{20,}`, [
    '/api/webhooks/',
  ]),
  keepFirst(String.raw`(\.webhook\.office\.com/webhookb2/)[A-Za-z0-9@/-]{40,}`, ['.webhook.office.com/']),
  keepFirst('((?:AccountKey|SharedAccessKey)=)[A-Za-z0-9+/]{20,}={0,2}', ['AccountKey=', 'SharedAccessKey=']),
  keepFirst(String.raw`(secret_?access_?key${ASSIGNED})[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])`),
  keepFirst(
    `((?:${SERVICES.join('|')})[A-Za-z0-9_.-]{0,20}(?:[Tt]oken|TOKEN|[Kk]ey|KEY|[Ss]ecret|SECRET)${ASSIGNED})${HAS_FIGURE}[A-Za-z0-9_-]{16,}`,
    SERVICES,
  ),
  keepFirst(`(${startWith('Bearer')}\\s{1,4})${HAS_FIGURE}[A-Za-z0-9._~+/=-]{16,}`),
  keepFirst(String.raw`(authorization${ASSIGNED}Basic\s{1,4})[A-Za-z0-9+/]{4,}={0,2}`),
  // A password may have an `@` in it: the last one ends it.
  keepFirst(String.raw`(:\/\/[^\s/"'\\@:?#]{0,200}:)[^\s/"'\\?#{}<>]{1,400}(?=@)`),
];

/** Every shape but that of a private key, which depends on where the text comes from. */
const TOKENS: readonly SecretShape[] = [
  ...PREFIXED.map(([name, prefixes, rest]) => {
    const letters = `(?:${prefixes.map((prefix) => prefix.replaceAll('.', '\\.')).join('|')})`;
    return shape(name, `${startWith(letters)}${rest}`, prefixes);
  }),
  ...SURROUNDED,
];

let anyRoot: RegExp | undefined;

/**
 * Finds hints at the start of a word, behind `_`, or right behind a JSON escape: those that start with no other one. Made
 * when it is needed first: a window that only shows a queue needs none.
 */
function findRoots(): RegExp {
  if (anyRoot !== undefined) return anyRoot;
  const hints = [...new Set(TOKENS.flatMap(({ hints = [] }) => hints))];
  const roots = hints.filter((hint) => !hints.some((other) => other !== hint && hint.startsWith(other)));
  const words = roots.map((root) => root.replaceAll('.', '\\.')).join('|');
  anyRoot = new RegExp(String.raw`(?:\b(?:[nrtbf]|u[0-9a-fA-F]{4})?|_)(${words})`, 'g');
  return anyRoot;
}

/** Returns the shapes that a text may hold, by one search for the hints of all. */
export function findCandidates(text: string): readonly SecretShape[] {
  const found = new Set<string>();
  const roots = findRoots();
  for (let hit = roots.exec(text); hit !== null; hit = roots.exec(text)) {
    found.add(hit[1] ?? '');
    // Another hint may start within this one.
    roots.lastIndex = hit.index + 1;
  }
  return TOKENS.filter(({ hints }) => hints?.some((hint) => hasRoot(hint, found)) !== false);
}

function hasRoot(hint: string, found: ReadonlySet<string>): boolean {
  for (const root of found) if (hint.startsWith(root)) return true;
  return false;
}
