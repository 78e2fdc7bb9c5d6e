import { fileURLToPath } from 'node:url';
import { startSharedServers } from '../tests/support/servers.ts';
import type { SharedServers } from '../tests/support/servers.ts';
import { startDistributed } from './distributed/start.ts';
import type { Distributed, ServerUrls } from './distributed/start.ts';

/** Settings that differ per process. A value from the developer's environment would be the same for all of them. */
const perProcessSettings = new Set([
  'ADMIN_PORT',
  'CONSOLE_PORT',
  'CONSOLE_URL',
  'DATABASE_URL',
  'NATS_URL',
  'PORT',
  'REDIS_URL',
  'SANDBOX_BASE_URL',
]);

/** `npm run distributed`: runs every service as a separate process on real servers until Ctrl-C. */
async function main(interrupted: Promise<void>): Promise<void> {
  const { NATS_URL, REDIS_URL, DATABASE_URL, ...rest } = process.env;
  const given = { TEST_NATS_URL: NATS_URL, TEST_REDIS_URL: REDIS_URL, TEST_DATABASE_URL: DATABASE_URL };
  const servers = await startSharedServers({ ...rest, ...withoutEmpty(given) });
  try {
    await runOn(serverUrls(servers.environment), interrupted);
  } finally {
    await servers.stop();
  }
}

async function runOn(servers: ServerUrls, interrupted: Promise<void>): Promise<void> {
  const write = (name: string, line: string) => process.stdout.write(`${name.padEnd(12)} ${line}\n`);
  const { PORT, BOOTSTRAP_API_KEY, SANDBOX_BASE_URL } = withoutEmpty(process.env);
  const running = await startDistributed({
    servers,
    port: PORT === undefined ? undefined : Number(PORT),
    apiKey: BOOTSTRAP_API_KEY,
    sandboxUrl: SANDBOX_BASE_URL,
    environment: Object.fromEntries(Object.entries(process.env).filter(([name]) => !perProcessSettings.has(name))),
    directory: fileURLToPath(new URL('..', import.meta.url)),
    onLine: write,
    onDeath: (name, how) => write(name, `!!! ${how}`),
  });
  // The user already knows a key they set themselves: keep it out of terminals and logs.
  const apiKey = BOOTSTRAP_API_KEY === undefined ? running.apiKey : '$BOOTSTRAP_API_KEY';
  process.stdout.write(introduction({ ...running, apiKey }));
  await interrupted;
  await running.stop();
}

function withoutEmpty(environment: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value));
}

function serverUrls({ TEST_NATS_URL, TEST_REDIS_URL, TEST_DATABASE_URL }: SharedServers['environment']): ServerUrls {
  return { NATS_URL: TEST_NATS_URL, REDIS_URL: TEST_REDIS_URL, DATABASE_URL: TEST_DATABASE_URL };
}

function introduction({ baseUrl, apiKey }: Distributed): string {
  return `
Every service runs as its own process. Ctrl-C stops them all.

  URL      ${baseUrl}/v1
  API key  ${apiKey}

  curl -N ${baseUrl}/v1/chat/completions -H "authorization: Bearer ${apiKey}" -H 'content-type: application/json' \\
    -d '{"model":"sandbox-chat","stream":true,"messages":[{"role":"user","content":"Hello!"}]}'

`;
}

let stopping = false;
const interrupted = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // A second signal skips the drain: the children end with this process.
      if (stopping) process.exit(1);
      stopping = true;
      resolve();
    });
  }
});
await main(interrupted).catch((error: unknown) => {
  if (stopping) return;
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
