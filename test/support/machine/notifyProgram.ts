import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Arguments, input and environment of one run of the `notify` command. */
export interface Notified {
  readonly args: readonly string[];
  readonly input: {
    readonly event: string;
    readonly title: string;
    readonly message: string;
    readonly task: number | null;
    readonly sum: Readonly<Record<string, number>> | null;
  };
  readonly env: Readonly<Record<string, string>>;
}

const WRITE = `
const { appendFileSync, readFileSync } = require('node:fs');
const [log, act, ...args] = process.argv.slice(2);
const input = JSON.parse(readFileSync(0, 'utf8'));
appendFileSync(log, JSON.stringify({ args, input, env: process.env }) + '\\n');
if (act === 'hang') setInterval(() => {}, 1_000);
if (act === 'fail') { console.error('no such server'); process.exitCode = 3; }
`;

/** A program for the setting `notify` that writes down what it is run with, and then ends, fails or hangs. */
export class NotifyProgram {
  private readonly script: string;
  private readonly log: string;

  constructor(folder: string) {
    this.script = join(folder, 'notify.cjs');
    this.log = join(folder, 'notified.jsonl');
    writeFileSync(this.script, WRITE);
  }

  /** The setting's value. */
  command(act: 'end' | 'fail' | 'hang' = 'end'): string[] {
    return [process.execPath, this.script, this.log, act, '{title}', '{message}'];
  }

  /** The same as a variable. */
  variable(act: 'end' | 'fail' | 'hang' = 'end'): { readonly CLAUDE_QUEUE_NOTIFY: string } {
    return { CLAUDE_QUEUE_NOTIFY: JSON.stringify(this.command(act)) };
  }

  /** Returns all runs, oldest first. */
  runs(): Notified[] {
    if (!existsSync(this.log)) return [];
    const lines = readFileSync(this.log, 'utf8').split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Notified);
  }

  /** The event and the task of each run. */
  events(): string[] {
    return this.runs().map(({ input: { event, task } }) =>
      task === null ? event : `${event} ${String(task)}`,
    );
  }
}
