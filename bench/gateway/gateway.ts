import { mkdir } from 'node:fs/promises';
import { programNames } from '../../scripts/distributed/settings.ts';
import { startDistributed } from '../../scripts/distributed/start.ts';
import type { Distributed, DistributedOptions, ServerUrls } from '../../scripts/distributed/start.ts';
import { startPostgres, startRedis } from '../../tests/support/servers.ts';
import type { Pids } from '../measure/cpu.ts';
import type { Options } from '../options.ts';
import { startBusServer } from '../support/nats.ts';
import { createUndo } from '../support/undo.ts';
import type { System } from '../system.ts';
import { nameProfiles, newProfileFolder } from './profiles.ts';

interface Form {
  /** A process for each service, or edge, chat-svc, image-svc and catalog-svc in one. */
  name?: 'gateway' | 'compact';
  environment?: Readonly<Record<string, string>>;
  /** Services beside those that a chat needs. */
  replicas?: DistributedOptions['replicas'];
}

/** The product as deployed: real servers, with keys, limits, logs and metrics on. */
export async function startGateway(
  upstreamPort: number,
  options: Options,
  { name = 'gateway', environment = {}, replicas = {} }: Form = {},
): Promise<System> {
  const undo = createUndo();
  try {
    const servers = await startServers(undo.add);
    const profiles = options.profile ? newProfileFolder() : undefined;
    if (profiles) await mkdir(profiles, { recursive: true });
    const gateway = await startDistributed({
      servers: servers.urls,
      // The services that a chat needs.
      replicas: { compact: name === 'compact' ? 1 : 0, 'image-svc': 0, 'console-svc': 0, 'mcp-svc': 0, ...replicas },
      environment: { ...environmentFor(upstreamPort), ...environment },
      // Not used; set so that no sandbox is started.
      sandboxUrl: `http://127.0.0.1:${upstreamPort}`,
      nodeArgs: profiles ? ['--cpu-prof', `--cpu-prof-dir=${profiles}`] : [],
      onDeath: (program, how) => console.error(`bench: ${program} ${how}`),
    });
    undo.add(gateway.stop);
    const pids = pidsOf(gateway);
    if (profiles) undo.finally(() => nameProfiles(profiles, pids));
    return {
      name,
      port: Number(new URL(gateway.baseUrl).port),
      model: options.model,
      // Repeated requests must not be answered from the cache, which is not measured here.
      headers: { authorization: `Bearer ${gateway.apiKey}`, 'x-no-cache': 'true' },
      pids: { ...pids, ...servers.busPids },
      besidePids: servers.besidePids,
      stop: undo.all,
    };
  } catch (error) {
    await undo.all();
    throw error;
  }
}

interface Servers {
  urls: ServerUrls;
  busPids: Pids;
  besidePids: Pids;
}

async function startServers(onStop: (stop: () => Promise<void>) => void): Promise<Servers> {
  const bus = await startBusServer();
  onStop(bus.stop);
  const redis = await startRedis();
  onStop(redis.stop);
  const postgres = await startPostgres();
  onStop(postgres.stop);
  return {
    urls: { NATS_URL: bus.url, REDIS_URL: redis.url, DATABASE_URL: postgres.url },
    busPids: bus.pids,
    besidePids: { ...(redis.pid && { redis: redis.pid }), ...(postgres.pid && { postgres: postgres.pid }) },
  };
}

/** Settings of the gateway that do not depend on how it is started. */
export function environmentFor(upstreamPort: number): Record<string, string> {
  return {
    OPENAI_API_KEY: 'bench',
    OPENAI_BASE_URL: `http://127.0.0.1:${upstreamPort}/v1`,
    SANDBOX: 'off',
    // A limit that is counted but never reached.
    LIMIT_CHAT_PER_MINUTE: '1000000000',
    // All requests are identical.
    CACHE_TTL_SECONDS: '0',
  };
}

function pidsOf(gateway: Distributed): Pids {
  return Object.fromEntries(programNames.flatMap((name) => gateway.pids(name).map((pid) => [name, pid] as const)));
}
