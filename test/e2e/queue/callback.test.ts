import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { HookServer } from '../../support/machine/hookServer';
import { openPlace } from '../../support/queue/queuePlace';
import { text } from '../../support/claude/replies';
import { until } from '../../support/until';

/** At least 16 characters. */
const SECRET = 'a shared word, long enough';

interface Body {
  readonly status: string;
  readonly taskId: number;
  readonly attemptId: string;
  readonly requestId: string | null;
  readonly result: string | null;
}

describe('A web hook of a row', () => {
  let server: HookServer;
  beforeEach(async () => {
    server = await HookServer.open();
  });
  afterEach(() => server.close());

  it('gets the end of an attempt of the real Claude Code, signed, and again after a failed try and a kill', async () => {
    server.answer = (index) => ({ status: index === 0 ? 503 : 200 });
    const env = {
      CLAUDE_QUEUE_CALLBACK_ALLOW: '["127.0.0.1"]',
      CLAUDE_QUEUE_CALLBACK_SECRET: SECRET,
    };
    const { queue, api } = await openPlace({ respond: () => text('All is written.'), env });
    await queue.trust([
      { id: 1, prompt: 'Write it', callback_url: server.url(), request_id: 'order 7' },
      { id: 2, prompt: 'Nobody asks for this' },
    ]);
    const killed = queue.start('work');
    await until('the first try has come', () => server.received.length === 1);
    killed.kill('SIGKILL');
    await killed.ended;
    // The worker stays for the next try when nothing is left to run.
    await queue.run('work --until-empty');
    assert.equal(server.received.length, 2);

    const [first, second] = server.received.map(({ body, headers }) => ({
      body: JSON.parse(body) as Body,
      key: headers['idempotency-key'],
      headers,
    }));
    assert.ok(first && second);
    const { status, taskId, requestId, result } = second.body;
    assert.deepEqual([status, taskId, requestId, result], ['completed', 1, 'order 7', 'All is written.']);
    assert.deepEqual([first.key, first.body.attemptId], [second.key, second.body.attemptId]);
    const [received] = server.received;
    const signed = [received?.headers['webhook-id'], received?.headers['webhook-timestamp'], received?.body];
    const expected = createHmac('sha256', SECRET).update(signed.join('.')).digest('base64');
    assert.equal(received?.headers['webhook-signature'], `v1,${expected}`);
    assert.doesNotMatch(JSON.stringify(api.turns()), new RegExp(SECRET));
  });
});
