import { stat } from 'node:fs/promises';
import {
  SESSION_IN_USE,
  SESSION_UNUSABLE,
  type Billing,
  type Job,
  type RunEvents,
  type Runner,
  type Verdict,
} from '../domain/attempt';
import { BAD_WORKING_DIR } from '../domain/ownMistakes';
import type { Clock } from '../platform/clock';
import { findOutside } from '../platform/allowedDirectories';
import { hasCode } from '../platform/files';
import type { Processes } from '../platform/processes';
import { redact } from '../platform/redact';
import { createAdmissionWatch } from './admission';
import { readCause, runChild } from './childRun';
import type { ChildStart } from './childRun';
import { classify, OWN_ENDS } from './classify';
import type { Finding, RunFacts } from './runFacts';
import { buildArguments, buildEnvironment, permissionsOf } from './command';
import { composeInput } from './handOver';
import type { PermissionDefaults } from './command';
import type { StreamMessage } from './message';
import { openOutput } from './outputFile';
import type { OutputFile } from './outputFile';
import { refuseEdits } from './protectedPaths';
import { describeUntrusted, isTrusted } from './projectTrust';
import { renderMessage } from './render';
import { findLiveSession } from './liveSession';
import { findTranscript, isSessionName, readOtherMode } from './session';
import type { SessionMode } from './session';
import { listSecrets } from './signIn';
import { createStreamReader } from './stream';
import { addToldReset } from './toldReset';
import { readContext, readTraces, readTranscript } from './traces';
import { guardUntrusted } from './untrustedFolder';

export interface RunnerOptions {
  /** Absolute path of `claude`. */
  readonly claude: string;
  /** The person's own; what would change the meaning of a run is taken out. */
  readonly environment: NodeJS.ProcessEnv;
  readonly billing: Billing;
  readonly permissions: PermissionDefaults;
  /** Absolute paths of files and folders that no run may edit: the queue's, and the person's own approvals and settings. */
  readonly protectedPaths: readonly string[];
  /** Which options the installed version has; absent: none but those that every version has. */
  readonly flags?: ReadonlySet<string>;
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

/** It ends in 0.25 s, and takes longer where its own hooks have to run; killed earlier, its tools' children survive. */
const GRACE_MS = 10_000;
/** More than any refusal to start; a tool that talks on stderr may say much more. */
const STDERR_LIMIT = 64 * 1024;

/** Runs attempts with the user's own Claude Code, unattended. Rejects with Problem `claude-missing` where it is gone. */
export function createClaudeRunner(options: RunnerOptions): Runner {
  return {
    run: (job, events, stop) => runJob(options, job, events, stop),
    tracesOf: (job) => readTraces(job, options.environment),
  };
}

async function runJob(
  options: RunnerOptions,
  job: Job,
  events: RunEvents,
  stop: AbortSignal,
): Promise<Verdict> {
  if (stop.aborted) return withoutRun(OWN_ENDS[readCause(stop.reason)]);
  const { workingDir } = job.definition;
  if (!(await isFolder(workingDir))) {
    const message = `The working directory ${workingDir} is not there, or is no folder. Create it, or correct the row.`;
    return withoutRun({ outcome: 'permanent', reason: BAD_WORKING_DIR, message });
  }
  // Looked at again: a link may have been turned elsewhere since its row was read.
  const outside = findOutside(workingDir, options.allowedDirectories ?? []);
  if (outside !== null) {
    return withoutRun({ outcome: 'permanent', reason: BAD_WORKING_DIR, message: outside });
  }
  const full = new AbortController();
  let output: OutputFile;
  try {
    output = await openOutput(job.outputFile, () => full.abort('output-unwritable'));
  } catch (error) {
    return describeBadOutput(job, error);
  }
  let verdict: Verdict;
  try {
    const session = new SessionRun(options, job, events, output, AbortSignal.any([stop, full.signal]));
    verdict = {
      ...(await session.run()),
      permissions: permissionsOf(job, options.permissions),
      billing: options.billing,
    };
  } finally {
    await output.close();
  }
  return output.failure === null ? verdict : { ...verdict, ...describeBadOutput(job, output.failure) };
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG')) return false;
    throw error;
  }
}

function withoutRun(finding: Finding): Verdict {
  return { ...finding, denials: [], usage: [], exitCode: null };
}

