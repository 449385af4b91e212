import { isProblem } from '../../domain/problem';
import type { SettingName } from '../../domain/settings/settings';
import { placeInConfig, readConfig } from '../../platform/files/config';
import type { QueueContext } from '../context/queueContext';
import type { CheckedPlace } from './checked';

/** Returns the place of a setting of the machine in its settings file; null: it is not there, but a variable of the environment. */
export async function locateMachineSetting(
  { configuration }: QueueContext,
  name: SettingName,
): Promise<CheckedPlace | null> {
  const file = configuration.files.machine;
  const place = await placeInConfig(file, name);
  return place === null ? null : { file, where: { kind: 'file', ...place } };
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
