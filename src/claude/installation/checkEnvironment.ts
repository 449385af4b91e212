import type { Billing } from '../../domain/task/attempt';
import { without } from '../../platform/processes/environment';
import { listUnwanted } from '../attempt/command';
import { isTrusted } from '../folder/projectTrust';
import { guardUntrusted } from '../folder/untrustedFolder';

/**
 * Returns the environment of a row's own check. It holds no more than the attempt got, and is guarded in an
 * untrusted folder.
 */
export async function buildCheckEnvironment(
  own: NodeJS.ProcessEnv,
  billing: Billing,
  folder: string,
): Promise<NodeJS.ProcessEnv> {
  const environment = without(own, listUnwanted(own, billing));
  return (await isTrusted(folder, own)) ? environment : guardUntrusted(folder, environment);
}
