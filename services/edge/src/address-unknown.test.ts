import { inProcessLink } from '@tallyport/bus';
import { createKit, createLog, createMetrics, readConfig } from '@tallyport/service-kit';
import { openStore } from '@tallyport/store';
import { expect, test } from 'vitest';
import { edgeConfig } from './config.ts';
import { edgeModule } from './module.ts';

/** The messages edge logs while it starts. */
async function startMessages(environment: Record<string, string>): Promise<string[]> {
  const messages: string[] = [];
  const destination = {
    write: (line: string) => void messages.push((JSON.parse(line) as { message: string }).message),
  };
  const config = readConfig(edgeConfig, {
    environment: { PORT: '0', INTERNAL_SECRET: 'x'.repeat(32), ...environment },
  });
  const log = createLog({ service: 'edge', level: 'info', destination });
  const kit = createKit({ name: 'edge', config, log, metrics: createMetrics({ defaults: false }) });
  const [link, store] = [inProcessLink(), await openStore()];
  const edge = edgeModule(kit, { link, store, consoleUrls: () => [] });
  await edge.start?.();
  await edge.stop?.(1_000);
  await Promise.all([link.close(), store.close()]);
  return messages;
}

// Not one of our loopback names, although no other machine can reach it.
const open = '127.0.0.2';

test.each([
  ['when other machines can connect and it is not set', { HOST: open }, 1],
  ['unless it is set', { HOST: open, BASE_URL: 'https://gateway.example.com' }, 0],
  ['unless it listens on loopback only', { HOST: '127.0.0.1' }, 0],
])('a starting edge warns about BASE_URL %s', async (_name, environment, times) => {
  const messages = await startMessages(environment);
  expect(messages.filter((message) => message.includes('BASE_URL is not set'))).toHaveLength(times);
});
