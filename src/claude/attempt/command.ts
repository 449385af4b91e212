import type { Billing, Job } from '../../domain/task/attempt';
import { permissionsOf } from '../../domain/task/permissions';
import type { PermissionMode } from '../../domain/task/task';
import { listForeign, without } from '../../platform/processes/environment';
import { RUN_MARK_VARIABLE } from '../../platform/processes/processes';
import { isSessionName, type SessionMode } from './session';
import { listOtherPayers } from '../installation/signIn';

/** Bounds of an unattended attempt besides those of its row. */
export interface AttemptBounds {
  /** Permission mode for rows that set none. */
  readonly permissionMode: PermissionMode;
  /** Deny rules. They override every permission. */
  readonly refused: readonly string[];
  /** Whether the user trusts the working directory in Claude Code itself. */
  readonly trusted: boolean;
  /** Account type that the attempt is to be billed to. */
  readonly billing: Billing;
  /** Options of the installed version. */
  readonly flags: ReadonlySet<string>;
  /** Text that asks Claude to report how its work ended; absent: Claude is not asked. */
  readonly reportRequest?: string;
}

/**
 * Option that carries a row's system prompt and the request for a report. Claude is not asked for a report if the
 * version lacks it.
 */
export const SYSTEM_PROMPT_FLAG = '--append-system-prompt';

/** Returns the arguments of an unattended attempt. The prompt comes through standard input. */
export function buildArguments(job: Job, mode: SessionMode, bounds: AttemptBounds): string[] {
  const { maxTurns, maxBudgetUsd } = job.definition;
  return [
    ...['-p', '--output-format', 'stream-json', '--verbose'],
    ...buildSessionArguments(job, mode, bounds),
    ...buildSettings(job.grants ?? [], bounds),
    // Without this option Claude Code loads the folder's hooks, variables, servers, commands and CLAUDE.md, no
    // matter who wrote them. With it, Claude Code uses nothing of the folder but its files: measured with
    // 2.1.90 and 2.1.329.
    ...(bounds.trusted ? [] : ['--setting-sources', 'user']),
    // Claude learns at once that nobody can answer, so it does not try again.
    ...(bounds.flags.has('--permission-prompts') ? ['--permission-prompts', 'none'] : []),
    ...buildSystemPrompt(job.definition, bounds.reportRequest),
    ...(maxTurns === undefined ? [] : ['--max-turns', String(maxTurns)]),
    ...(maxBudgetUsd === undefined ? [] : ['--max-budget-usd', String(maxBudgetUsd)]),
  ];
}

/**
 * Returns the option that adds a row's text and the request for a report to the system prompt; none if there is
 * neither. Claude Code uses only the last such option. It does not keep the text in the session, so each attempt needs
 * it. The text is never an argument of its own, whatever it starts with.
 */
export function buildSystemPrompt(
  { appendSystemPrompt }: Pick<Job['definition'], 'appendSystemPrompt'>,
  reportRequest?: string,
): string[] {
  const texts = [appendSystemPrompt, reportRequest].filter((text) => text !== undefined);
  return texts.length === 0 ? [] : [`${SYSTEM_PROMPT_FLAG}=${texts.join('\n\n')}`];
}

/**
 * Returns the `--settings` of an attempt. Granted rules come as JSON and not through `--allowedTools`: that
 * splits its text at commas and spaces outside of brackets. One rule for a strange command could become a broad
 * one.
 */
function buildSettings(grants: readonly string[], { trusted, billing }: AttemptBounds): string[] {
  const settings = {
    ...(grants.length === 0 ? {} : { permissions: { allow: grants } }),
    ...(trusted ? keepFromPaying(billing) : {}),
  };
  return Object.keys(settings).length === 0 ? [] : ['--settings', JSON.stringify(settings)];
}

/**
 * Returns settings that keep a trusted folder from changing who pays, for unattended and interactive attempts.
 *
 * Empty values here override the settings of the folder and of the user: measured with 2.0.20, 2.1.90 and
 * 2.1.329. If a key or a cloud provider pays, a folder's key cannot be kept out. The user's own key would have
 * to be on the command line, which everybody on the machine can read.
 */
export function keepFromPaying(billing: Billing): object {
  if (billing === 'cloud') return {};
  const env = Object.fromEntries(listOtherPayers(billing).map((name) => [name, '']));
  // The user's own settings may name a program that supplies a key.
  return billing === 'api-key' ? { env } : { apiKeyHelper: '', env };
}

/**
 * Returns the mode's name for the command line. `manual` is the newer name of `default`, which every version
 * takes: measured with 2.0.20, 2.1.90 and 2.1.329.
 */
function nameMode(mode: PermissionMode): PermissionMode {
  return mode === 'manual' ? 'default' : mode;
}

/**
 * Returns the arguments of every attempt, unattended or interactive: its session, permissions, deny rules and
 * model.
 */
export function buildSessionArguments(
  { definition, session }: Pick<Job, 'definition' | 'session'>,
  mode: SessionMode,
  { permissionMode, refused }: Pick<AttemptBounds, 'permissionMode' | 'refused'>,
): string[] {
  const permissions = permissionsOf({ definition }, permissionMode);
  return [
    // Without a valid ID Claude Code starts a session of its own.
    ...(isSessionName(session) ? [mode === 'resume' ? '--resume' : '--session-id', session] : []),
    ...['--permission-mode', nameMode(permissions.mode)],
    // One joined argument for each option: as separate arguments, a rule that starts with a dash would be read
    // as an option.
    ...(permissions.tools.length === 0 ? [] : ['--allowedTools', permissions.tools.join(',')]),
    ...['--disallowedTools', refused.join(',')],
    ...(definition.model === undefined ? [] : ['--model', definition.model]),
  ];
}

/**
 * Variable that makes Claude Code wait for a limit's end inside the attempt. Nobody would see the wait, and the
 * worker would be occupied.
 */
const WATCHDOG = 'CLAUDE_CODE_RETRY_WATCHDOG';

/** Returns the variables that affect an attempt, whether or not they are set. */
export function listUnwanted(own: NodeJS.ProcessEnv, billing: Billing): string[] {
  return [...listForeign(own), WATCHDOG, ...listOtherPayers(billing)];
}

/** Returns the environment of an attempt: the user's own without the variables that affect an attempt. */
export function buildEnvironment(
  own: NodeJS.ProcessEnv,
  options: { readonly billing: Billing; readonly attemptMark: string; readonly apiRetries: number },
): NodeJS.ProcessEnv {
  return {
    ...without(own, listUnwanted(own, options.billing)),
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_MAX_RETRIES: String(options.apiRetries),
    // Makes a refusal to start name its reason in the stream, not only in prose.
    CLAUDE_CODE_STARTUP_FAILURE_RESULTS: '1',
    [RUN_MARK_VARIABLE]: options.attemptMark,
  };
}
