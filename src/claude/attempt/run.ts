import {
  type Billing,
  type Job,
  type AttemptEvents,
  type Runner,
  type Verdict,
} from '../../domain/task/attempt';
import type { ProcessIdentity } from '../../domain/task/processIdentity';
import { BAD_WORKING_DIR } from '../../domain/task/ownMistakes';
import type { PermissionMode } from '../../domain/task/task';
import type { Clock } from '../../platform/clock';
import { isFileTableFull, whileFileTableFull } from '../../platform/files/fileTable';
import { findOutside } from '../../platform/files/allowedDirectories';
import type { Repositories } from '../../platform/files/repositories';
import type { Processes } from '../../platform/processes/processes';
import { redact } from '../../platform/text/redact';
import { createAcceptanceWatch } from './acceptanceWatch';
import { NotStarted, readCause, runChild, type ChildStart } from './childRun';
import { classify, findOwnEnd } from '../verdict/classify';
import { hasMissedPrompt } from '../verdict/classifyFailure';
import type { Finding, EndFacts } from '../stream/endFacts';
import { permissionsOf } from '../../domain/task/permissions';
import { buildArguments, buildEnvironment, SYSTEM_PROMPT_FLAG } from './command';
import { composeInput } from './sessionSummary';
import { explainPromptNotDelivered, explainNotStarted, findFolderFault } from '../folder/notStarted';
import type { StreamMessage } from '../stream/message';
import { openOutput, type OutputFile } from './outputFile';
import { refuseEdits } from '../folder/protectedPaths';
import { refuseMoved } from '../folder/refuseMoved';
import { describeUntrusted, isTrusted } from '../folder/projectTrust';
import { renderMessage } from '../stream/render';
import { findLiveSession } from './liveSession';
import { composeRequest, type ReportRequest } from '../verdict/selfReport';
import {
  describeNewSession,
  sessionInUse,
  findNewerSession,
  outdatedSession,
  findWantedMode,
  findTranscript,
  isSessionName,
  UNUSABLE_SESSION,
  type SessionMode,
} from './session';
import { listSecrets } from '../installation/signIn';
import { createStreamReader } from '../stream/stream';
import { addTranscriptReset } from '../limits/transcriptReset';
import { readContext, readTranscript } from './traces';
import { guardUntrusted } from '../folder/untrustedFolder';
import { PromptNotDelivered } from './wholeInput';

/** Settings and services of a runner. */
export interface RunnerOptions {
  /** Absolute path of `claude`. */
  readonly claude: string;
  /** The user's own environment; variables that affect an attempt are removed. */
  readonly environment: NodeJS.ProcessEnv;
  /** Texts that must not be stored, besides the credentials in the environment; absent: none. */
  readonly secrets?: readonly string[];
  readonly billing: Billing;
  /** Permission mode for rows that set none. */
  readonly permissionMode: PermissionMode;
  /** Absolute paths that no attempt may edit: the queue's, and the user's own approvals and settings. */
  readonly protectedPaths: readonly string[];
  /** Options that the installed version offers; absent: only those that every version has. */
  readonly flags?: ReadonlySet<string>;
  /** Completion report that Claude is asked for; absent: none. */
  readonly selfReport?: ReportRequest;
  /** Absolute paths, links resolved. Attempts work only there and below; none: anywhere. */
  readonly allowedDirectories?: readonly string[];
  /** Folders of this machine's repositories; absent: none. */
  readonly repositories?: Repositories;
  /** Retries of a failed request by Claude Code: 4 take about 8 s, its default of 10 takes about 3 min. */
  readonly apiRetries: number;
  readonly clock: Clock;
  readonly processes: Processes;
  /** IANA name of the machine's zone. */
  readonly timeZone: string;
  /** Time for `claude` to exit after SIGTERM, in milliseconds. */
  readonly graceMs?: number;
}

/** Timeout for optional facts, in milliseconds. */
const LONGEST_LOOK_MS = 60_000;
/**
 * Default time for `claude` to exit after SIGTERM, in milliseconds. `claude` exits within 0.25 s, or later if
 * its own hooks have to run. If it is killed earlier, child processes of its tools survive.
 */
const GRACE_MS = 10_000;
/** Most starts of an attempt. Claude Code waits three seconds for its prompt, which on a busy machine may come later. */
const MOST_STARTS = 3;
/** Characters kept of stderr: more than any refusal to start, but a tool may print much more. */
const STDERR_LIMIT = 64 * 1024;

/** Runs attempts unattended with the user's own Claude Code. Rejects with Problem `claude-missing` if it is gone. */
export function createClaudeRunner(options: RunnerOptions): Pick<Runner, 'run'> {
  return { run: (job, events, stop) => runJob(options, job, events, stop) };
}

