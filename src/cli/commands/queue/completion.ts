import { type Command, Argument } from 'commander';
import type { Act } from '../../action';
import { SHELLS, type Shell } from '../../completion/shells';
import { readProgram } from '../../completion/readProgram';
import { OK } from '../../exitCodes';

/** `completion`: a script with which a shell completes this program's commands and options. */
export function defineCompletion(program: Command, act: Act): void {
  const shells = Object.keys(SHELLS);
  const command = program
    .command('completion')
    .description('print a completion script: source <(claude-queue completion bash)')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells));
  act(command, (context, [shell = '']) => {
    // One of the choices: another word is refused before this.
    context.system.out(SHELLS[shell as Shell](readProgram(program)));
    return Promise.resolve(OK);
  });
}
