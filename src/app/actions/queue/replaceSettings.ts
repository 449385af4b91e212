import * as path from 'node:path';
import { Problem } from '../../../domain/problem';
import { readSettings } from '../../../domain/settings/settings';
import { readConfig } from '../../../platform/files/config';
import { readIfThere } from '../../../platform/files/files';
import type { SharedQueue } from '../../../queue/sharedQueue';
import type { QueueContext } from '../../context/queueContext';
import { describePlace, placeSettings } from '../../context/settingPlaces';
import { refuseInsideAttempt } from '../attempts/insideAttempt';

/**
 * Replaces the settings of a queue by those in a YAML file, if all are valid.
 * @throws Problem `inside-run`; `usage` if there is no such file; `settings-invalid`
 */
export async function replaceSettings(
  queueContext: QueueContext,
  queue: SharedQueue,
  file: string,
): Promise<void> {
  await refuseInsideAttempt(queueContext, queue, 'change settings');
  const { cwd, createId } = queueContext.host;
  const source = path.resolve(cwd, file);
  const text = await readIfThere(source);
  if (text === null) throw new Problem('usage', `There is no file ${source}.`);
  const values = await readConfig(source);
  const { problems } = readSettings([{ source, scope: 'queue', values }], {});
  if (problems.length > 0) {
    const lines = (await placeSettings(problems)).map((one) => `${describePlace(one)}  ${one.message}`);
    throw new Problem('settings-invalid', `Nothing was changed:\n${lines.join('\n')}`);
  }
  await queue.writeSettings(text.toString(), createId());
}
