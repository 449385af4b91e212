import { isAtLeast } from '../../claude/installation/versions';
import type { ServerFacts } from '../../queue/sharedQueue';
import type { QueueContext } from '../context/queueContext';
import type { Checked } from './checked';

/** Oldest version of Redis that has the commands and was tested. */
const OLDEST_REDIS = '7.0.0';

/** Checks whether the queue's Redis could lose tasks. */
export async function checkRedis(queueContext: QueueContext): Promise<Checked[]> {
  if (queueContext.redis === null) return [];
  const { name: where } = queueContext.redis;
  const queue = await queueContext.openShared();
  try {
    return judgeServer(await queue.readServer()).map((found) => ({ where, ...found }));
  } finally {
    await queue.close();
  }
}

type Found = Omit<Checked, 'where'>;

/** Returns what is known about a server, and what to set. */
export function judgeServer(facts: ServerFacts): Found[] {
  return [judgeVersion(facts), judgeEviction(facts), PERSISTENCE[facts.persistence ?? 'unknown']];
}

function judgeVersion({ name, version }: ServerFacts): Found {
  if (version === null) return { state: 'note', message: 'The user may not ask for the version of Redis.' };
  if (!isAtLeast(version, OLDEST_REDIS))
    return { state: 'problem', message: `${name} is too old. Use Redis 7.0 or newer.` };
  return name.startsWith('Redis ')
    ? { state: 'fine', message: `${name}.` }
    : { state: 'note', message: `${name} is untested. Only Redis was tested.` };
}

function judgeEviction({ evictionPolicy: policy }: ServerFacts): Found {
  if (policy === null) return { state: 'note', message: 'The user may not ask whether Redis removes keys.' };
  return policy === 'noeviction'
    ? { state: 'fine', message: 'Redis removes no keys when its memory is full.' }
    : {
        state: 'problem',
        message: `When its memory is full, Redis removes keys (${policy}): tasks could be lost. Set maxmemory-policy to noeviction.`,
      };
}

const SET_AOF = 'Set appendonly to yes, and appendfsync to always or everysec.';

const PERSISTENCE: Readonly<Record<NonNullable<ServerFacts['persistence']> | 'unknown', Found>> = {
  always: { state: 'fine', message: 'Redis writes each change to its disk before it answers.' },
  everysec: {
    state: 'note',
    message:
      'Redis writes to its disk once a second: a crash can lose the last one. Set appendfsync to always to lose nothing.',
  },
  'by-the-system': {
    state: 'problem',
    message: `Redis leaves it to the system when to write to the disk: a crash can lose tasks. ${SET_AOF}`,
  },
  snapshots: {
    state: 'problem',
    message: `Redis writes to its disk from time to time: a restart can lose tasks. ${SET_AOF}`,
  },
  never: {
    state: 'problem',
    message: `Redis writes nothing to its disk: a restart loses the queue. ${SET_AOF}`,
  },
  unknown: { state: 'note', message: 'The user may not ask whether Redis writes to its disk.' },
};
