/** The releases of Claude Code that this program is tested with, both ends and what lies between. */
export const TESTED = { from: '2.1.90', to: '2.1.330' } as const;

/** The oldest release with which tasks can be run at all, as well as can be. */
export const OLDEST_USABLE = '2.0.20';

/** The first release with `claude auth status`, as its changelog says. An older one would take the words for a prompt and send it. */
export const FIRST_WITH_AUTH_STATUS = '2.1.41';

/** What older releases cannot do, and since which one they can, as the changelog says. Options and modes are read from the help. */
const LACKS: readonly { readonly since: string; readonly what: string }[] = [
  { since: FIRST_WITH_AUTH_STATUS, what: 'cannot report who is signed in' },
  { since: '2.1.45', what: 'reports a usage limit as text only, to the minute' },
];

/** What this release cannot do that this program would make use of, as the ends of sentences. */
export function listLacks(version: string): string[] {
  return LACKS.filter(({ since }) => !isAtLeast(version, since)).map(({ what }) => what);
}

/** How well a release is known. */
export type VersionSupport = 'tested' | 'newer' | 'older' | 'too-old' | 'unknown';

export function judgeVersion(version: string | null): VersionSupport {
  if (version === null || !/^\d+\.\d+\.\d+$/.test(version)) return 'unknown';
  if (!isAtLeast(version, OLDEST_USABLE)) return 'too-old';
  if (!isAtLeast(version, TESTED.from)) return 'older';
  return isAtLeast(TESTED.to, version) ? 'tested' : 'newer';
}

/** Compares versions such as 2.1.90 number by number. */
export function isAtLeast(version: string, wanted: string): boolean {
  const [has, needs] = [version, wanted].map((text) => text.split('.').map(Number));
  const at = (needs ?? []).findIndex((need, index) => (has?.[index] ?? 0) !== need);
  return at === -1 || (has?.[at] ?? 0) > (needs?.[at] ?? 0);
}
