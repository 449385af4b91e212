import { t } from '../../platform/text/translate';
/** Oldest and newest release of Claude Code that this program is tested with, as are those between. */
export const TESTED = { from: '2.1.90', to: '2.1.332' } as const;

/** Oldest release that can run tasks; features that it lacks are not used. */
export const OLDEST_USABLE = '2.0.20';

/**
 * First release with `claude auth status`, according to its changelog. An older one would send the words as a
 * prompt.
 */
export const FIRST_WITH_AUTH_STATUS = '2.1.41';

/**
 * Limitations of older releases and the release that ended them, according to the changelog. Options and modes
 * are read from the help.
 */
const LACKS: readonly { readonly since: string; readonly what: string }[] = [
  { since: FIRST_WITH_AUTH_STATUS, what: t('cannot report who is signed in') },
  { since: '2.1.45', what: t('reports a usage limit as text only, to the minute') },
];

/** Returns the limitations of this release that affect this program, as ends of sentences. */
export function listLacks(version: string): string[] {
  return LACKS.filter(({ since }) => !isAtLeast(version, since)).map(({ what }) => what);
}

/** Support level of a release. */
export type VersionSupport = 'tested' | 'newer' | 'older' | 'too-old' | 'unknown';

/** Returns the support level of a release; `unknown` for a text that is no version. */
export function judgeVersion(version: string | null): VersionSupport {
  if (version === null || !/^\d+\.\d+\.\d+$/.test(version)) return 'unknown';
  if (!isAtLeast(version, OLDEST_USABLE)) return 'too-old';
  if (!isAtLeast(version, TESTED.from)) return 'older';
  return isAtLeast(TESTED.to, version) ? 'tested' : 'newer';
}

/** Whether a version is at least the wanted one. Versions such as 2.1.90 are compared number by number. */
export function isAtLeast(version: string, wanted: string): boolean {
  const [has, needs] = [version, wanted].map((text) => text.split('.').map(Number));
  const at = (needs ?? []).findIndex((need, index) => (has?.[index] ?? 0) !== need);
  return at === -1 || (has?.[at] ?? 0) > (needs?.[at] ?? 0);
}
