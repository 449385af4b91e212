import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { start } from './machine/processes';
import { until } from './until';

/** Where npm test unpacks them (scripts/tools/prometheus.mjs); else they are on the PATH. */
const UNPACKED = resolve(process.cwd(), '.vscode-test', 'prometheus');

function findTool(name: string): string {
  const unpacked = join(UNPACKED, name);
  return existsSync(unpacked) ? unpacked : name;
}

/** Returns the faults that promtool finds in metrics; empty: none. */
export function checkMetrics(text: string): string {
  const { status, stdout, stderr, error } = spawnSync(findTool('promtool'), ['check', 'metrics'], {
    input: text,
    encoding: 'utf8',
  });
  return status === 0 ? stderr : `exit ${String(status)}: ${error?.message ?? ''}${stdout}${stderr}`;
}

/** A Prometheus that scrapes one address. It ends with the test. */
export interface Prometheus {
  /** Returns the latest values that a query gives, by the value of one label. */
  query(text: string, label: string): Promise<Readonly<Record<string, string>>>;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

interface Answer {
  readonly data: {
    readonly result: readonly {
      readonly metric: Readonly<Record<string, string>>;
      readonly value: readonly [at: number, value: string];
    }[];
  };
}

/** Starts a Prometheus in a folder of its own and on a free port of the loopback. Resolves when it answers. */
export async function startPrometheus(target: string): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'claude-task-queue-prometheus-'));
  const config = join(folder, 'prometheus.yml');
  const scrape = { job_name: 'queue', scrape_interval: '500ms', static_configs: [{ targets: [target] }] };
  // JSON is YAML.
  writeFileSync(config, JSON.stringify({ scrape_configs: [scrape] }));
  const running = start(
    findTool('prometheus'),
    [`--config.file=${config}`, `--storage.tsdb.path=${folder}/data`, '--web.listen-address=127.0.0.1:0'],
    { cwd: folder, env: { HOME: folder } },
  );
  const line = await running.waitForLine(/msg="?Listening on"?.* address=127\.0\.0\.1:\d+/i);
  const [, port = ''] = /address=127\.0\.0\.1:(\d+)/.exec(line) ?? [];
  const ask = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${port}${path}`);
  await until('Prometheus is ready', async () => (await ask('/-/ready')).ok);
  return {
    query: async (text, label) => {
      const { data } = (await (
        await ask(`/api/v1/query?query=${encodeURIComponent(text)}`)
      ).json()) as Answer;
      return Object.fromEntries(data.result.map(({ metric, value }) => [metric[label] ?? '', value[1]]));
    },
    stop: async () => {
      running.kill('SIGTERM');
      await running.ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
