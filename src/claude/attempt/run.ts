import {
  SESSION_IN_USE,
  SESSION_UNUSABLE,
  type Billing,
  type Job,
  type RunEvents,
  type Runner,
  type Verdict,
} from '../../domain/task/attempt';
import type { ProcessIdentity } from '../../domain/task/processIdentity';
import { BAD_WORKING_DIR } from '../../domain/task/ownMistakes';
import { Problem } from '../../domain/problem';
import { folderOf, type PermissionMode } from '../../domain/task/task';
import type { Clock } from '../../platform/clock';
import { isFileTableFull, whileFileTableFull } from '../../platform/files/fileTable';
import { findOutside } from '../../platform/files/allowedDirectories';
import { realFolder } from '../../platform/files/paths';
import type { Processes } from '../../platform/processes/processes';
import { redact } from '../../platform/text/redact';
import { createAcceptanceWatch } from './acceptanceWatch';
import { NotStarted, readCause, runChild, type ChildStart } from './childRun';
import { classify, findOwnEnd } from '../verdict/classify';
import { hasStarted, type Finding, type RunFacts } from '../stream/runFacts';
import { buildArguments, buildEnvironment, permissionsOf, REPORT_FLAG } from './command';
import { composeInput } from './sessionSummary';
import { explainPromptNotDelivered, explainNotStarted, findFolderFault } from '../folder/notStarted';
import type { StreamMessage } from '../stream/message';
import { openOutput, type OutputFile } from './outputFile';
import { refuseEdits } from '../folder/protectedPaths';
import { describeUntrusted, isTrusted } from '../folder/projectTrust';
import { renderMessage } from '../stream/render';
import { findLiveSession } from './liveSession';
import { composeRequest, type ReportRequest } from '../verdict/selfReport';
import { findTranscript, isSessionName, readOtherMode, type SessionMode } from './session';
import { listSecrets } from '../installation/signIn';
import { createStreamReader } from '../stream/stream';
import { addTranscriptReset } from '../limits/transcriptReset';
import { readContext, readTranscript } from './traces';
import { guardUntrusted } from '../folder/untrustedFolder';
import { PromptNotDelivered } from './wholeInput';

export interface RunnerOptions {
  /** Absolute path of `claude`. */
  readonly claude: string;
  /** The person's own; what would change the meaning of a run is taken out. */
  readonly environment: NodeJS.ProcessEnv;
  readonly billing: Billing;
  /** What Claude may do by itself where a row does not say it. */
  readonly permissionMode: PermissionMode;
  /** Absolute paths of files and folders that no run may edit: the queue's, and the person's own approvals and settings. */
  readonly protectedPaths: readonly string[];
  /** Which options the installed version has; absent: none but those that every version has. */
  readonly flags?: ReadonlySet<string>;
  /** Which report of its end Claude is asked for; absent: none. */
  readonly selfReport?: ReportRequest;
  /** Absolute paths, links resolved: a run works nowhere but there and below; none: anywhere. */
  readonly allowedDirectories?: readonly string[];
  /** How often Claude Code itself repeats a failed request; 4 take about 8 s, its own default of 10 about 3 min. */
  readonly apiRetries: number;
  readonly clock: Clock;
  readonly processes: Processes;
  /** IANA name of the machine's zone. */
  readonly timeZone: string;
  /** How long `claude` may take to end by itself after SIGTERM. */
  readonly graceMs?: number;
}

/** How long to wait for what is only worth knowing. */
const LONGEST_LOOK_MS = 60_000;
/** It ends in 0.25 s, and takes longer where its own hooks have to run; killed earlier, its tools' children survive. */
const GRACE_MS = 10_000;
/** More than any refusal to start; a tool that talks on stderr may say much more. */
const STDERR_LIMIT = 64 * 1024;

/** Runs attempts with the user's own Claude Code, unattended. Rejects with Problem `claude-missing` where it is gone. */
export function createClaudeRunner(options: RunnerOptions): Pick<Runner, 'run'> {
  return { run: (job, events, stop) => runJob(options, job, events, stop) };
}

