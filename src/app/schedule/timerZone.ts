import type { Timer } from '../../domain/queue/missingWorker';
import { isTimeZone } from '../../domain/time/localTime';
import { machineZone } from '../../platform/timeZones';
import { isElsewhere } from '../../platform/processes/machine';

/** Returns the zone of the clock that a timer follows: a queue in Redis may have it from another machine. Any zone without a timer. */
export function timerZone(timer: Pick<Timer, 'machine' | 'timeZone'> | null): string {
  // Views are made often, most queues have no timer, and the machine's zone is read from files.
  if (timer === null) return 'UTC';
  const { machine, timeZone } = timer;
  const isFar = machine !== undefined && isElsewhere(machine);
  return isFar && timeZone !== undefined && isTimeZone(timeZone) ? timeZone : machineZone();
}
