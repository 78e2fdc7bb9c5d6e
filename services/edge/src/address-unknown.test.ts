import { inProcessLink } from '@switchyard/bus';
import { createKit, createLog, createMetrics, readConfig } from '@switchyard/service-kit';
import { openStore } from '@switchyard/store';
import { expect, test } from 'vitest';
import { edgeConfig } from './config.ts';
import { edgeModule } from './module.ts';

/** What edge says while it starts. */
async function saidWith(environment: Record<string, string>): Promise<string[]> {
  const said: string[] = [];
  const destination = { write: (line: string) => void said.push((JSON.parse(line) as { message: string }).message) };
  const config = readConfig(edgeConfig, {
    environment: { PORT: '0', INTERNAL_SECRET: 'x'.repeat(32), ...environment },
  });
  const log = createLog({ service: 'edge', level: 'info', destination });
  const kit = createKit({ name: 'edge', config, log, metrics: createMetrics({ defaults: false }) });
  const [link, store] = [inProcessLink(), await openStore()];
  const edge = edgeModule(kit, { link, store, mcpUrls: () => [], authUrls: () => [] });
  await edge.start?.();
  await edge.stop?.(1_000);
  await Promise.all([link.close(), store.close()]);
  return said;
}

// Not a name of loopback, and yet nobody else can reach it.
const open = '127.0.0.2';

test.each([
  ['where others may come and it is not set', { HOST: open }, 1],
  ['not where it is set', { HOST: open, BASE_URL: 'https://gateway.example.com' }, 0],
  ['not on the own machine', { HOST: '127.0.0.1' }, 0],
])('an edge that starts asks for BASE_URL %s', async (_name, environment, times) => {
  const said = await saidWith(environment);
  expect(said.filter((message) => message.includes('BASE_URL is not set'))).toHaveLength(times);
});
