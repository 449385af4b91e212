import type { Billing, Job, Permissions } from '../../domain/task/attempt';
import type { PermissionMode } from '../../domain/task/task';
import { listForeign, without } from '../../platform/processes/environment';
import { RUN_MARK_VARIABLE } from '../../platform/processes/processes';
import { isSessionName, type SessionMode } from './session';
import { listOtherPayers } from '../installation/signIn';

/** What bounds an unattended run besides its row. */
export interface RunBounds {
  /** What Claude may do by itself where a row does not say it. */
  readonly permissionMode: PermissionMode;
  /** Rules of what it may not do, whatever else it may. */
  readonly refused: readonly string[];
  /** Whether the person trusts the working directory in Claude Code itself. */
  readonly trusted: boolean;
  /** What was said to pay for it. */
  readonly billing: Billing;
  /** Which options the installed version has. */
  readonly flags: ReadonlySet<string>;
  /** The text that asks Claude to report how its work ended; absent: it is not asked. */
  readonly reportRequest?: string;
}

/** The option that carries the request for a report. Without it Claude is not asked. */
export const REPORT_FLAG = '--append-system-prompt';

/** The arguments of an unattended run; the prompt comes through standard input. */
export function buildArguments(job: Job, mode: SessionMode, bounds: RunBounds): string[] {
  const { maxTurns, maxBudgetUsd } = job.definition;
  return [
    ...['-p', '--output-format', 'stream-json', '--verbose'],
    ...buildSessionArguments(job, mode, bounds),
    ...buildSettings(job.grants ?? [], bounds),
    // Without it hooks, variables, servers, commands and CLAUDE.md of the folder are taken, no matter who wrote them: measured
    // with 2.1.90 and 2.1.329, where no more of the folder than its files is left with it.
    ...(bounds.trusted ? [] : ['--setting-sources', 'user']),
    // Claude is told at once that nobody can answer, instead of trying again.
    ...(bounds.flags.has('--permission-prompts') ? ['--permission-prompts', 'none'] : []),
    ...(bounds.reportRequest === undefined ? [] : [REPORT_FLAG, bounds.reportRequest]),
    ...(maxTurns === undefined ? [] : ['--max-turns', String(maxTurns)]),
    ...(maxBudgetUsd === undefined ? [] : ['--max-budget-usd', String(maxBudgetUsd)]),
  ];
}

/** What a run is allowed to do: by its row, or else by the machine's mode; and by what its person allowed besides. */
export function permissionsOf(
  { definition, grants = [] }: Pick<Job, 'definition' | 'grants'>,
  permissionMode: PermissionMode,
): Permissions {
  const { mode, tools } = permissionsOfRow(definition, permissionMode);
  return { mode, tools: [...tools, ...grants] };
}

function permissionsOfRow(row: Job['definition'], permissionMode: PermissionMode): Permissions {
  return { mode: row.permissionMode ?? permissionMode, tools: row.allowedTools ?? [] };
}

/**
 * Rules that were granted come as JSON, and not behind `--allowedTools`: that splits its text at commas and spaces wherever no
 * bracket is open, so that one rule for a strange command could become a wide one.
 */
function buildSettings(grants: readonly string[], { trusted, billing }: RunBounds): string[] {
  const settings = {
    ...(grants.length === 0 ? {} : { permissions: { allow: grants } }),
    ...(trusted ? keepFromPaying(billing) : {}),
  };
  return Object.keys(settings).length === 0 ? [] : ['--settings', JSON.stringify(settings)];
}

/**
 * Settings of a run, watched or not. Those of a folder that its person trusts could have something else pay than what was
 * said and chosen. Measured with 2.0.20, 2.1.90 and 2.1.329: what is empty here counts over them, and over the person's own
 * too. So where a key or a cloud pays, a folder's key cannot be kept out: the person's own would have to be here, on a
 * command line, which everybody on the machine can read.
 */
export function keepFromPaying(billing: Billing): object {
  if (billing === 'cloud') return {};
  const env = Object.fromEntries(listOtherPayers(billing).map((name) => [name, '']));
  // The person's own settings may name a program that gives the key.
  return billing === 'api-key' ? { env } : { apiKeyHelper: '', env };
}

/** `manual` is the newer name of `default`, which every version takes: measured with 2.0.20, 2.1.90 and 2.1.329. */
function nameMode(mode: PermissionMode): PermissionMode {
  return mode === 'manual' ? 'default' : mode;
}

/** What every run is told, watched or not: its session, what it may do, and what it may not. */
export function buildSessionArguments(
  { definition, session }: Pick<Job, 'definition' | 'session'>,
  mode: SessionMode,
  { permissionMode, refused }: Pick<RunBounds, 'permissionMode' | 'refused'>,
): string[] {
  const permissions = permissionsOfRow(definition, permissionMode);
  return [
    // Without one Claude Code starts a session of its own.
    ...(isSessionName(session) ? [mode === 'resume' ? '--resume' : '--session-id', session] : []),
    ...['--permission-mode', nameMode(permissions.mode)],
    // One argument behind each of these: several would let a rule that starts with a dash be taken for a flag.
    ...(permissions.tools.length === 0 ? [] : ['--allowedTools', permissions.tools.join(',')]),
    ...['--disallowedTools', refused.join(',')],
    ...(definition.model === undefined ? [] : ['--model', definition.model]),
  ];
}

/** It would wait for a limit's end inside the run, where nobody sees it, and hold the worker. */
const WATCHDOG = 'CLAUDE_CODE_RETRY_WATCHDOG';

/** The variables that would change the meaning of a run, whether or not they are set. */
export function listUnwanted(own: NodeJS.ProcessEnv, billing: Billing): string[] {
  return [...listForeign(own), WATCHDOG, ...listOtherPayers(billing)];
}

/** The environment of a run: the person's own, without what would change its meaning. */
export function buildEnvironment(
  own: NodeJS.ProcessEnv,
  options: { readonly billing: Billing; readonly runMark: string; readonly apiRetries: number },
): NodeJS.ProcessEnv {
  return {
    ...without(own, listUnwanted(own, options.billing)),
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_MAX_RETRIES: String(options.apiRetries),
    // Makes a refusal to start name its reason in the stream instead of in prose alone.
    CLAUDE_CODE_STARTUP_FAILURE_RESULTS: '1',
    [RUN_MARK_VARIABLE]: options.runMark,
  };
}
