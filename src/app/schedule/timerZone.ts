import type { Timer } from '../../domain/queue/missingWorker';
import { isTimeZone } from '../../domain/time/localTime';
import { machineZone } from '../../platform/clock';
import { isElsewhere } from '../../platform/processes/machine';

/** Returns the zone of the clock that a timer follows: a queue in Redis may have it from another machine. */
export function timerZone(timer: Pick<Timer, 'machine' | 'timeZone'> | null): string {
  const { machine, timeZone } = timer ?? {};
  const isFar = machine !== undefined && isElsewhere(machine);
  return isFar && timeZone !== undefined && isTimeZone(timeZone) ? timeZone : machineZone();
}
