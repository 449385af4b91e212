import { isProblem } from '../../domain/problem';
import type { SettingName } from '../../domain/settings/settings';
import { environmentName, namesOfEditor } from '../../domain/settings/variables';
import { placeInConfig, readConfig } from '../../platform/files/config';
import type { QueueContext } from '../context/queueContext';
import { placedAt, type Checked, type CheckedPlace } from './checked';

/** Returns where a setting of the machine is set: in its settings file, in VS Code, or in a variable of the environment. */
export async function locateMachineSetting(
  { configuration, host }: QueueContext,
  name: SettingName,
): Promise<Pick<Checked, 'at' | 'remedy'>> {
  const variable = environmentName(name);
  if ((host.env[variable] ?? '') === '') {
    const file = configuration.files.machine;
    const place = await placeInConfig(file, name);
    return place === null ? {} : placedAt({ file, where: { kind: 'file', ...place } });
  }
  return namesOfEditor(host.env).includes(name)
    ? { remedy: { kind: 'open-setting', name: `claudeQueue.${name}` } }
    : { remedy: { kind: 'copy-name', text: variable } };
}

/** Returns the first settings file that cannot be read; null: all can. */
export async function findUnreadable({ configuration }: QueueContext): Promise<CheckedPlace | null> {
  for (const file of [configuration.files.queue, configuration.files.machine]) {
    try {
      await readConfig(file);
    } catch (error) {
      if (!isProblem(error, 'settings-invalid')) throw error;
      return { file, where: null };
    }
  }
  return null;
}
