import { type Command, Argument } from 'commander';
import type { Act } from '../../action';
import { SHELLS, type Shell } from '../../completion/shells';
import { readProgram } from '../../completion/readProgram';
import { OK } from '../../exitCodes';

/** Defines `completion`, which prints a script for a shell's completion of commands and options. */
export function defineCompletion(program: Command, act: Act): void {
  const shells = Object.keys(SHELLS);
  const command = program
    .command('completion')
    .description('print a completion script: source <(claude-queue completion bash)')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells));
  act(command, (context, [shell = '']) => {
    // Commander refuses any other word before this.
    context.system.out(SHELLS[shell as Shell](readProgram(program)));
    return Promise.resolve(OK);
  });
}
