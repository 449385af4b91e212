import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CliHarness } from './cliHarness';

/** A desk with one task, on a machine whose only programs are those in `programs`; what its crontab holds is in `table`. */
export function openSchedulingCli(): { cli: CliHarness; programs: string; table: string } {
  const cli = new CliHarness();
  cli.write('1,high,.,Do it,pending,,,no,,0,3');
  cli.installClaude('quiet');
  const programs = join(cli.folder, 'programs');
  mkdirSync(programs);
  const table = join(cli.folder, 'table');
  Object.assign(cli.env, { PATH: programs, TABLE: table, ASKED: join(cli.folder, 'asked') });
  delete cli.env['CLAUDE_CODE_OAUTH_TOKEN'];
  return { cli, programs, table };
}
