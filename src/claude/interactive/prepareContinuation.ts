import { Problem } from '../../domain/problem';
import { keepFromPaying, listUnwanted } from '../attempt/command';
import { findLiveSession } from '../attempt/liveSession';
import type { RunnerOptions } from '../attempt/run';
import { findTranscript } from '../attempt/session';
import type { InteractiveStart } from './prepareInteractive';
import { t } from '../../platform/text/translate';

/**
 * Prepares a terminal in which the user continues a session outside the queue. Claude asks before each action.
 * @throws Problem `no-output` if the session is not on this machine; `already-running` if it is open elsewhere
 */
export async function prepareContinuation(
  session: string,
  { environment, billing, processes }: Pick<RunnerOptions, 'environment' | 'billing' | 'processes'>,
): Promise<Pick<InteractiveStart, 'args' | 'env'>> {
  if ((await findTranscript(session, environment)) === null)
    throw new Problem('no-output', t('The session of this attempt is not on this machine any more.'));
  const pid = await findLiveSession(session, environment, processes);
  if (pid !== null)
    throw new Problem(
      'already-running',
      t('The session is open in another Claude Code (process {0}). Continue there, or end it first.', pid),
    );
  return {
    args: [
      ...['--resume', session, '--permission-mode', 'default'],
      ...['--settings', JSON.stringify(keepFromPaying(billing))],
    ],
    env: Object.fromEntries(listUnwanted(environment, billing).map((name) => [name, null])),
  };
}
