import { quote } from '../../platform/text/shellQuote';
import type { CompletedCommand, CompletedOption, CompletedProgram } from './readProgram';

/** Composers of the scripts, by shell. */
export const SHELLS = { bash: composeBash, zsh: composeZsh, fish: composeFish } as const;
export type Shell = keyof typeof SHELLS;

const NAME = 'claude-queue';

/**
 * Composes the script for bash. Where it offers nothing, bash offers files: after an option with a value, and for
 * arguments.
 */
function composeBash({ commands, options }: CompletedProgram): string {
  const globals = flagsOf(options.filter(({ takesValue }) => takesValue));
  const top = [...commands.flatMap(({ names }) => names), ...flagsOf(options)];
  return [
    '_claude_queue() {',
    '  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command= words= i',
    '  for ((i = 1; i < COMP_CWORD; i++)); do',
    '    case ${COMP_WORDS[i]} in',
    `      ${globals.join('|')}) ((i++)) ;;`,
    '      -*) ;;',
    '      *) command=${COMP_WORDS[i]}; break ;;',
    '    esac',
    '  done',
    '  case "$command $previous" in',
    ...commands.flatMap(({ names, options: own }) => names.flatMap((name) => bashValues(name, own))),
    ...bashValues('*', options),
    '    *) case $command in',
    `      '') words='${top.join(' ')}' ;;`,
    ...commands.map(
      ({ names, options: own }) => `      ${names.join('|')}) words='${flagsOf(own).join(' ')}' ;;`,
    ),
    '    esac ;;',
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    `complete -o bashdefault -o default -F _claude_queue ${NAME}`,
  ].join('\n');
}

/** Returns the cases that offer the values of a command's options. Commands may have different values for one flag. */
function bashValues(command: string, options: readonly CompletedOption[]): string[] {
  return options
    .filter(({ takesValue }) => takesValue)
    .map(({ flags, choices }) => {
      const patterns = flags.map((flag) => `${command}' ${flag}'`);
      return `    ${patterns.join('|')}) words='${choices.join(' ')}' ;;`;
    });
}

function composeZsh({ commands, options }: CompletedProgram): string {
  const describe = ({ names, does }: CompletedCommand): string[] =>
    names.map((name) => `    ${quote(`${name}:${does}`)}`);
  const cases = commands.map(
    (command) =>
      `        ${command.names.join('|')}) _arguments ${command.options.flatMap(zshOption).join(' ')} '*:argument:_files' ;;`,
  );
  return [
    `#compdef ${NAME}`,
    '_claude_queue() {',
    '  local context state line',
    '  typeset -A opt_args',
    '  local -a commands',
    '  commands=(',
    ...commands.flatMap(describe),
    '  )',
    `  _arguments -C ${options.flatMap(zshOption).join(' ')} '1:command:->command' '*::argument:->arguments'`,
    '  case $state in',
    "    command) _describe 'command' commands ;;",
    '    arguments)',
    '      case $words[1] in',
    ...cases,
    '      esac ;;',
    '  esac',
    '}',
    `compdef _claude_queue ${NAME}`,
  ].join('\n');
}

function zshOption({ flags, does, takesValue, choices }: CompletedOption): string[] {
  const explained = does.replaceAll(/[[\]\\]/g, (character) => `\\${character}`);
  const values = choices.length === 0 ? '_files' : `(${choices.join(' ')})`;
  return flags.map((flag) => quote(`${flag}[${explained}]${takesValue ? `:value:${values}` : ''}`));
}

/** Name of a function for fish, whose `__fish_use_subcommand` takes the value of an option before the command for a command. */
const NO_COMMAND_YET = '__claude_queue_has_no_command';

function composeFish({ commands, options }: CompletedProgram): string {
  const all = commands.flatMap(({ names }) => names);
  return [
    `function ${NO_COMMAND_YET}`,
    `  not __fish_seen_subcommand_from ${all.join(' ')}`,
    'end',
    ...options.map((option) => fishOption(option, '')),
    ...commands.flatMap(({ names, does, options: own }) => [
      ...names.map(
        (name) => `complete -c ${NAME} -n ${NO_COMMAND_YET} -f -a ${name} -d ${quoteForFish(does)}`,
      ),
      ...own.map((option) =>
        fishOption(option, ` -n ${quoteForFish(`__fish_seen_subcommand_from ${names.join(' ')}`)}`),
      ),
    ]),
  ].join('\n');
}

function fishOption({ flags, does, takesValue, choices }: CompletedOption, where: string): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const values =
    choices.length > 0 ? ` -x -a ${quoteForFish(choices.join(' '))}` : takesValue ? ' -r' : ' -f';
  return `complete -c ${NAME}${where} ${names.join(' ')}${values} -d ${quoteForFish(does)}`;
}

function flagsOf(options: readonly CompletedOption[]): string[] {
  return options.flatMap(({ flags }) => flags);
}

function quoteForFish(text: string): string {
  return `'${text.replaceAll(/['\\]/g, (character) => `\\${character}`)}'`;
}
