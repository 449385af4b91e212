import { isProblem } from '../../domain/problem';
import type { SettingName } from '../../domain/settings/settings';
import { placeInConfig, readConfig } from '../../platform/files/config';
import type { QueueContext } from '../context/queueContext';
import type { CheckedPlace } from './checked';

/** Returns the place of a setting in its settings file; null: it is in none, but a variable of the environment. */
export async function locateSetting(
  { configuration }: QueueContext,
  name: SettingName,
): Promise<CheckedPlace | null> {
  for (const file of [configuration.files.queue, configuration.files.machine]) {
    const place = await placeInConfig(file, name);
    if (place !== null) return { file, where: { kind: 'file', ...place } };
  }
  return null;
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
