import { systemProcesses } from '../../../src/platform/processes/processes';
import { openRedisQueue } from '../../../src/queue/openQueue';
import type { TaskQueue } from '../../../src/queue/taskQueue';

/** Opens the queue `bench` in this Redis, as another machine would that has the same processes. */
export function openOwnQueue(url: string): Promise<TaskQueue> {
  const { hostname: host, port } = new URL(url);
  const rows = { timeZone: 'UTC', folder: '/place', home: '/home/me', allowBypass: false };
  return openRedisQueue({
    server: { host, port: Number(port), db: 0 },
    queue: 'bench',
    machine: { id: 'here', isAlive: (identity) => systemProcesses.isAlive(identity) },
    rows: () => rows,
  });
}