async function runJob(
  options: RunnerOptions,
  job: Job,
  events: AttemptEvents,
  stop: AbortSignal,
): Promise<Verdict> {
  if (stop.aborted) return notStartedVerdict(findOwnEnd(readCause(stop.reason), job.timeoutMs));
  const { folder } = job.place;
  refuseMoved(job.definition.id, job.place, options.repositories);
  const fault = await findFolderFault(folder);
  if (fault !== null) return notStartedVerdict(fault);
  // Checked again: a link may point elsewhere since the row was read.
  const outside = findOutside(folder, options.allowedDirectories ?? []);
  if (outside !== null) {
    return notStartedVerdict({ outcome: 'permanent', reason: BAD_WORKING_DIR, message: outside });
  }
  const outputFailed = new AbortController();
  let output: OutputFile;
  try {
    output = await openOutput(job.outputFile, () => outputFailed.abort('output-unwritable'));
  } catch (error) {
    // The machine is at fault, not the task.
    return notStartedVerdict({
      outcome: 'transient',
      reason: 'output-unwritable',
      message: describeBadOutput(job, error),
    });
  }
  let verdict: Verdict;
  try {
    const attempt = new SessionAttempt(
      options,
      job,
      events,
      output,
      AbortSignal.any([stop, outputFailed.signal]),
    );
    verdict = {
      ...(await attempt.run().catch((error: unknown) => explainEnd(error, options, job))),
      permissions: permissionsOf(job, options.permissionMode),
      billing: options.billing,
      ...(output.earlier === null ? {} : { earlierOutput: output.earlier }),
    };
  } finally {
    await output.close();
  }
  if (output.failure === null) return verdict;
  // Keep the attempt's own verdict, even if the output failed at the end: retrying would repeat paid work.
  const said = verdict.message === '' ? '' : `${verdict.message.replace(/\.?$/, '.')} `;
  return { ...verdict, message: `${said}${describeBadOutput(job, output.failure)}` };
}

/** Returns the verdict if the program was not started or its prompt not delivered; rethrows any other error. */
async function explainEnd(error: unknown, { claude }: RunnerOptions, { place }: Job): Promise<Verdict> {
  if (error instanceof PromptNotDelivered) return notStartedVerdict(explainPromptNotDelivered(error.cause));
  if (!(error instanceof NotStarted)) throw error;
  return notStartedVerdict(await explainNotStarted(error.cause, claude, place.folder));
}

/** Without its prompt Claude Code sends no request, so the attempt is free. */
function notStartedVerdict(finding: Finding): Verdict {
  return { ...finding, denials: [], usage: [], exitCode: null, costUsd: 0 };
}

function describeBadOutput({ outputFile }: Job, error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  return `The output cannot be written to ${outputFile} (${why}). Free disk space, or make that file writable.`;
}

type Prepared = Omit<ChildStart, 'take'>;

/** One attempt in its session: started in one mode, and then in the other if Claude Code asks for it. */
class SessionAttempt {
  private readonly environment: NodeJS.ProcessEnv;
  private readonly otherPayer = new AbortController();

  constructor(
    private readonly options: RunnerOptions,
    private readonly job: Job,
    private readonly events: AttemptEvents,
    private readonly output: OutputFile,
    private readonly stop: AbortSignal,
  ) {
    const { billing, apiRetries } = options;
    this.environment = buildEnvironment(options.environment, {
      billing,
      apiRetries,
      attemptMark: job.attemptMark,
    });
  }

  async run(): Promise<Verdict> {
    const { session } = this.job;
    if (!isSessionName(session)) return notStartedVerdict(UNUSABLE_SESSION);
    const other = await findLiveSession(session, this.environment, this.options.processes);
    if (other !== null) return notStartedVerdict(sessionInUse(session, other));
    const transcript = await findTranscript(session, this.environment);
    const newer = transcript === null ? null : await findNewerSession(transcript, this.job);
    if (newer !== null) return notStartedVerdict(outdatedSession(newer));
    const mode = transcript === null ? 'start' : 'resume';
    const anew = mode === 'start' ? describeNewSession(this.job) : null;
    if (anew !== null) this.events.line(anew);
    const prepared = await this.prepare(mode);
    if (this.stop.aborted)
      return notStartedVerdict(findOwnEnd(readCause(this.stop.reason), this.job.timeoutMs));
    const first = await this.start(mode, prepared);
    const wanted = findWantedMode(first);
    if (wanted === null || wanted === mode) return this.conclude(first);
    const second = await this.start(wanted, await this.prepare(wanted));
    return findWantedMode(second) === mode
      ? { ...classify(second), ...UNUSABLE_SESSION }
      : this.conclude(second);
  }

  /** Returns the verdict with facts from the transcript. */
  private async conclude(facts: EndFacts): Promise<Verdict> {
    const { session } = this.job;
    const verdict = classify(await this.addReset(facts));
    const contextTokens = await this.lookAfterAttempt(() => readContext(session, this.environment));
    return contextTokens === undefined ? verdict : { ...verdict, contextTokens };
  }

  private async addReset(facts: EndFacts): Promise<EndFacts> {
    if (classify(facts).outcome !== 'limit') return facts;
    const { session } = this.job;
    const look = (): Promise<EndFacts | undefined> =>
      readTranscript(session, this.environment, (file) => addTranscriptReset(facts, file));
    return (await this.lookAfterAttempt(look)) ?? facts;
  }

