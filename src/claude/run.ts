import { stat } from 'node:fs/promises';
import { SESSION_UNUSABLE, type Job, type RunEvents, type Runner, type Verdict } from '../domain/attempt';
import { BAD_WORKING_DIR } from '../domain/ownMistakes';
import type { Clock } from '../platform/clock';
import { hasCode } from '../platform/files';
import type { Processes } from '../platform/processes';
import { redact } from '../platform/redact';
import { readCause, runChild } from './childRun';
import type { ChildStart } from './childRun';
import { classify, OWN_ENDS } from './classify';
import type { Finding, RunFacts } from './runFacts';
import { buildArguments, buildEnvironment, buildInput } from './command';
import type { Billing, PermissionDefaults } from './command';
import type { StreamMessage } from './message';
import { openOutput } from './outputFile';
import type { OutputFile } from './outputFile';
import { findNames } from './protectedPaths';
import { renderMessage } from './render';
import { hasTranscript, readOtherMode } from './session';
import type { SessionMode } from './session';
import { createStreamReader } from './stream';

export interface RunnerOptions {
  /** Absolute path of `claude`. */
  readonly claude: string;
  /** The person's own; what would change the meaning of a run is taken out. */
  readonly environment: NodeJS.ProcessEnv;
  readonly billing: Billing;
  readonly permissions: PermissionDefaults;
  /** Absolute paths of files and folders that no run may edit: the queue's, and the person's own approvals and settings. */
  readonly protectedPaths: readonly string[];
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
    verdict = await session.run();
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
  const message = `The output cannot be written to ${job.outputFile} (${why}). Make room, or make it writable.`;
  // The machine's fault, not the task's.
  return withoutRun({ outcome: 'transient', reason: 'output-unwritable', message });
}

/** What a crash at the very start of a session may leave: a transcript without a conversation. */
const UNUSABLE: Finding = {
  outcome: 'transient',
  reason: SESSION_UNUSABLE,
  message: 'The session can be neither begun nor gone on in; the next attempt begins a new one.',
};

/** The mode that Claude Code's refusal to start asks for; null where it did not refuse for that. */
function findOtherMode({ exitCode, endedBy, stderr, stream }: RunFacts): SessionMode | null {
  if (exitCode === 0 || endedBy !== undefined) return null;
  return readOtherMode([stderr, ...(stream.result?.errors ?? [])].join('\n'));
}

/** One attempt in its session: one start of `claude`, or two where the session was not as it looked. */
class SessionRun {
  private readonly environment: NodeJS.ProcessEnv;

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
    const mode = (await hasTranscript(this.job.session, this.environment)) ? 'resume' : 'start';
    const first = await this.start(mode);
    const other = findOtherMode(first);
    if (other === null || other === mode) return classify(first);
    const second = await this.start(other);
    return findOtherMode(second) === mode ? { ...classify(second), ...UNUSABLE } : classify(second);
  }

  private async start(mode: SessionMode): Promise<RunFacts> {
    const { clock, processes, timeZone } = this.options;
    const reader = createStreamReader();
    let stderr = '';
    const child = await runChild(
      {
        ...(await this.prepare(mode)),
        take: async (source, lines) => {
          if (lines.length === 0) return;
          // Before anything else, so that no secret gets into a verdict or onto a screen either; and together, since a
          // private key has many lines.
          const safe = redact(lines.join('\n'));
          for (const line of safe.split('\n')) {
            this.show(source === 'stdout' ? reader.push(line) : { type: 'text', text: line });
          }
          if (source === 'stderr') stderr = `${stderr}${safe}\n`.slice(0, STDERR_LIMIT);
          await this.output.append(`${safe}\n`);
        },
      },
      { clock, processes, end: this.end, started: (process) => this.events.started(process) },
    );
    return { ...child, stream: reader.facts(), stderr, now: clock.now(), timeZone };
  }

  private async prepare(mode: SessionMode): Promise<Omit<ChildStart, 'take'>> {
    const { job, options } = this;
    return {
      program: options.claude,
      args: buildArguments(job, mode, options.permissions, await findNames(options.protectedPaths)),
      cwd: job.definition.workingDir,
      environment: this.environment,
      input: buildInput(job, mode),
      runMark: job.runMark,
      timeoutMs: job.timeoutMs,
      graceMs: options.graceMs ?? GRACE_MS,
    };
  }

  private show(message: StreamMessage): void {
    for (const line of renderMessage(message)) this.events.line(line);
  }
}
