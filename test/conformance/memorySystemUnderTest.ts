import type { Clock } from '../../src/platform/clock';
import { MemoryStore } from '../support/queue/memoryStore';
import { livenessOn } from '../../src/queue/model/liveness';
import { ModelQueue } from '../../src/queue/model/modelQueue';
import type { Machine } from '../../src/queue/taskQueue';
import type { SystemUnderTest } from './systemUnderTest';

/** The model: a queue in memory. */
export function openMemory(clock: Clock, machine: Machine): Promise<SystemUnderTest> {
  const context = { timeZone: 'UTC', folder: '/place', home: '/home/me', allowBypass: false };
  const store = new MemoryStore(clock, context, machine);
  const queue = new ModelQueue(store, livenessOn(machine));
  return Promise.resolve({
    queue,
    another: () => Promise.resolve(new ModelQueue(store, livenessOn(machine))),
    put: (definition, touched = {}) => {
      store.put(definition, touched);
      return Promise.resolve(touched);
    },
    remove: (id) => {
      store.delete(id);
      return Promise.resolve();
    },
    close: () => queue.close(),
  });
}
