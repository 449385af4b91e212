import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** The repository's own `claude`, the real one. */
export const CLAUDE = resolve(__dirname, '../../../node_modules/.bin/claude');

/** A place where the real `claude` can run without seeing, or touching, anything of the user who runs the tests. */
export interface ClaudeHome {
  /** A new temporary folder that holds the rest. */
  readonly folder: string;
  /** An empty folder to work in. */
  readonly workspace: string;
  /** Built from nothing: what is not in here does not reach `claude`. */
  readonly env: Readonly<Record<string, string>>;
  /** Removes the folder. */
  remove(): void;
}

/** Sign-ins are made up: the stand-in of the Messages API accepts any. */
const SIGN_INS = {
  subscription: { CLAUDE_CODE_OAUTH_TOKEN: 'made-up' },
  'api-key': { ANTHROPIC_API_KEY: 'made-up' },
  none: {},
} as const;

export interface ClaudeHomeOptions {
  /** Address of the stand-in of the Messages API. */
  readonly apiUrl: string;
  readonly signIn?: keyof typeof SIGN_INS;
  /** Number of times `claude` itself retries a failing request. It waits at least half a second before each. */
  readonly retries?: number;
  /** In a terminal it also asks whether the workspace is trusted, and whether to use a key: both are answered here. */
  readonly interactive?: boolean;
}

/** Prepares an environment for the real `claude`, with everything answered that it might ask the user. */
export function createClaudeHome({
  apiUrl,
  signIn = 'subscription',
  retries = 0,
  interactive = false,
}: ClaudeHomeOptions): ClaudeHome {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'claude-home-')));
  const home = join(folder, 'home');
  const workspace = join(folder, 'workspace');
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_STATE_HOME: join(home, '.local', 'state'),
    PATH: [...new Set([dirname(process.execPath), '/usr/bin', '/bin'])].join(':'),
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    CLAUDE_QUEUE_CLAUDE: CLAUDE,
    ANTHROPIC_BASE_URL: apiUrl,
    ...SIGN_INS[signIn],
    CLAUDE_CODE_MAX_RETRIES: String(retries),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_TELEMETRY: '1',
  };
  for (const path of [workspace, env.XDG_CONFIG_HOME, env.XDG_STATE_HOME])
    mkdirSync(path, { recursive: true });
  const answers = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    ...(interactive
      ? {
          projects: { [workspace]: { hasTrustDialogAccepted: true } },
          customApiKeyResponses: { approved: [SIGN_INS['api-key'].ANTHROPIC_API_KEY], rejected: [] },
        }
      : {}),
  };
  writeFileSync(join(home, '.claude.json'), JSON.stringify(answers));
  return {
    folder,
    workspace,
    env,
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Trusts this folder for the user, as Claude Code's own dialog would. */
export function trustFolder({ env }: Pick<ClaudeHome, 'env'>, folder: string): void {
  const file = join(env['HOME'] ?? '', '.claude.json');
  const own = JSON.parse(readFileSync(file, 'utf8')) as object;
  const projects = { [folder]: { hasTrustDialogAccepted: true } };
  writeFileSync(file, JSON.stringify({ ...own, projects }));
}