async function runJob(
  options: RunnerOptions,
  job: Job,
  events: RunEvents,
  stop: AbortSignal,
): Promise<Verdict> {
  if (stop.aborted) return notStartedVerdict(findOwnEnd(readCause(stop.reason), job.timeoutMs));
  const workingDir = folderOf(job.definition);
  refuseMoved(job);
  const fault = await findFolderFault(workingDir);
  if (fault !== null) return notStartedVerdict(fault);
  // Looked at again: a link may have been turned elsewhere since its row was read.
  const outside = findOutside(workingDir, options.allowedDirectories ?? []);
  if (outside !== null) {
    return notStartedVerdict({ outcome: 'permanent', reason: BAD_WORKING_DIR, message: outside });
  }
  const outputFailed = new AbortController();
  let output: OutputFile;
  try {
    output = await openOutput(job.outputFile, () => outputFailed.abort('output-unwritable'));
  } catch (error) {
    // The machine's fault, not the task's.
    return notStartedVerdict({
      outcome: 'transient',
      reason: 'output-unwritable',
      message: describeBadOutput(job, error),
    });
  }
  let verdict: Verdict;
  try {
    const session = new SessionRun(
      options,
      job,
      events,
      output,
      AbortSignal.any([stop, outputFailed.signal]),
    );
    verdict = {
      ...(await session.run().catch((error: unknown) => explainEnd(error, options, job))),
      permissions: permissionsOf(job, options.permissionMode),
      billing: options.billing,
      ...(output.earlier === null ? {} : { earlierOutput: output.earlier }),
    };
  } finally {
    await output.close();
  }
  if (output.failure === null) return verdict;
  // What the run came to stays true: done work would be done, and paid, twice, and a limit be met again.
  const said = verdict.message === '' ? '' : `${verdict.message.replace(/\.?$/, '.')} `;
  return { ...verdict, message: `${said}${describeBadOutput(job, output.failure)}` };
}

/**
 * Looked at again: a link may lead elsewhere since the row was read and approved. The run starts in the folder without
 * links, so a later change of one has no effect on it. @throws Problem `folder-moved`
 */
function refuseMoved({ definition }: Job): void {
  const { id, workingDir } = definition;
  const approved = folderOf(definition);
  const now = realFolder(workingDir);
  if (now === approved) return;
  throw new Problem(
    'folder-moved',
    `Task ${String(id)} was not started: its working directory ${workingDir} now points to ${now}, not to ${approved}.`,
  );
}

/** The verdict on a run that the system did not let start; another error stays one. */
async function explainEnd(error: unknown, { claude }: RunnerOptions, { definition }: Job): Promise<Verdict> {
  if (error instanceof PromptNotDelivered) return notStartedVerdict(explainPromptNotDelivered(error.cause));
  if (!(error instanceof NotStarted)) throw error;
  return notStartedVerdict(await explainNotStarted(error.cause, claude, folderOf(definition)));
}

function notStartedVerdict(finding: Finding): Verdict {
  return { ...finding, denials: [], usage: [], exitCode: null };
}

function describeBadOutput({ outputFile }: Job, error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  return `The output cannot be written to ${outputFile} (${why}). Free disk space, or make that file writable.`;
}

/** What a crash at the very start of a session may leave: a transcript without a conversation. */
const UNUSABLE: Finding = {
  outcome: 'transient',
  reason: SESSION_UNUSABLE,
  message: 'The session can be neither started nor resumed. The next attempt starts a new one.',
};

function describeInUse(session: string, pid: number): Finding {
  return {
    outcome: 'transient',
    reason: SESSION_IN_USE,
    message: `Its session ${session} is open in another Claude Code (process ${pid}). It resumes when that one has ended.`,
  };
}

/** The mode that Claude Code's refusal to start asks for; null where it did not refuse for that. */
function findOtherMode(facts: RunFacts): SessionMode | null {
  const { exitCode, endedBy, stderr, stream } = facts;
  // Whatever a hook or a tool writes there later is no refusal, and a second start would be paid.
  if (exitCode === 0 || endedBy !== undefined || hasStarted(facts)) return null;
  return readOtherMode([stderr, ...(stream.result?.errors ?? [])].join('\n'));
}

/** One attempt in its session: one start of `claude`, or two where the session was not as it looked. */
class SessionRun {
  private readonly environment: NodeJS.ProcessEnv;
  private readonly unexpectedApiKey = new AbortController();

  constructor(
    private readonly options: RunnerOptions,
    private readonly job: Job,
    private readonly events: RunEvents,
    private readonly output: OutputFile,
    private readonly abortSignal: AbortSignal,
  ) {
    const { billing, apiRetries } = options;
    this.environment = buildEnvironment(options.environment, { billing, apiRetries, runMark: job.runMark });
  }

  async run(): Promise<Verdict> {
    const { session } = this.job;
    if (!isSessionName(session)) return notStartedVerdict(UNUSABLE);
    const other = await findLiveSession(session, this.environment, this.options.processes);
    if (other !== null) return notStartedVerdict(describeInUse(session, other));
    const mode = (await findTranscript(session, this.environment)) === null ? 'start' : 'resume';
    const first = await this.start(mode);
    const otherMode = findOtherMode(first);
    if (otherMode === null || otherMode === mode) return this.conclude(first);
    const second = await this.start(otherMode);
    return findOtherMode(second) === mode ? { ...classify(second), ...UNUSABLE } : this.conclude(second);
  }

