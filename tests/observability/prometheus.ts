import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { z } from 'zod';
import { freePort, waitUntil } from '../support/probe.ts';
import { testProgram } from '../support/test-programs.ts';
import { ruleFiles } from './files.ts';

export interface Prometheus {
  /** Evaluates an expression; throws if it is invalid. */
  query(expr: string): Promise<readonly Sample[]>;
  /** Rules that could not be evaluated, with the reason. */
  failingRules(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

interface Sample {
  labels: Readonly<Record<string, string>>;
  value: number;
}

const querySchema = z.object({
  data: z.object({
    result: z.array(z.object({ metric: z.record(z.string(), z.string()), value: z.tuple([z.number(), z.string()]) })),
  }),
});
const rulesSchema = z.object({
  data: z.object({
    groups: z.array(
      z.object({
        rules: z.array(z.object({ name: z.string(), health: z.string(), lastError: z.string().optional() })),
      }),
    ),
  }),
});

interface PrometheusOptions {
  /** Admin URLs by job. */
  targets: Readonly<Record<string, readonly string[]>>;
  rules?: readonly string[];
}

/** Starts a real Prometheus with our rules that scrapes every second. */
export async function startPrometheus({ targets, rules = ruleFiles }: PrometheusOptions): Promise<Prometheus> {
  const prometheus = await testProgram('prometheus');
  const directory = await mkdtemp(join(tmpdir(), 'tallyport-prometheus-'));
  const file = join(directory, 'prometheus.yml');
  await writeFile(file, configOf(targets, rules));
  const url = `127.0.0.1:${await freePort()}`;
  const child = spawn(
    prometheus,
    [`--config.file=${file}`, `--storage.tsdb.path=${directory}/data`, `--web.listen-address=${url}`],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4_000)));
  const stop = async (): Promise<void> => {
    await end(child);
    await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  };
  const answers = () =>
    fetch(`http://${url}/-/ready`).then(
      ({ status }) => status === 200,
      () => false,
    );
  try {
    await waitUntil('Prometheus to be ready', answers, { everyMs: 100 });
  } catch (error) {
    await stop();
    throw new Error(output, { cause: error });
  }
  return { ...queriesAt(`http://${url}/api/v1`), stop };
}

function queriesAt(api: string): Pick<Prometheus, 'query' | 'failingRules'> {
  return {
    async query(expr) {
      const body = new URLSearchParams({ query: expr });
      const response = await fetch(`${api}/query`, { method: 'POST', body });
      if (response.status !== 200) throw new Error(`${expr}: ${await response.text()}`);
      const { data } = querySchema.parse(await response.json());
      return data.result.map(({ metric, value: [, value] }) => ({ labels: metric, value: Number(value) }));
    },
    async failingRules() {
      const { data } = rulesSchema.parse(await (await fetch(`${api}/rules`)).json());
      const all = data.groups.flatMap(({ rules }) => rules);
      return all.flatMap(({ name, health, lastError }) => (health === 'err' ? [`${name}: ${lastError}`] : []));
    },
  };
}

const configOf = (targets: PrometheusOptions['targets'], rules: readonly string[]): string =>
  stringify({
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: rules,
    scrape_configs: Object.entries(targets).map(([job_name, urls]) => ({
      job_name,
      static_configs: [{ targets: urls.map((url) => new URL(url).host) }],
    })),
  });

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
