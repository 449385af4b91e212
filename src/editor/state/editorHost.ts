import { randomUUID } from 'node:crypto';
import type { Host } from '../../app/context/host';
import { systemClock } from '../../platform/clock';
import { systemProcesses } from '../../platform/processes/processes';

/** The machine as the extension host sees it; `env` is the editor's own with the settings of its user over it. */
export function createEditorHost(env: Host['env'], cwd: string, warn: (message: string) => void): Host {
  return {
    env,
    cwd,
    clock: systemClock,
    random: Math.random,
    createId: randomUUID,
    processes: systemProcesses,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    warn,
  };
}
