import type { Command } from 'commander';
import { replaceSettings } from '../../../app/actions/queue/replaceSettings';
import type { Act } from '../../action';
import type { Context } from '../../context';
import { OK } from '../../exitCodes';

export function defineSettings(program: Command, act: Act): void {
  const command = program
    .command('settings')
    .description('print the settings of a queue in Redis, or replace them by those of a YAML file')
    .argument('[file]', 'file with the new settings');
  act(command, changeSettings);
}

async function changeSettings(context: Context, [file]: readonly string[]): Promise<number> {
  const { system } = context;
  const queue = await context.openShared();
  try {
    if (file === undefined) {
      const settings = await queue.readSettings();
      system.out(settings === '' ? 'All settings have their defaults.' : settings.trimEnd());
    } else {
      await replaceSettings(context, queue, file);
      system.out(`Replaced the settings of ${context.queueFile}.`);
    }
    return OK;
  } finally {
    await queue.close();
  }
}
