import type { Command } from 'commander';
import type { Cause } from '../../../domain/reasons/reason';
import { isPause } from '../../../domain/reasons/queueStops';
import type { Act } from '../../action';
import { OK } from '../../exitCodes';
import { describeClaude } from '../../../app/present/installation';
import { describeGate, gatesAsJson } from '../../../app/present/gate';
import { describeKept, describeUsage, usageAsJson } from '../../../app/present/usageWindows';
import { describeWrongSettings, placeSettings, settingsAsJson } from '../../../app/context/settingPlaces';
import { formatJson } from '../../options/parseArguments';
import { buildViewModel } from '../../../app/viewModel/queueViewModel';
import { probeGate } from '../../../app/actions/queue/probeGate';

/** Exit code if no task may run; 0 if one may. Like `check_usage` of the scripts. */
const CLOSED = 1;

interface UsageOptions {
  readonly probe?: true;
  readonly json?: true;
}

export function defineUsage(program: Command, act: Act): void {
  const command = program
    .command('usage')
    .description(
      'show whether Claude Code, the account, the budget and the settings let a task run; exit 0 if so, else 1',
    )
    .option('--probe', 'probe the limit with one task before the reset')
    .option('--json', 'print JSON');
  act(command, async (context, _args, options: UsageOptions) => {
    const { world, stops } = await context.withQueue(async (queue) => {
      const probed = options.probe === true ? await probeGate(context, queue) : undefined;
      return buildViewModel(context, queue, probed);
    });
    const claude = await describeClaude(context);
    const wrong = await placeSettings((await context.configure()).problems);
    // A pause is not about the account or the settings; "status" shows it.
    const found = stops.filter(({ causes }) => !causes.some(isPause));
    const others = found
      .filter(({ causes }) => !causes.some(hasOwnLine))
      .map(({ text }) => `No task starts: ${text}.`);
    const isWrong = wrong.length > 0 || !claude.isUsable;
    const mayStart = found.length === 0 && !isWrong;
    const why = isWrong
      ? (describeWrongSettings(wrong)[0] ?? claude.lines.at(-1))
      : [describeGate(world), ...describeKept(world), ...others].join(' ');
    if (options.json === true) {
      context.system.out(
        formatJson({
          mayStart,
          reason: mayStart ? null : why,
          gates: gatesAsJson(world),
          usage: usageAsJson(world),
          claude: claude.json,
          problems: settingsAsJson(wrong),
        }),
      );
    } else {
      [
        ...describeWrongSettings(wrong),
        describeGate(world),
        ...describeUsage(world),
        ...describeKept(world),
        ...others,
        ...claude.lines,
      ].forEach((line) => {
        context.system.out(line);
      });
    }
    return mayStart ? OK : CLOSED;
  });
}

const hasOwnLine = ({ kind }: Cause): boolean => OWN_LINES.includes(kind);

/** Causes that the lines about settings, gate and reserve describe. */
const OWN_LINES: readonly Cause['kind'][] = ['settings', 'gate', 'reserve'];
