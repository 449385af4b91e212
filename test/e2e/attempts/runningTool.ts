import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAbout, openPlace } from '../../support/queue/queuePlace';
import type { Place, PlaceOptions } from '../../support/queue/queuePlace';
import type { ListedProcess } from '../../support/machine/processTable';
import type { Running } from '../../support/machine/processes';
import { text, tool } from '../../support/claude/replies';
import type { Reply } from '../../support/claude/replies';
import type { RowCells } from '../../support/queue/rows';
import { until } from '../../support/until';

const LONG_TASK = 'Wait for a long time';
const SLEEP = 'sleep 321';

/** A task in which Claude calls a shell command that takes minutes, and is done when it is asked again. */
export const LONG_ROW: RowCells = { id: 1, prompt: LONG_TASK, allowed_tools: 'Bash' };

export interface LongPlaceOptions extends Pick<PlaceOptions, 'env'> {
  /** Called with each turn of the long task but its first, before it is answered. */
  readonly onAgain?: () => void;
}

/** A place whose first turn of the long task is that shell command; every other turn is answered with a word. */
export async function openLongPlace({ onAgain, env = {} }: LongPlaceOptions = {}): Promise<Place> {
  let isStarted = false;
  return openPlace({
    env,
    respond: (turn): Reply => {
      if (!isAbout(turn, LONG_TASK)) return text('Done.');
      if (isStarted) {
        onAgain?.();
        return text('Done after all.');
      }
      isStarted = true;
      return tool('Bash', { command: `touch started; ${SLEEP}`, timeout: 600_000 });
    },
  });
}

/** The turns of the long task. */
export function longTurns(place: Place): ReturnType<Place['turnsOf']> {
  return place.turnsOf(LONG_TASK);
}

/** Claude and its command: what else runs beside them at their start may end by itself. */
export const isLasting = ({ command }: ListedProcess): boolean =>
  command === SLEEP || command.includes('--settings');

/** Waits until the command runs and its call is in the output; gives claude and everything below it, without the worker. */
export async function waitForTool(place: Place, worker: Running): Promise<readonly ListedProcess[]> {
  await until('the command runs', () => existsSync(join(place.queue.folder, 'started')));
  // The worker writes it after Claude Code has started the command.
  await until('its call is in the output', () => hasCall(join(place.queue.state, 'outputs')));
  return waitForSleep(place, worker);
}

/** Waits until the command runs; gives claude and everything below it, without the worker. */
export async function waitForSleep(place: Place, worker: Running): Promise<readonly ListedProcess[]> {
  return until('the sleep runs', () => {
    const run = place.processes().filter(({ pid }) => pid !== worker.pid);
    const isWhole =
      run.some(({ command }) => command === SLEEP) && run.some(({ command }) => command.includes('claude'));
    return isWhole ? run : null;
  });
}

function hasCall(outputs: string): boolean {
  return readdirSync(outputs).some((name) => readFileSync(join(outputs, name), 'utf8').includes(SLEEP));
}

/** Tokens that Claude had written in the first attempt when it was killed, by the history. */
export async function tokensOfFirst(queue: Place['queue']): Promise<number> {
  const { stdout } = await queue.run('history --json');
  const { attempts } = JSON.parse(stdout) as { attempts: { tokens: { output: number } | null }[] };
  return attempts.at(-1)?.tokens?.output ?? 0;
}
