import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A program named like one of the system that holds off sleep; it writes down when it starts and ends. */
export class SleepProgram {
  private readonly bin: string;
  private readonly log: string;

  constructor(folder: string, name: 'systemd-inhibit' | 'caffeinate', act: 'hold' | 'refuse' = 'hold') {
    this.bin = join(folder, `bin-${act}`);
    this.log = join(folder, 'sleep.log');
    mkdirSync(this.bin, { recursive: true });
    const script = join(this.bin, name);
    writeFileSync(script, SCRIPTS[act].replaceAll('LOG', this.log));
    chmodSync(script, 0o755);
  }

  /** A `PATH` on which it comes first. */
  path(rest = process.env['PATH'] ?? ''): { readonly PATH: string } {
    return { PATH: `${this.bin}:${rest}` };
  }

  /** `start ARGUMENTS` and `end`, in order. */
  lines(): string[] {
    if (!existsSync(this.log)) return [];
    return readFileSync(this.log, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  }
}

/** Like the program itself: it runs what it is given, and ends with that; without any, at SIGTERM. */
const SCRIPTS = {
  hold: `#!/bin/sh
trap 'echo end >> LOG; exit 0' TERM
echo "start $*" >> LOG
for last; do :; done
if [ "$last" = cat ]; then cat; else while :; do sleep 0.05; done; fi
echo end >> LOG
`,
  refuse: `#!/bin/sh
echo "start $*" >> LOG
echo 'Access denied' >&2
exit 1
`,
} as const;
