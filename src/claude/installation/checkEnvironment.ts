import type { Billing } from '../../domain/task/attempt';
import { without } from '../../platform/processes/environment';
import { listUnwanted } from '../attempt/command';
import { isTrusted } from '../folder/projectTrust';
import { guardUntrusted } from '../folder/untrustedFolder';

/** The environment of a row's own check: no more than its run was given, and as guarded where nobody trusts the folder. */
export async function buildCheckEnvironment(
  own: NodeJS.ProcessEnv,
  billing: Billing,
  workingDir: string,
): Promise<NodeJS.ProcessEnv> {
  const environment = without(own, listUnwanted(own, billing));
  return (await isTrusted(workingDir, own)) ? environment : guardUntrusted(workingDir, environment);
}