  /** The verdict, with what the transcript tells besides. */
  private async conclude(facts: RunFacts): Promise<Verdict> {
    const { session } = this.job;
    const verdict = classify(await this.addReset(facts));
    const contextTokens = await this.lookAfterRun(() => readContext(session, this.environment));
    return contextTokens === undefined ? verdict : { ...verdict, contextTokens };
  }

  private async addReset(facts: RunFacts): Promise<RunFacts> {
    if (classify(facts).outcome !== 'limit') return facts;
    const { session } = this.job;
    const look = (): Promise<RunFacts | undefined> =>
      readTranscript(session, this.environment, (file) => addTranscriptReset(facts, file));
    return (await this.lookAfterRun(look)) ?? facts;
  }

  /** What is worth knowing of a finished run. Too many open files are waited out, and never cost the run itself. */
  private async lookAfterRun<T>(look: () => Promise<T | undefined>): Promise<T | undefined> {
    try {
      return await whileFileTableFull(this.options.clock, LONGEST_LOOK_MS, look);
    } catch (error) {
      if (isFileTableFull(error)) return undefined;
      throw error;
    }
  }

  private async start(mode: SessionMode): Promise<RunFacts> {
    const { clock, processes, timeZone } = this.options;
    const selfReport = this.wantedReport;
    const abortSignal = AbortSignal.any([this.abortSignal, this.unexpectedApiKey.signal]);
    const reader = createStreamReader();
    const watch = createAcceptanceWatch(this.events);
    let stderr = '';
    const child = await runChild(
      {
        ...(await this.prepare(mode)),
        take: async (source, lines) => {
          if (lines.length === 0) return;
          // Before anything else, so that no secret gets into a verdict or onto a screen either; and together, since a
          // private key has many lines.
          const safe = redact(lines.join('\n'), listSecrets(this.options.environment));
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
      ...(this.unexpectedApiKey.signal.aborted ? { hasOtherPayer: true as const } : {}),
      isResumed: mode === 'resume',
      timeoutMs: this.job.timeoutMs,
      ...(this.job.definition.model === undefined ? { usesDefaultModel: true as const } : {}),
      ...(selfReport === undefined ? {} : { selfReport }),
      now: clock.now(),
      timeZone,
    };
  }

  /** Called before the program gets its prompt: what was prepared took time, in which a folder may have become a link. */
  private async confirmStart(process: ProcessIdentity): Promise<void> {
    refuseMoved(this.job);
    await this.events.started(process);
  }

  private async prepare(mode: SessionMode): Promise<Omit<ChildStart, 'take'>> {
    const { job, options } = this;
    const workingDir = folderOf(job.definition);
    const trusted = await isTrusted(workingDir, this.environment);
    if (!trusted) this.events.line(describeUntrusted(workingDir));
    const token = this.canAsk ? options.selfReport?.token : undefined;
    return {
      program: options.claude,
      args: buildArguments(job, mode, {
        permissionMode: options.permissionMode,
        refused: refuseEdits(workingDir, options.protectedPaths),
        trusted,
        billing: options.billing,
        flags: options.flags ?? new Set(),
        ...(token === undefined ? {} : { reportRequest: composeRequest(token) }),
      }),
      cwd: workingDir,
      environment: trusted ? this.environment : await guardUntrusted(workingDir, this.environment),
      input: await composeInput(job, mode, this.environment, token),
      inputFile: `${job.outputFile}.prompt`,
      runMark: job.runMark,
      timeoutMs: job.timeoutMs,
      graceMs: options.graceMs ?? GRACE_MS,
    };
  }

  /** The report that the end needs; undefined where this version of Claude Code cannot be asked and none is required. */
  private get wantedReport(): ReportRequest | undefined {
    const { selfReport } = this.options;
    return this.canAsk || selfReport?.isRequired === true ? selfReport : undefined;
  }

  private get canAsk(): boolean {
    return this.options.flags?.has(REPORT_FLAG) === true;
  }

  /**
   * A key pays only where its person was told so: not in a subscription's place, nor where nothing was signed in, by
   * whatever settings, at whatever time.
   */
  private checkPayer(message: StreamMessage): void {
    const { billing } = this.options;
    if (message.type !== 'init' || billing === 'api-key' || billing === 'cloud') return;
    if (message.about.keySource !== undefined) this.unexpectedApiKey.abort('other-payer');
  }

  private show(message: StreamMessage): void {
    for (const line of renderMessage(message, this.options.selfReport?.token)) this.events.line(line);
  }
}
