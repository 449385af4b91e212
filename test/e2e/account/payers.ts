import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from '../../support/queue/queuePlace';

/** A key in the environment. */
export const KEY = { ANTHROPIC_API_KEY: 'made-up' };

/** Payers of the turns so far, each once. */
export const payers = ({ api }: Place): string[] => [...new Set(api.turns().map(({ auth }) => auth))];

/** Settings of the user's own Claude Code. */
export function configureClaude({ home }: Place, settings: object): void {
  const folder = join(home.env['HOME'] ?? '', '.claude');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings));
}

/** Settings of this program for the machine. */
export function configureMachine({ home }: Place, settings: string): void {
  const folder = join(home.env['XDG_CONFIG_HOME'] ?? '', 'claude-queue');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.yaml'), settings);
}

/** Signs in with a made-up account, as /login would. */
export function signIn(place: Place, who: string): void {
  const home = place.home.env['HOME'] ?? '';
  mkdirSync(join(home, '.claude'), { recursive: true });
  const claudeAiOauth = {
    accessToken: who,
    refreshToken: 'made-up',
    expiresAt: Date.parse('2100-01-01'),
    scopes: ['user:inference', 'user:profile'],
    subscriptionType: 'max',
  };
  writeFileSync(join(home, '.claude', '.credentials.json'), JSON.stringify({ claudeAiOauth }));
  const file = join(home, '.claude.json');
  const known = JSON.parse(readFileSync(file, 'utf8')) as object;
  const oauthAccount = {
    emailAddress: `${who}@example.org`,
    organizationUuid: `org-${who}`,
    accountUuid: who,
  };
  writeFileSync(file, JSON.stringify({ ...known, oauthAccount }));
}

/** Signs out, as /logout would. */
export function signOut({ home }: Place): void {
  rmSync(join(home.env['HOME'] ?? '', '.claude', '.credentials.json'));
}
