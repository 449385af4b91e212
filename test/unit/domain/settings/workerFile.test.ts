import assert from 'node:assert/strict';
import { describeWorkerProblem } from '../../../../src/app/present/problems/settingProblem';
import { readSettings } from '../../../../src/domain/settings/settings';
import { readWorkerFile } from '../../../../src/domain/settings/workerFile';
import { WORKER_VARIABLES } from '../../../../src/domain/settings/workerKeys';

/** Texts of the problems. */
function wrong(values: unknown, environment: Record<string, string> = {}): string[] {
  return readWorkerFile(values, environment).problems.map(describeWorkerProblem);
}

describe('A worker file', () => {
  it('says who the worker is, what it takes, and where its queue is', () => {
    const values = {
      worker: {
        id: 'worker-001',
        assigned_users: ['user:1', 'user:3'],
        steal_targets: ['user:2', ''],
        priorities: ['low', 'critical'],
        tags: ['web'],
        slots: '1-4',
        poll_interval_seconds: 1.0,
        task_timeout_seconds: 300,
      },
      redis: { host: 'localhost', port: 6379, db: 0, tls: true, username: 'worker', queue: 'team' },
    };
    const { file, problems } = readWorkerFile(values, {});
    assert.deepEqual(problems, []);
    assert.deepEqual(file, {
      worker: { ...values.worker, priorities: ['critical', 'low'], slots: { min: 1, max: 4 } },
      redis: values.redis,
    });
  });

  it('may say nothing', () => {
    for (const values of [{}, { worker: null, redis: {} }])
      assert.deepEqual(readWorkerFile(values, {}), { file: { worker: {}, redis: {} }, problems: [] });
  });

  it('is overridden by the environment, but not by an empty variable', () => {
    const values = { worker: { id: 'a', tags: ['web'], slots: 3 }, redis: { port: 1, tls: true } };
    const { file, problems } = readWorkerFile(values, {
      CLAUDE_QUEUE_WORKER_ID: 'b',
      CLAUDE_QUEUE_TAGS: '',
      CLAUDE_QUEUE_SLOTS: '2',
      CLAUDE_QUEUE_ASSIGNED_USERS: 'anna, ben',
      CLAUDE_QUEUE_POLL_INTERVAL_SECONDS: '2.5',
      CLAUDE_QUEUE_PRIORITIES: 'low,high',
      CLAUDE_QUEUE_REDIS_PORT: '6380',
      CLAUDE_QUEUE_REDIS_TLS: 'false',
    });
    assert.deepEqual(problems, []);
    assert.deepEqual(file, {
      worker: {
        id: 'b',
        assigned_users: ['anna', 'ben'],
        priorities: ['high', 'low'],
        tags: ['web'],
        slots: { min: 2, max: 2 },
        poll_interval_seconds: 2.5,
      },
      redis: { port: 6380, tls: false },
    });
  });

  it('with an unknown key or a wrong value is refused with what would be right', () => {
    assert.deepEqual(wrong('worker'), [
      'The worker file must be names with values, such as {"id": "worker-001"}; it is "worker".',
    ]);
    assert.deepEqual(wrong({ wroker: {}, worker: [] }), [
      'The worker file has no "wroker". It may have worker, redis.',
      'worker must be names with values, such as {"id": "worker-001"}; it is [].',
    ]);
    assert.match(
      wrong({ worker: { assignedUsers: [] } }).join(''),
      /^worker has no "assignedUsers"\. It may have id, assigned_users, steal_targets, /,
    );
    const reported = (key: string, value: unknown, section = 'worker'): string =>
      wrong({ [section]: { [key]: value } }).join('\n');
    assert.match(reported('id', 'a b'), /^worker\.id must be a name of up to 64 letters, .*; it is "a b"\.$/);
    assert.match(reported('assigned_users', 'anna'), /must be a list of users, such as \[anna, ben\]; it is/);
    assert.match(reported('assigned_users', [1]), /must be a list of users/);
    assert.match(reported('tags', []), /must be a list of tags/);
    assert.match(reported('priorities', ['urgent']), /must be a list of critical, high, medium, low/);
    assert.match(reported('slots', '4-1'), /must be a number of parallel tasks such as 2, or a range/);
    assert.match(reported('slots', 0), /it is 0\.$/);
    assert.match(reported('poll_interval_seconds', 0), /must be a number from 0\.1 to 3600; it is 0\.$/);
    assert.match(
      reported('task_timeout_seconds', '300'),
      /must be a number from 1 to 315360000; it is "300"/,
    );
    assert.match(reported('port', 65_536, 'redis'), /^redis\.port must be a whole number from 1 to 65535/);
    assert.match(reported('tls', 'yes', 'redis'), /^redis\.tls must be true or false; it is "yes"\.$/);
    assert.match(
      reported('host', 'redis://a', 'redis'),
      /^redis\.host must be the name or address of a host/,
    );
  });

  it('names a wrong variable', () => {
    assert.deepEqual(wrong({}, { CLAUDE_QUEUE_SLOTS: 'many', CLAUDE_QUEUE_REDIS_DB: '-1' }), [
      'CLAUDE_QUEUE_SLOTS must be a number of parallel tasks such as 2, or a range such as 1-4; it is "many".',
      'CLAUDE_QUEUE_REDIS_DB must be a whole number from 0 to 2147483647; it is "-1".',
    ]);
  });

  it('must not hold a password, which is not repeated', () => {
    const [message = '', ...others] = wrong({ redis: { password: 'sesame' } });
    assert.deepEqual(others, []);
    assert.match(
      message,
      /^redis\.password must not be in a file with settings\. Set the environment variable CLAUDE_QUEUE_REDIS_PASSWORD, or name a file with mode 0600 in CLAUDE_QUEUE_REDIS_PASSWORD_FILE\.$/,
    );
    assert.doesNotMatch(wrong({ redis: { hots: '' } }).join(''), /password/);
  });

  it('has variables that no setting is missing for', () => {
    assert.ok(WORKER_VARIABLES.includes('CLAUDE_QUEUE_STEAL_TARGETS'));
    const environment = Object.fromEntries(WORKER_VARIABLES.map((name) => [name, '1']));
    assert.deepEqual(readSettings([], environment).problems, []);
  });
});
