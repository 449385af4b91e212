import { randomUUID } from 'node:crypto';
import type { Host } from '../app/context/host';
import { systemClock } from '../platform/clock';
import { hasCode } from '../platform/files/files';
import { systemProcesses } from '../platform/processes/processes';
import { createRunProgram, type RunProgram } from '../platform/processes/programs';
import { type Line, renderLine } from './output/line';
import { Screen } from './output/screen';

/** A terminal's keys, as they are pressed while its raw mode is on. */
export interface Keyboard {
  setRawMode(isRaw: boolean): unknown;
  on(event: 'data', press: (data: Buffer) => void): unknown;
  on(event: 'end', end: () => void): unknown;
  off(event: 'data', press: (data: Buffer) => void): unknown;
  off(event: 'end', end: () => void): unknown;
  pause(): unknown;
}

/** What work is scheduled with. */
export interface Scheduling {
  readonly platform: NodeJS.Platform;
  readonly userId: number;
  /** How this program is started: Node and the script, both absolute. */
  readonly program: readonly [string, string];
  readonly run: RunProgram;
}

/** Everything of the machine that commands use. */
export interface System extends Host {
  /** A line of the answer, or several. */
  out(line: Line): void;
  /** A line beside the answer: warnings and errors. */
  err(text: string): void;
  /** Whether lines have colours, whatever the terminal is. */
  setColours(isOn: boolean): void;
  /** Shows a line below all others, in the place of the last such one; null where the answer goes elsewhere. */
  readonly pass: ((line: Line) => void) | null;
  /** Width of the terminal; null where the answer goes elsewhere. */
  readonly columns: number | null;
  /** The keyboard, where there is one. */
  readonly keyboard: Keyboard | null;
  readonly scheduling: Scheduling;
  /** All of standard input. */
  readInput(): Promise<string>;
  /** Aborted by the first signal that asks this process to end, and when nobody hears it any more; a command that does not ask ends as programs do. */
  onEnd(): AbortSignal;
}

/** What asks a program to end: Ctrl-C, a service manager, a closed terminal. */
const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The machine as this process sees it. */
export function createSystem(program: NodeJS.Process): System {
  const { stdin, stdout, stderr } = program;
  const unheard = noticeUnheard(stdout, stderr);
  let hasColours = stdout.isTTY && (program.env['NO_COLOR'] ?? '') === '';
  const screen = new Screen((text) => {
    stdout.write(text);
  });
  const err = (text: string): void => {
    screen.add(() => {
      stderr.write(`${renderLine(text, false)}\n`);
    });
  };
  return {
    env: program.env,
    cwd: program.cwd(),
    clock: systemClock,
    random: Math.random,
    createId: randomUUID,
    processes: systemProcesses,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    out: (line) => {
      screen.add(() => {
        stdout.write(`${renderLine(line, hasColours)}\n`);
      });
    },
    err,
    warn: err,
    setColours: (isOn) => {
      hasColours = isOn;
    },
    pass: stdout.isTTY
      ? (line) => {
          screen.pass(renderLine(line, hasColours));
        }
      : null,
    columns: stdout.isTTY ? stdout.columns : null,
    keyboard: stdin.isTTY ? stdin : null,
    scheduling: {
      platform: program.platform,
      userId: program.getuid?.() ?? 0,
      program: [program.execPath, program.argv[1] ?? ''],
      run: createRunProgram(program.env),
    },
    readInput: async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Uint8Array));
      return Buffer.concat(chunks).toString();
    },
    onEnd: () => AbortSignal.any([createEndSignal(program), unheard]),
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

/**
 * Aborted when nobody can hear any more what this process says: the reader of a pipe went away, a terminal was closed.
 * Left alone, Node would end the process in the middle of a run, with `claude` still running. A file that takes
 * nothing more is no reason to stop: what was done is in the queue.
 */
function noticeUnheard(...outputs: readonly NodeJS.WritableStream[]): AbortSignal {
  const controller = new AbortController();
  for (const output of outputs) {
    output.on('error', (error) => {
      if (!hasCode(error, 'ENOSPC', 'EDQUOT', 'EFBIG')) controller.abort('unheard');
    });
  }
  return controller.signal;
}
