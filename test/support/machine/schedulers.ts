import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A stand-in of `crontab`: keeps what it is given, and says there is no table as Debian's does. */
export const CRONTAB = `const fs = require('node:fs');
const file = process.env.TABLE;
if (process.env.CRONTAB_BROKEN) { process.stderr.write('crontab: the spool cannot be read\\n'); process.exit(1); }
if (process.argv[2] === '-') fs.writeFileSync(file, fs.readFileSync(0));
else if (fs.existsSync(file)) process.stdout.write(fs.readFileSync(file));
else { process.stderr.write('no crontab for ken\\n'); process.exit(1); }`;

/** A stand-in of a service manager: notes what it is asked, and refuses what the test wants refused. */
export const MANAGER = `const fs = require('node:fs');
const words = process.argv.slice(2).join(' ');
fs.appendFileSync(process.env.ASKED, words + '\\n');
const refused = process.env.REFUSED;
if (refused && words.includes(refused)) { process.stderr.write('Failed: ' + refused + '\\n'); process.exit(1); }`;

/** A stand-in of launchd, which takes a while to unload a job. */
export const LAUNCHCTL = `${MANAGER}
const loaded = process.env.ASKED + '.loaded';
const verb = process.argv[2];
if (verb === 'bootstrap') {
  if (fs.existsSync(loaded)) { process.stderr.write('Bootstrap failed: 5: Input/output error\\n'); process.exit(5); }
  fs.writeFileSync(loaded, '');
}
if (verb === 'bootout') fs.writeFileSync(loaded, 'going');
if (verb === 'print') {
  if (!fs.existsSync(loaded)) process.exit(113);
  const left = fs.readFileSync(loaded, 'utf8');
  if (left === 'gone') fs.rmSync(loaded);
  if (left === 'going') fs.writeFileSync(loaded, 'gone');
}`;

/** Puts a program there that does what this code says. */
export function installProgram(folder: string, name: string, code: string): void {
  const file = join(folder, name);
  writeFileSync(file, `#!${process.execPath}\n${code}\n`);
  chmodSync(file, 0o700);
}
