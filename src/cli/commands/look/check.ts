import type { Command } from 'commander';
import { describeError } from '../../../app/present/problems/problem';
import { describeChecks } from '../../../app/present/checks';
import { note, problem, type Checked } from '../../../app/checks/checked';
import { checkWhole } from '../../../app/checks/wholeCheck';
import { findScriptLines } from '../../../app/schedule/installedTimers';
import { isProblem, Problem } from '../../../domain/problem';
import type { Act } from '../../action';
import type { Context } from '../../context';
import { FAILED, OK } from '../../exitCodes';
import { checkQuietly } from '../../quietCheck';
import { formatJson } from '../../options/parseArguments';
import { quoteCommand } from '../../../platform/text/commandName';

export function defineCheck(program: Command, act: Act): void {
  const command = program
    .command('check')
    .description('check the queue, the settings and this machine; exit 1 on any problem')
    .option(
      '--quiet',
      'print one line only if something needs attention; starts no program (for a shell prompt)',
    )
    .option('--json', 'print JSON');
  act(command, async (context, _args, options) => {
    const [isQuiet, isJson] = [options['quiet'] === true, options['json'] === true];
    if (isQuiet && isJson) throw new Problem('usage', 'Give --quiet or --json: not both.');
    if (isQuiet) return checkQuietly(context);
    const all = await checkWhole(context, () => checkScriptLines(context));
    const problems = all.filter(({ state }) => state === 'problem');
    if (isJson) context.system.out(formatJson(toJson(all)));
    else for (const line of describeChecks(all)) context.system.out(line);
    return problems.length === 0 ? OK : FAILED;
  });
}

/** JSON of the checks. `problems` is a contract; the other fields were added later. */
function toJson(all: readonly Checked[]): object {
  const pick = (wanted: Checked['state']): object[] =>
    all.flatMap(({ state, where, message }) => (state === wanted ? [{ where, message }] : []));
  return { problems: pick('problem'), notes: pick('note'), fine: pick('fine') };
}

/** Checks for a crontab line that starts `queue_manager.sh` for the same folder. */
async function checkScriptLines({ system, paths }: Context): Promise<Checked[]> {
  try {
    return (await findScriptLines(system.scheduling, paths.folder)).map((line) =>
      problem('crontab', replaceAdvice(line)),
    );
  } catch (error) {
    if (!isProblem(error)) throw error;
    return [note('crontab', describeError(error))];
  }
}

function replaceAdvice(line: string): string {
  return `starts queue_manager.sh for this queue: ${line} Replace it with ${quoteCommand('schedule --every 30m --yes')}.`;
}
