import { randomUUID } from 'node:crypto';
import type { ReadStream } from 'node:tty';
import { type Clock, systemClock } from '../platform/clock';
import { type Processes, systemProcesses } from '../platform/processes';

/** Everything of the machine that commands use. */
export interface System {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder in which the command was called. */
  readonly cwd: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly createId: () => string;
  readonly processes: Processes;
  /** IANA name of the machine's zone. */
  readonly timeZone: string;
  /** A line of the answer. */
  out(text: string): void;
  /** A line beside the answer: warnings and errors. */
  err(text: string): void;
  /** Width of the terminal; null where the answer goes elsewhere. */
  readonly columns: number | null;
  /** The keyboard, where there is one. */
  readonly keyboard: ReadStream | null;
  /** All of standard input. */
  readInput(): Promise<string>;
  /** Aborted by the first signal that asks this process to end; a command that does not ask ends as programs do. */
  onEnd(): AbortSignal;
}

/** What asks a program to end: Ctrl-C, a service manager, a closed terminal. */
const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The machine as this process sees it. */
export function createSystem(program: NodeJS.Process): System {
  const { stdin, stdout, stderr } = program;
  return {
    env: program.env,
    cwd: program.cwd(),
    clock: systemClock,
    random: Math.random,
    createId: randomUUID,
    processes: systemProcesses,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    out: (text) => {
      stdout.write(`${text}\n`);
    },
    err: (text) => {
      stderr.write(`${text}\n`);
    },
    columns: stdout.isTTY ? stdout.columns : null,
    keyboard: stdin.isTTY ? stdin : null,
    readInput: async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Uint8Array));
      return Buffer.concat(chunks).toString();
    },
    onEnd: () => createEndSignal(program),
  };
}

function createEndSignal(program: NodeJS.Process): AbortSignal {
  const controller = new AbortController();
  for (const signal of END_SIGNALS) {
    program.on(signal, () => {
      controller.abort(signal);
    });
  }
  return controller.signal;
}
