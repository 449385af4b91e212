import assert from 'node:assert/strict';
import {
  composeRedisAddress,
  completeServer,
  parseRedisAddress,
} from '../../../../src/app/context/redisAddress';
import { isProblem } from '../../../../src/domain/problem';

describe('The address of a queue in Redis', () => {
  it('has defaults for port, database and name of the queue', () => {
    const { server, queue, name } = parseRedisAddress('redis://localhost');
    assert.deepEqual(server, { host: 'localhost', port: 6379, db: 0 });
    assert.equal(queue, 'default');
    assert.equal(name, 'redis://localhost:6379/0?queue=default');
  });

  it('has a user, TLS, a database and the name of the queue', () => {
    const { server, queue } = parseRedisAddress('rediss://anna%40x@[::1]:7000/3?queue=team-1');
    assert.deepEqual(server, { host: '::1', port: 7000, db: 3, username: 'anna@x', tls: {} });
    assert.equal(queue, 'team-1');
  });

  it('names the same queue without its user, however it is written', () => {
    const [one, other] = ['redis://host', 'redis://anna@host:6379/0?queue=default'].map(parseRedisAddress);
    assert.equal(one?.name, other?.name);
  });

  for (const wrong of [
    'host:6379',
    'http://host',
    'redis://',
    'redis://host/zero',
    'redis://host?queue=a b',
    'redis://host?queue={x}',
    'redis://%zz@host',
  ]) {
    it(`is refused as ${wrong}`, () => {
      assert.throws(
        () => parseRedisAddress(wrong),
        (error) => isProblem(error, 'usage'),
      );
    });
  }

  for (const userinfo of ['anna:secret', ':secret', 'anna:1/secret', 'anna:a/secret', 'anna:a@secret']) {
    it(`is refused with a password as in ${userinfo}, and the message does not repeat it`, () => {
      assert.throws(
        () => parseRedisAddress(`redis://${userinfo}@host`),
        (error) => isProblem(error, 'usage') && !error.message.includes('secret'),
      );
    });
  }

  it('is refused with a password in it, and the message says where it belongs', () => {
    assert.throws(
      () => parseRedisAddress('redis://anna:secret@host'),
      (error) => isProblem(error, 'usage') && error.message.includes('0600'),
    );
  });

  it('is composed from the parts that a worker file has', () => {
    const address = composeRedisAddress({
      host: '::1',
      port: 7000,
      db: 2,
      tls: true,
      username: 'a b',
      queue: 'team',
    });
    assert.equal(address, 'rediss://a%20b@[::1]:7000/2?queue=team');
    for (const queue of ['team#1', 'team&more', 'team%2Done', 'a+b'])
      assert.throws(
        () => parseRedisAddress(composeRedisAddress({ queue })),
        /has other characters than/,
        queue,
      );
    assert.equal(parseRedisAddress(composeRedisAddress({})).name, 'redis://localhost:6379/0?queue=default');
  });
});

describe('A connection to Redis', () => {
  const local = parseRedisAddress('redis://127.0.0.1');
  const remote = parseRedisAddress('redis://redis.example');
  const encrypted = parseRedisAddress('rediss://redis.example');
  const password = { CLAUDE_QUEUE_REDIS_PASSWORD: 'secret' };

  it('on this machine may be plain', () => {
    assert.deepEqual(completeServer(local, {}, false), local.server);
  });

  it('to another machine is refused without encryption', () => {
    assert.throws(
      () => completeServer(remote, password, false),
      (error) => isProblem(error, 'redis-refused') && error.message.includes('rediss://'),
    );
  });

  it('to another machine is refused without a password', () => {
    assert.throws(
      () => completeServer(encrypted, {}, false),
      (error) => isProblem(error, 'redis-refused') && error.message.includes('password'),
    );
  });

  it('to another machine is made with encryption and password', () => {
    assert.deepEqual(completeServer(encrypted, password, false), { ...encrypted.server, password: 'secret' });
  });

  it('to another machine may be plain if the owner of this machine says so', () => {
    assert.deepEqual(completeServer(remote, {}, true), remote.server);
  });
});