function describeBadOutput(job: Job, error: unknown): Verdict {
  const why = error instanceof Error ? error.message : String(error);
  const message = `The output cannot be written to ${job.outputFile} (${why}). Make room, or let a file be there that can be written.`;
  // The machine's fault, not the task's.
  return withoutRun({ outcome: 'transient', reason: 'output-unwritable', message });
}

/** What a crash at the very start of a session may leave: a transcript without a conversation. */
const UNUSABLE: Finding = {
  outcome: 'transient',
  reason: SESSION_UNUSABLE,
  message: 'The session can be neither begun nor gone on in; the next attempt begins a new one.',
};

function describeInUse(session: string, pid: number): Finding {
  return {
    outcome: 'transient',
    reason: SESSION_IN_USE,
    message: `Its session ${session} is open in another Claude Code (process ${pid}). It goes on when that has been ended.`,
  };
}

/** The mode that Claude Code's refusal to start asks for; null where it did not refuse for that. */
function findOtherMode({ exitCode, endedBy, stderr, stream }: RunFacts): SessionMode | null {
  if (exitCode === 0 || endedBy !== undefined) return null;
  return readOtherMode([stderr, ...(stream.result?.errors ?? [])].join('\n'));
}

/** One attempt in its session: one start of `claude`, or two where the session was not as it looked. */
class SessionRun {
  private readonly environment: NodeJS.ProcessEnv;
  private readonly otherPayer = new AbortController();

  constructor(
    private readonly options: RunnerOptions,
    private readonly job: Job,
    private readonly events: RunEvents,
    private readonly output: OutputFile,
    private readonly end: AbortSignal,
  ) {
    const { billing, apiRetries } = options;
    this.environment = buildEnvironment(options.environment, { billing, apiRetries, runMark: job.runMark });
  }

  async run(): Promise<Verdict> {
    const { session } = this.job;
    if (!isSessionName(session)) return withoutRun(UNUSABLE);
    const other = await findLiveSession(session, this.environment, this.options.processes);
    if (other !== null) return withoutRun(describeInUse(session, other));
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
    const contextTokens = await readContext(session, this.environment);
    return contextTokens === undefined ? verdict : { ...verdict, contextTokens };
  }

  private async addReset(facts: RunFacts): Promise<RunFacts> {
    if (classify(facts).outcome !== 'limit') return facts;
    const { session } = this.job;
    return (await readTranscript(session, this.environment, (file) => addToldReset(facts, file))) ?? facts;
  }

  private async start(mode: SessionMode): Promise<RunFacts> {
    const { clock, processes, timeZone } = this.options;
    const end = AbortSignal.any([this.end, this.otherPayer.signal]);
    const reader = createStreamReader();
    const watch = createAdmissionWatch(this.events);
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
      { clock, processes, end, started: (process) => this.events.started(process) },
    );
    return {
      ...child,
      stream: reader.facts(),
      stderr,
      isResumed: mode === 'resume',
      now: clock.now(),
      timeZone,
    };
  }

  private async prepare(mode: SessionMode): Promise<Omit<ChildStart, 'take'>> {
    const { job, options } = this;
    const trusted = await isTrusted(job.definition.workingDir, this.environment);
    if (!trusted) this.events.line(describeUntrusted(job.definition.workingDir));
    return {
      program: options.claude,
      args: buildArguments(job, mode, {
        permissions: options.permissions,
        refused: await refuseEdits(job.definition.workingDir, options.protectedPaths),
        trusted,
        billing: options.billing,
        flags: options.flags ?? new Set(),
      }),
      cwd: job.definition.workingDir,
      environment: trusted
        ? this.environment
        : await guardUntrusted(job.definition.workingDir, this.environment),
      input: await composeInput(job, mode, this.environment),
      runMark: job.runMark,
      timeoutMs: job.timeoutMs,
      graceMs: options.graceMs ?? GRACE_MS,
    };
  }

  /** What is billed by use never pays where a subscription was chosen: not by whatever settings, at whatever time. */
  private checkPayer(message: StreamMessage): void {
    if (this.options.billing !== 'subscription' || message.type !== 'init') return;
    if (message.about.keySource !== undefined) this.otherPayer.abort('other-payer');
  }

  private show(message: StreamMessage): void {
    for (const line of renderMessage(message)) this.events.line(line);
  }
}
