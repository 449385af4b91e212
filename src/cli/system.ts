import { randomUUID } from 'node:crypto';
import { fstatSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Host } from '../app/context/host';
import type { Scheduling } from '../app/schedule/scheduler';
import { systemClock } from '../platform/clock';
import { processZone } from '../platform/timeZones';
import { Problem } from '../domain/problem';
import { FULL_DISK, hasCode } from '../platform/files/files';
import { systemProcesses } from '../platform/processes/processes';
import { createRunProgram } from '../platform/processes/programs';
import { Watchdog } from '../platform/processes/watchdog';
import { decodeText } from '../platform/text/utf8';
import { type Line, renderLine } from './output/line';
import { Screen } from './output/screen';

/** Keys of a terminal, as they are pressed in raw mode. */
export interface Keyboard {
  setRawMode(isRaw: boolean): unknown;
  on(event: 'data', press: (data: Buffer) => void): unknown;
  on(event: 'end', end: () => void): unknown;
  off(event: 'data', press: (data: Buffer) => void): unknown;
  off(event: 'end', end: () => void): unknown;
  pause(): unknown;
  resume(): unknown;
}

/** Everything of the machine that commands use. */
export interface System extends Host {
  /** Prints a line of the answer, or several. */
  out(line: Line): void;
  /**
   * Prints text or bytes that another program reads, all of them. Only for a terminal, control characters are removed.
   * @throws Problem `output-unwritable` if the disk is full
   */
  outExactly(text: string | Buffer): Promise<void>;
  /** Prints a line to standard error: warnings and errors. */
  err(text: string): void;
  /** Turns colours on or off, whatever the terminal is. */
  setColours(isOn: boolean): void;
  /** Whether lines of the answer have colours. */
  hasColours(): boolean;
  /** Shows a line below all others, in place of the previous such one; null if the answer does not go to a terminal. */
  readonly pass: ((line: Line) => void) | null;
  /** Width of the terminal; null if the answer does not go to one. */
  readonly columns: number | null;
  /** The keyboard, if there is one. */
  readonly keyboard: Keyboard | null;
  readonly scheduling: Scheduling;
  /** Creates a watchdog for this process. @param lost called when it ended too early */
  createWatchdog(lost: (error: Error | null) => void): Pick<Watchdog, 'watch' | 'forget' | 'close'>;
  /** Reads all of standard input. @throws Problem `usage` if it is not UTF-8 */
  readInput(): Promise<string>;
  /**
   * Signal that aborts at the first signal to end this process, and when its output is closed. A command that does not
   * use it ends as programs do.
   */
  onEnd(): AbortSignal;
}

/** Beside this program. */
const WATCHDOG_FILE = 'watchdog.js';

/** Signals that ask a program to end: Ctrl-C, a service manager, a closed terminal. */
const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Creates the system of this process. */
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
  const out = (line: Line): void => {
    screen.add(() => {
      stdout.write(`${renderLine(line, hasColours)}\n`);
    });
  };
  return {
    env: program.env,
    cwd: program.cwd(),
    clock: systemClock,
    random: Math.random,
    createId: randomUUID,
    processes: systemProcesses,
    timeZone: processZone(),
    out,
    outExactly: async (text) => {
      if (stdout.isTTY) out(text.toString().trimEnd());
      else await writeExactly(stdout, text);
    },
    err,
    warn: err,
    setColours: (isOn) => {
      hasColours = isOn;
    },
    hasColours: () => hasColours,
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
    createWatchdog: (lost) => new Watchdog([join(__dirname, WATCHDOG_FILE)], lost),
    readInput: async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Uint8Array));
      return decodeText('Standard input', Buffer.concat(chunks));
    },
    onEnd: () => AbortSignal.any([createEndSignal(program), unheard]),
  };
}

/** Resolves when the text is written, or when nobody reads it any more. @throws Problem `output-unwritable` */
async function writeExactly(stdout: NodeJS.Process['stdout'], text: string | Buffer): Promise<void> {
  try {
    // A file on a disk that becomes full takes a part of the text, which the stream would not notice.
    if (fstatSync(stdout.fd).isFile()) writeFileSync(stdout.fd, text);
    else
      await new Promise<void>((resolve, reject) =>
        stdout.write(text, (error) => (error ? reject(error) : resolve())),
      );
  } catch (error) {
    if (!hasCode(error, ...FULL_DISK)) return;
    const message = 'Standard output was not written: the disk is full. Make room, then try again.';
    throw new Problem('output-unwritable', message, { cause: error });
  }
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
 * Signal that aborts when the output is closed: the reader of a pipe has ended, or a terminal was closed. Otherwise
 * Node would end the process in the middle of an attempt, with `claude` still running. A full disk is no reason to
 * stop: the results are in the queue.
 */
function noticeUnheard(...outputs: readonly NodeJS.WritableStream[]): AbortSignal {
  const controller = new AbortController();
  for (const output of outputs) {
    output.on('error', (error) => {
      if (!hasCode(error, ...FULL_DISK)) controller.abort('unheard');
    });
  }
  return controller.signal;
}
