import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase, sql } from '@tallyport/database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Distributed, startDistributed } from '../../scripts/distributed/start.ts';
import { forgetfulRouting } from '../../packages/serving/src/upstreams/testing/index.ts';
import { startNats, startPostgres, startRedis, type TestServer } from '../support/servers.ts';

// Long: it fills the disk of NATS.
// About: packages/bus/src, packages/serving/src/metering/spill.

describe('the gateway, while the disk of NATS is full', () => {
  let servers: { nats: TestServer; redis: TestServer; postgres: TestServer };
  let running: Distributed;
  let database: Database;
  let spill: string;

  beforeAll(async () => {
    // With custom arguments NATS is a local process, whose file size can be limited.
    const starting = [startNats({ args: ['--logtime=true'] }), startRedis(), startPostgres()] as const;
    const [nats, redis, postgres] = await Promise.all(starting);
    servers = { nats, redis, postgres };
    spill = await mkdtemp(join(tmpdir(), 'tallyport-spill-'));
    running = await startDistributed({
      servers: { NATS_URL: nats.url, REDIS_URL: redis.url, DATABASE_URL: postgres.url },
      replicas: { 'console-svc': 0, 'mcp-svc': 0, 'image-svc': 0 },
      environment: { ...forgetfulRouting, USAGE_SPILL_DIR: spill },
    });
    database = await openDatabase({ url: postgres.url });
  });
  afterAll(async () => {
    await database?.close();
    await running?.stop();
    await Promise.all(Object.values(servers ?? {}).map((server) => server.stop()));
    await rm(spill, { recursive: true });
  });

  async function chat(mark: string): Promise<number> {
    const response = await fetch(`${running.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${running.apiKey}`,
        'content-type': 'application/json',
        'x-request-id': mark,
      },
      body: JSON.stringify({ model: 'sandbox-chat', messages: [{ role: 'user', content: mark }] }),
    });
    await response.text();
    return response.status;
  }

  async function marksInLedger(): Promise<string[]> {
    const { rows } = await sql<{ mark: string }>`select request_id as mark from usage_records`.execute(database.kysely);
    return rows.map(({ mark }) => mark).toSorted();
  }

  test('answers requests, keeps their records in files, and writes all of them to the ledger once NATS is back', async () => {
    const before = randomUUID();
    expect(await chat(before)).toBe(200);
    await expect.poll(marksInLedger).toEqual([before]);

    execFileSync('prlimit', ['--fsize=1000:', '--pid', String(servers.nats.pid)]);
    const during = Array.from({ length: 20 }, () => randomUUID());
    const statuses = await Promise.all(during.map(chat));
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    const files = async () => (await readdir(spill, { recursive: true })).filter((name) => name.endsWith('.ndjson'));
    await expect.poll(async () => (await files()).length).toBeGreaterThan(0);

    await servers.nats.restart();
    const after = randomUUID();
    await expect.poll(() => chat(after)).toBe(200);
    const all = [before, ...during, after].toSorted();
    const found = async () => [...new Set(await marksInLedger())];
    await expect.poll(found, { interval: 200 }).toEqual(all);
    expect(await marksInLedger()).toEqual(all);
  });
});
