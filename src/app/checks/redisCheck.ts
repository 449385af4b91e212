import { isProblem } from '../../domain/problem';
import { formatDuration } from '../../domain/time/duration';
import type { EpochMs } from '../../domain/time/epoch';
import { isAtLeast } from '../../claude/installation/versions';
import type { ServerFacts } from '../../queue/sharedQueue';
import type { QueueContext } from '../context/queueContext';
import { describeError } from '../present/problems/problem';
import { inTerminal, type Checked } from './checked';
import { t } from '../../platform/text/translate';

/** Oldest version of Redis that has the commands and was tested. */
const OLDEST_REDIS = '7.0.0';

/** Difference of the clocks from which it is noted, and from which it is a problem, in ms. */
const NOTED_MS = 5_000;
const WRONG_MS = 60_000;

/** Checks whether the queue's Redis could lose tasks, and whether its clock agrees with this machine's. */
export async function checkRedis(queueContext: QueueContext): Promise<Checked[]> {
  if (queueContext.redis === null) return [];
  const { name: where, server } = queueContext.redis;
  const { username = 'default' } = server;
  const found = await judge(queueContext);
  return found.map(({ fix, ...one }) => ({ where, ...one, ...remedyFor(fix, username, queueContext) }));
}

async function judge(queueContext: QueueContext): Promise<Found[]> {
  try {
    const queue = await queueContext.openShared();
    try {
      const facts = await queue.readServer();
      return [...judgeServer(facts), judgeClock(facts.now, queueContext.host.clock.now())];
    } finally {
      await queue.close();
    }
  } catch (error) {
    if (!isRedisProblem(error)) throw error;
    return [{ state: 'problem', message: describeError(error), fix: 'other-server' }];
  }
}

/** Whether Redis does not answer, or refuses. */
export function isRedisProblem(error: unknown): boolean {
  return isProblem(error, 'redis-away') || isProblem(error, 'redis-refused');
}

/** Step that fixes a finding about a server: commands for it, or another one. */
type Fix = 'allow' | 'keep-keys' | 'always' | 'every-second' | 'clock' | 'other-server';

interface Found extends Pick<Checked, 'state' | 'message'> {
  readonly fix?: Fix;
}

const COMMANDS = {
  'keep-keys': 'CONFIG SET maxmemory-policy noeviction',
  always: 'CONFIG SET appendfsync always',
  'every-second': 'CONFIG SET appendonly yes appendfsync everysec',
} as const satisfies Partial<Record<Fix, string>>;

function remedyFor(
  fix: Fix | undefined,
  user: string,
  { paths }: Pick<QueueContext, 'paths'>,
): Pick<Checked, 'remedy'> {
  switch (fix) {
    case undefined:
      return {};
    case 'clock':
      return inTerminal(paths.workspace);
    case 'other-server':
      return { remedy: { kind: 'open-setting', name: 'claudeQueue.redis' } };
    case 'allow':
      return { remedy: { kind: 'copy-command', text: `ACL SETUSER ${user} +time +info +config|get` } };
    default:
      return { remedy: { kind: 'copy-command', text: COMMANDS[fix] } };
  }
}

/** Returns what is known about a server, and what to set. */
export function judgeServer(facts: ServerFacts): Found[] {
  const { persistence, refuses } = facts;
  const judged = [judgeVersion(facts), judgeEviction(facts), PERSISTENCE[persistence ?? 'unknown']];
  return refuses === null ? judged : [...judged, REFUSALS[refuses]];
}

/** Judges how far this machine's clock is from Redis's. `server`: null if the user may not ask for it. */
export function judgeClock(server: EpochMs | null, now: EpochMs): Found {
  if (server === null)
    return { state: 'note', message: t('The user may not ask for the time of Redis.'), fix: 'allow' };
  const aheadMs = now - server;
  const differenceMs = Math.abs(aheadMs);
  if (differenceMs < NOTED_MS)
    return { state: 'fine', message: t("This machine's clock agrees with that of Redis.") };
  const difference = formatDuration(differenceMs);
  const how =
    aheadMs > 0
      ? t("This machine's clock is {0} ahead of that of Redis.", difference)
      : t("This machine's clock is {0} behind that of Redis.", difference);
  return {
    state: differenceMs < WRONG_MS ? 'note' : 'problem',
    message: t("{0} Tasks start by Redis's clock. Correct the clock that is wrong.", how),
    fix: 'clock',
  };
}

function judgeVersion({ name, version }: ServerFacts): Found {
  if (version === null)
    return { state: 'note', message: t('The user may not ask for the version of Redis.'), fix: 'allow' };
  if (!isAtLeast(version, OLDEST_REDIS))
    return {
      state: 'problem',
      message: t('{0} is too old. Use Redis 7.0 or newer.', name),
      fix: 'other-server',
    };
  return name.startsWith('Redis ')
    ? { state: 'fine', message: `${name}.` }
    : {
        state: 'note',
        message: t('{0} is untested. Only Redis was tested.', name),
        fix: 'other-server',
      };
}

function judgeEviction({ evictionPolicy: policy }: ServerFacts): Found {
  if (policy === null)
    return { state: 'note', message: t('The user may not ask whether Redis removes keys.'), fix: 'allow' };
  return policy === 'noeviction'
    ? { state: 'fine', message: t('Redis removes no keys when its memory is full.') }
    : {
        state: 'problem',
        message: t(
          'When its memory is full, Redis removes keys ({0}): tasks could be lost. Set maxmemory-policy to noeviction.',
          policy,
        ),
        fix: 'keep-keys',
      };
}

const REFUSALS: Readonly<Record<NonNullable<ServerFacts['refuses']>, Found>> = {
  replica: {
    state: 'problem',
    message: t('This Redis is a replica, which accepts no changes. Give the address of its primary.'),
    fix: 'other-server',
  },
  full: {
    state: 'problem',
    message: t('The memory of Redis is full: it refuses changes. Free some, or set maxmemory higher.'),
  },
  disk: {
    state: 'problem',
    message: t(
      'Redis could not write to its disk the last time. It refuses changes, or a restart can lose tasks. Read its log.',
    ),
  },
};

const SET_AOF = t('Set appendonly to yes, and appendfsync to always or everysec.');

const PERSISTENCE: Readonly<Record<NonNullable<ServerFacts['persistence']> | 'unknown', Found>> = {
  always: { state: 'fine', message: t('Redis writes each change to its disk before it answers.') },
  everysec: {
    state: 'note',
    message: t(
      'Redis writes to its disk once a second: a crash can lose the last one. Set appendfsync to always to lose nothing.',
    ),
    fix: 'always',
  },
  'by-the-system': {
    state: 'problem',
    message: t(
      'Redis leaves it to the system when to write to the disk: a crash can lose tasks. {0}',
      SET_AOF,
    ),
    fix: 'every-second',
  },
  snapshots: {
    state: 'problem',
    message: t('Redis writes to its disk from time to time: a restart can lose tasks. {0}', SET_AOF),
    fix: 'every-second',
  },
  never: {
    state: 'problem',
    message: t('Redis writes nothing to its disk: a restart loses the queue. {0}', SET_AOF),
    fix: 'every-second',
  },
  unknown: {
    state: 'note',
    message: t('The user may not ask whether Redis writes to its disk.'),
    fix: 'allow',
  },
};
