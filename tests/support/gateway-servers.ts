import { createTestDatabase } from '@tallyport/database/testing';
import type { ServerUrls } from '../../scripts/distributed/settings.ts';
import { startNats, startRedis, type TestServer } from './servers.ts';

export interface GatewayServers {
  urls: ServerUrls;
  nats: TestServer;
  redis: TestServer;
  stop(): Promise<void>;
}

/**
 * What a gateway of several processes needs: a private NATS and Redis, and an empty database. On the shared NATS it
 * would answer the requests of other gateways that run at the same time.
 */
export async function startGatewayServers(): Promise<GatewayServers> {
  const [nats, redis, database] = await Promise.all([
    startNats(),
    startRedis(),
    createTestDatabase(process.env['TEST_DATABASE_URL'] ?? ''),
  ]);
  return {
    urls: { NATS_URL: nats.url, REDIS_URL: redis.url, DATABASE_URL: database.url },
    nats,
    redis,
    async stop() {
      await Promise.all([nats.stop(), redis.stop(), database.drop()]);
    },
  };
}
