import type { Command } from 'commander';
import { findUsedUpBudget } from '../../domain/budget';
import { closureFor } from '../../domain/limits';
import type { Act } from '../action';
import { OK } from '../exitCodes';
import { describeGate, describeUsage, gatesAsJson, usageAsJson } from '../../app/gateWords';
import { describeWrongSettings, placeSettings, settingsAsJson } from '../../app/settingPlaces';
import { formatJson } from '../words';
import { takePicture } from '../../app/picture';

/** As the format's check_usage: 0 a task may run, 1 none may. */
const CLOSED = 1;

export function defineUsage(program: Command, act: Act): void {
  const command = program
    .command('usage')
    .description('whether the account, the budget and the settings let a task run: exit 0 yes, 1 no')
    .option('--json', 'for programs');
  act(command, async (context, _args, options) => {
    const { gate, world } = await context.withQueue((queue) => takePicture(context, queue));
    const { now, settings } = world;
    const wrong = await placeSettings((await context.configure()).problems);
    const isClosed = closureFor(gate, undefined, now, settings.openAfterReset) !== null;
    const isUsedUp = findUsedUpBudget(world.queue.starts, now, settings) !== null;
    if (options['json'] === true) {
      context.system.out(
        formatJson({
          gates: gatesAsJson(gate, world),
          usage: usageAsJson(gate, world),
          problems: settingsAsJson(wrong),
        }),
      );
    } else {
      [...describeWrongSettings(wrong), describeGate(gate, world), ...describeUsage(gate, world)].forEach(
        (line) => {
          context.system.out(line);
        },
      );
    }
    return isClosed || isUsedUp || wrong.length > 0 ? CLOSED : OK;
  });
}
