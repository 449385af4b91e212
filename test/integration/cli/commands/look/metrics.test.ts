import assert from 'node:assert/strict';
import { checkMetrics, startPrometheus } from '../../../../support/prometheus';
import { runCli, startCli } from '../../../../support/machine/cli';
import { until } from '../../../../support/until';
import { CliHarness, openWorkCli } from '../../cliHarness';
import { live, liveAnEvening, MINUTE_MS } from '../../lived';

let cli: CliHarness;

describe('metrics', () => {
  afterEach(() => cli.remove());

  it('prints the queue and its history in a form in which promtool finds no fault', async () => {
    cli = new CliHarness();
    await liveAnEvening(cli);
    const { code, out } = await cli.call('metrics');
    assert.equal(code, 0);
    assert.equal(checkMetrics(out), '');
    for (const line of [
      'claude_proxy_queue_size{priority="low"} 0',
      'claude_proxy_queue_tasks{status="completed"} 2',
      'claude_proxy_tasks_total{status="completed",priority="high"} 1',
      'claude_proxy_attempts_total{outcome="error",priority="high"} 1',
      'claude_proxy_task_duration_seconds_bucket{le="120",priority="high"} 1',
      'claude_proxy_sla_violations_total{priority="high"} 1',
      'claude_proxy_gate_open 1',
    ])
      assert.ok(out.split('\n').includes(line), `${line}\n${out}`);
  });

  it('counts from the start of the month, so that attempts that leave the history lower no counter', async () => {
    cli = new CliHarness();
    cli.now = Date.parse('2026-11-30T23:59:00Z');
    cli.write('1,high,.,First,pending,,,no,,0,3', '2,high,.,Second,pending,,,no,,0,3');
    await live(cli, { tookMs: MINUTE_MS / 2, priority: 'high' });
    const count = async (): Promise<string | undefined> =>
      /status="completed",priority="high"\} (\d+)/.exec((await cli.call('metrics')).out)?.[1];
    assert.equal(await count(), '1');
    await live(cli, { tookMs: MINUTE_MS, priority: 'high' });
    assert.equal(await count(), '1');
  });

  it('counts an attempt that started with a higher priority than that of its row', async () => {
    cli = await openWorkCli();
    cli.write('1,medium,.,Do it,pending,,,no,,0,3');
    await cli.call('status');
    await cli.call('hold');
    cli.now += 5 * 60 * MINUTE_MS;
    await cli.call('resume');
    await cli.call('work', '--until-empty');
    const { out } = await cli.call('metrics');
    assert.match(out, /^claude_proxy_starvation_promotions_total\{from="medium",to="high"\} 1$/m);
  });

  it('comes from the bundled program, with the library beside it', async () => {
    cli = new CliHarness();
    cli.write('1,high,.,First,pending,,,no,,0,3');
    const { code, stdout } = await runCli(['metrics'], { cwd: cli.workspace, env: cli.env });
    assert.equal(code, 0);
    assert.match(stdout, /^claude_proxy_queue_size\{priority="high"\} 1$/m);
  });
});

describe('work --metrics', () => {
  beforeEach(async () => {
    cli = await openWorkCli();
  });
  afterEach(() => cli.remove());

  it('is scraped by a real Prometheus while it works', async () => {
    cli.write('1,high,.,Do it,pending,,,no,,0,3');
    const worker = startCli(['work', '--metrics', '127.0.0.1:0'], { cwd: cli.workspace, env: cli.env });
    const line = await worker.waitForLine(/^Metrics: /);
    const url = new URL(line.replace('Metrics: ', ''));
    const prometheus = await startPrometheus(url.host);
    try {
      const tasks = await until('the end of the task was scraped', async () => {
        const found = await prometheus.query('claude_proxy_tasks_total{priority="high"}', 'status');
        return found['completed'] === '1' ? found : null;
      });
      assert.deepEqual(tasks, { completed: '1', review: '0', failed: '0', cancelled: '0' });
      assert.deepEqual(await prometheus.query('up', 'job'), { queue: '1' });
      assert.deepEqual(await prometheus.query('claude_proxy_workers', 'job'), { queue: '1' });
      assert.equal(
        (await prometheus.query('claude_proxy_task_duration_seconds_count', 'priority'))['high'],
        '1',
      );
    } finally {
      await prometheus.stop();
    }
    worker.kill('SIGINT');
    assert.equal((await worker.ended).code, 130);
    await assert.rejects(fetch(url));
  });

  it('refuses an address that other machines reach, unless that is asked for', async () => {
    const { code, err } = await cli.call('work', '--metrics', '0.0.0.0:9090');
    assert.equal(code, 64);
    assert.equal(
      err,
      'Other machines reach 0.0.0.0, and metrics have no password: give 127.0.0.1:9090, or add --metrics-public.',
    );
    const { out } = await cli.call('work', '--until-empty', '--metrics', '0.0.0.0:0', '--metrics-public');
    assert.match(out, /^Metrics: http:\/\/0\.0\.0\.0:\d+\/metrics$/m);
  });

  for (const address of ['9090x', 'example.com:9090', '127.0.0.1:65536', '127.0.0.1', '[::1:9090'])
    it(`refuses ${address}`, async () => {
      const { code, err } = await cli.call('work', '--metrics', address);
      assert.deepEqual([code, err.includes('is not an address to serve metrics at')], [64, true]);
    });
});