  /** Reads optional facts of a finished attempt; undefined if too many files stay open for too long. */
  private async lookAfterAttempt<T>(look: () => Promise<T | undefined>): Promise<T | undefined> {
    try {
      return await whileFileTableFull(this.options.clock, LONGEST_LOOK_MS, look);
    } catch (error) {
      if (isFileTableFull(error)) return undefined;
      throw error;
    }
  }

  private get secrets(): string[] {
    const { environment, secrets = [] } = this.options;
    return [...listSecrets(environment), ...secrets];
  }

  /** Starts the program; again if recording the start took so long that Claude Code gave up waiting for its prompt. */
  private async start(mode: SessionMode, prepared: Prepared): Promise<EndFacts> {
    for (let starts = 1; ; starts += 1) {
      const facts = await this.startOnce(mode, prepared);
      if (starts === MOST_STARTS || !hasMissedPrompt(facts)) return facts;
      this.events.line('Claude Code did not wait for its prompt. Starting it again.');
    }
  }

  private async startOnce(mode: SessionMode, prepared: Prepared): Promise<EndFacts> {
    const { clock, processes, timeZone } = this.options;
    const selfReport = this.wantedReport;
    const abortSignal = AbortSignal.any([this.stop, this.otherPayer.signal]);
    const reader = createStreamReader();
    const watch = createAcceptanceWatch(this.events);
    let stderr = '';
    const child = await runChild(
      {
        ...prepared,
        take: async (source, lines) => {
          if (lines.length === 0) return;
          // Redact first: no secret may reach a verdict or a screen. Lines are joined: a private key has many.
          const safe = redact(lines.join('\n'), this.secrets);
          for (const line of safe.split('\n')) {
            const message: StreamMessage =
              source === 'stdout' ? reader.push(line) : { type: 'text', text: line };
            watch(message, reader.facts());
            this.checkPayer(message);
            this.show(message);
          }
          if (source === 'stderr') stderr = `${stderr}${safe}\n`.slice(0, STDERR_LIMIT);
          await this.output.append(`${safe}\n`);
        },
      },
      { clock, processes, abortSignal, started: (process) => this.confirmStart(process) },
    );
    return {
      ...child,
      stream: reader.facts(),
      stderr,
      ...(this.otherPayer.signal.aborted ? { hasOtherPayer: true as const } : {}),
      isResumed: mode === 'resume',
      timeoutMs: this.job.timeoutMs,
      ...(this.job.definition.model === undefined ? { usesDefaultModel: true as const } : {}),
      ...(selfReport === undefined ? {} : { selfReport }),
      now: clock.now(),
      timeZone,
    };
  }

  /** Checks the folder again, which may have become a link meanwhile, and records the start. Then the prompt is sent. */
  private async confirmStart(process: ProcessIdentity): Promise<void> {
    refuseMoved(this.job.definition.id, this.job.place, this.options.repositories);
    await this.events.started(process);
  }

  private async prepare(mode: SessionMode): Promise<Prepared> {
    const { job, options } = this;
    const { folder } = job.place;
    const trusted = await isTrusted(folder, this.environment);
    if (!trusted) this.events.line(describeUntrusted(folder), 'once');
    const token = this.canAskForReport ? options.selfReport?.token : undefined;
    return {
      program: options.claude,
      args: buildArguments(job, mode, {
        permissionMode: options.permissionMode,
        refused: refuseEdits(folder, options.protectedPaths),
        trusted,
        billing: options.billing,
        flags: options.flags ?? new Set(),
        ...(token === undefined ? {} : { reportRequest: composeRequest(token) }),
      }),
      cwd: folder,
      environment: trusted ? this.environment : await guardUntrusted(folder, this.environment),
      input: await composeInput(job, mode, this.environment, token),
      inputFile: `${job.outputFile}.prompt`,
      attemptMark: job.attemptMark,
      timeoutMs: job.timeoutMs,
      graceMs: options.graceMs ?? GRACE_MS,
    };
  }

  /** Returns the request whose report the end needs; undefined if this version cannot be asked and none is required. */
  private get wantedReport(): ReportRequest | undefined {
    const { selfReport } = this.options;
    return this.canAskForReport || selfReport?.isRequired === true ? selfReport : undefined;
  }

  private get canAskForReport(): boolean {
    return this.options.flags?.has(SYSTEM_PROMPT_FLAG) === true;
  }

  /**
   * Aborts if Claude Code uses an API key although billing is set to subscription, or is `none` for lack of a
   * sign-in. Any settings may supply a key at any time, so every `init` message is checked.
   */
  private checkPayer(message: StreamMessage): void {
    const { billing } = this.options;
    if (message.type !== 'init' || billing === 'api-key' || billing === 'cloud') return;
    if (message.about.keySource !== undefined) this.otherPayer.abort('other-payer');
  }

  private show(message: StreamMessage): void {
    for (const line of renderMessage(message, this.options.selfReport?.token)) this.events.line(line);
  }
}
