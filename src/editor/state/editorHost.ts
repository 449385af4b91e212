import { randomUUID } from 'node:crypto';
import type { Host } from '../../app/context/host';
import { systemClock } from '../../platform/clock';
import { processZone } from '../../platform/timeZones';
import { systemProcesses } from '../../platform/processes/processes';

/**
 * Creates the machine services of the extension host; `env` is the editor's environment overridden by the user's
 * settings.
 */
export function createEditorHost(env: Host['env'], cwd: string, warn: (message: string) => void): Host {
  return {
    env,
    cwd,
    clock: systemClock,
    random: Math.random,
    createId: randomUUID,
    processes: systemProcesses,
    timeZone: processZone(),
    warn,
  };
}
