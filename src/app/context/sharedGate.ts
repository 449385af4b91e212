import type { GateStore } from '../../account/gate';
import { GATE_FORMAT } from '../../account/gateShape';
import { formatStored, parseStored } from '../../account/storedValue';
import type { IsAlive } from '../../domain/gate/probe';
import { gateOfMachine, withMachineGate } from '../../domain/gate/machineBlocks';
import type { GateView } from '../../domain/gate/gate';
import { Problem } from '../../domain/problem';
import { clean } from '../../platform/text/plainText';
import { t } from '../../platform/text/translate';
import { openGateText } from '../../queue/openQueue';
import type { RedisServer } from '../../queue/redisServer';
import type { GateText } from '../../queue/gateText';
import type { Machine } from '../../queue/taskQueue';

/** Most tries of a change while other machines are faster. */
const MOST_TRIES = 500;

/**
 * Returns the store of an account's gate that several machines share, as `machine` sees it. All methods throw the
 * Problems of the text, and `state-newer` or `state-damaged` for one that is not a gate.
 */
export function createSharedStore(text: GateText, machine: string): GateStore {
  return {
    read: async () => gateOfMachine(parseGate(await text.read(), text.name), machine),
    update: async (change) => {
      for (let tries = 0; tries < MOST_TRIES; tries += 1) {
        const written = await text.read();
        const shared = parseGate(written, text.name);
        const before = gateOfMachine(shared, machine);
        const after = change(before);
        if (after === before) return before;
        const next = withMachineGate(shared, machine, after, text.now());
        if (await text.swap(written, formatStored(next))) return after;
      }
      throw new Problem('queue-busy', t('{0} could not be written: it kept changing. Try again.', text.name));
    },
  };
}

/**
 * Returns what this machine knows of processes. Of another machine's it knows nothing, and they count as alive: their
 * probe lasts until it times out.
 */
export function createLiveness(here: Machine): IsAlive {
  return (process, machine = here.id) => machine !== here.id || here.isAlive(process);
}

/** Texts of gates in Redis. Each is opened once, and has one connection. */
export class GateTexts {
  private readonly texts = new Map<string, Promise<GateText>>();

  /** Returns the text of an account's gate in a queue. It connects when it is used. */
  open(server: RedisServer, queue: string, account: string): Promise<GateText> {
    const name = JSON.stringify([server, queue, account]);
    const text = this.texts.get(name) ?? openGateText(server, queue, account);
    this.texts.set(name, text);
    return text;
  }
}

/** Parses a gate that anyone who may use the queue can have written. Its texts are fit for a terminal. */
function parseGate(text: string | null, name: string): GateView {
  const gate = parseStored(text, name, GATE_FORMAT);
  return JSON.parse(JSON.stringify(gate), (_name, value: unknown) =>
    typeof value === 'string' ? clean(value).replaceAll('\n', ' ') : value,
  ) as GateView;
}
