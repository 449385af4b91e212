import { Approvals } from '../../../src/account/approvals';
import { createFileGate, type Gate } from '../../../src/account/gate';
import { Histories } from '../../../src/account/histories';
import { LiveConfiguration } from '../../../src/app/context/configuration';
import { systemClock } from '../../../src/platform/clock';
import { openFileQueue } from '../../../src/queue/openQueue';
import type { RowContext } from '../../../src/queue/row/rowContext';
import type { Machine, TaskQueue } from '../../../src/queue/taskQueue';
import { ACCOUNT, MACHINE_ID, QUEUE_FILE, SETTINGS_FILE, STATE, USER_STATE, type Host } from './host';

/** The queue with all that belongs to it on this machine, as a process has it. */
export interface SimContext {
  readonly queue: TaskQueue;
  readonly approvals: Approvals;
  readonly gate: Gate;
  readonly configuration: LiveConfiguration;
  readonly machine: Machine;
}

/** Opens the queue as the product does. */
export async function openContext(host: Host): Promise<SimContext> {
  const configuration = new LiveConfiguration(
    { machine: '/home/me/.config/claude-queue/config.yaml', queue: SETTINGS_FILE },
    { env: {}, timeZone: 'UTC' },
  );
  const { settings } = await configuration.look();
  const isAlive: Machine['isAlive'] = (identity) => host.processes.isAlive(identity);
  const machine = { id: MACHINE_ID, isAlive };
  const approvals = new Approvals(USER_STATE, QUEUE_FILE);
  const queue = await openFileQueue({
    file: QUEUE_FILE,
    rows: rowsOf(configuration),
    machine,
    known: new Histories(USER_STATE, STATE, approvals),
    clock: systemClock,
    keepHistoryMs: settings.keepHistory,
    warn: (text) => host.say({ kind: 'warning', text }),
  });
  const gate = createFileGate({
    folder: USER_STATE,
    account: ACCOUNT,
    clock: systemClock,
    rules: () => configuration.last.settings,
    isAlive: (identity, id = MACHINE_ID) => id !== MACHINE_ID || isAlive(identity),
  });
  return { queue, approvals, gate, configuration, machine };
}

function rowsOf(configuration: LiveConfiguration): () => RowContext {
  let known: { readonly of: unknown; readonly rows: RowContext } | null = null;
  return () => {
    const { last } = configuration;
    if (known?.of === last) return known.rows;
    const { allowBypass, priorityRules } = last.settings;
    const rows = { timeZone: last.timeZone, folder: '/place', home: '/home/me', allowBypass, priorityRules };
    known = { of: last, rows };
    return rows;
  };
}
