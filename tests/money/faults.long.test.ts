import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '@tallyport/bus';
import { natsLink } from '@tallyport/bus/nats';
import { ledgerService, type UsageRecord } from '@tallyport/contracts';
import { sql } from '@tallyport/database';
import { connect } from 'nats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LedgerLine, readLedger, readSpent, readSums } from './books.ts';
import { newMark } from './mark.ts';
import { type MoneySystem, startMoneySystem } from './system.ts';

// Long: it stops servers and kills replicas under load.
// About: packages/serving/src/metering, services/ledger-svc/src/usage.

/** About seventy records. */
const journalBytes = 65_536;
/** JetStream redelivers unacknowledged entries after half a minute. */
const redelivered = { interval: 250 };
const soon = { interval: 100 };

describe('the books, while a part of the gateway is down', () => {
  let system: MoneySystem;
  let vendor: OddVendor;

  beforeAll(async () => {
    vendor = await startOddVendor();
    const baseUrl = `http://127.0.0.1:${(vendor.server.address() as AddressInfo).port}/v1`;
    system = await startMoneySystem({
      environment: { JOURNAL_MAX_BYTES: String(journalBytes), ODD_API_KEY: 'a-key' },
      providers: { odd: { baseUrl } },
      models: { 'odd/free': { maxOutput: 1_000, offers: { odd: { model: 'free' } } } },
    });
  });
  afterAll(async () => {
    await system?.stop();
    vendor?.server.close();
  });

  /** The status of one chat, which must not depend on the books. */
  async function chat(mark: string, model = 'sandbox-chat'): Promise<number> {
    const response = await fetch(`${system.gateway.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${system.gateway.apiKey}`,
        'content-type': 'application/json',
        'x-request-id': mark,
      },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: mark }] }),
    });
    await response.text();
    return response.status;
  }
  const linesOf = async (mark: string): Promise<LedgerLine[]> =>
    (await readLedger(system)).filter((line) => line.mark === mark);

  /** The entry of the model without a price in `GET /v1/usage`. */
  async function unpricedToday(): Promise<{ model: string; requests: number } | undefined> {
    const response = await fetch(`${system.gateway.baseUrl}/v1/usage`, {
      headers: { authorization: `Bearer ${system.gateway.apiKey}` },
    });
    const { today } = (await response.json()) as { today: { models: { model: string; requests: number }[] } };
    return today.models.find(({ model }) => model === 'odd/free');
  }

  /** The sum over all replicas. */
  async function metric(service: 'ledger-svc' | 'chat-svc', sample: string): Promise<number> {
    const texts = await Promise.all(
      system.gateway.adminUrls[service].map((url) => fetch(`${url}/metrics`).then((answer) => answer.text())),
    );
    const values = texts.flatMap((text) => text.split('\n').filter((line) => line.startsWith(`${sample} `)));
    return values.reduce((sum, line) => sum + Number(line.slice(sample.length + 1)), 0);
  }

  test('ledger-svc is killed between writing and acknowledging a record: it is redelivered and counted once', async () => {
    const { gateway, servers, database } = system;
    const mark = newMark();
    const transaction = await database.kysely.startTransaction().execute();
    await sql`lock table usage_records in share mode`.execute(transaction);
    expect(await chat(mark)).toBe(200);
    const waiting = () =>
      sql<object>`select 1 from pg_locks where not granted and relation = 'usage_records'::regclass`.execute(
        database.kysely,
      );
    await expect.poll(async () => (await waiting()).rows.length, soon).toBe(1);
    await servers.nats.kill('SIGKILL');
    await transaction.rollback().execute();
    await expect.poll(() => linesOf(mark), soon).toHaveLength(1);
    await gateway.kill('ledger-svc');
    await servers.nats.restart();
    await gateway.restart('ledger-svc');
    await expect
      .poll(() => metric('ledger-svc', 'gateway_usage_records_total{result="repeated"}'), redelivered)
      .toBe(1);
    expect(await linesOf(mark)).toHaveLength(1);
    const { records, days, hours } = await readSums(system);
    expect([days, hours]).toEqual([records, records]);
  });

  test('the journal loses a record that it has stored: the record is sent again and counted once', async () => {
    const { gateway, servers } = system;
    const mark = newMark();
    await gateway.kill('ledger-svc');
    expect(await chat(mark)).toBe(200);
    const connection = await connect({ servers: servers.nats.url });
    const { streams } = await connection.jetstreamManager();
    const waiting = async () => (await streams.info('tallyport-journal')).state.messages;
    await expect.poll(waiting, soon).toBeGreaterThan(0);
    await streams.purge('tallyport-journal');
    await connection.close();
    await gateway.restart('ledger-svc');
    await expect.poll(() => linesOf(mark), redelivered).toHaveLength(1);
    expect(await metric('chat-svc', 'gateway_usage_detours_total{result="repeated"}')).toBeGreaterThan(0);
    const { records, days, hours } = await readSums(system);
    expect([days, hours]).toEqual([records, records]);
  });

  test('NATS is killed between the provider answer and the record: the record is written once', async () => {
    const { servers } = system;
    const mark = newMark();
    const detours = async () => {
      const counts = ['spilled', 'held'].map((result) =>
        metric('chat-svc', `gateway_usage_detours_total{result="${result}"}`),
      );
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    };
    const before = await detours();
    vendor.hold();
    const answered = chat(mark, 'odd/free').catch(() => 0);
    await expect.poll(() => vendor.held(), soon).toBe(1);
    await servers.nats.kill('SIGKILL');
    vendor.release();
    await expect.poll(detours, soon).toBeGreaterThan(before);
    await servers.nats.restart();
    await answered;
    await expect.poll(() => linesOf(mark), redelivered).toHaveLength(1);
    await expect.poll(() => metric('chat-svc', 'gateway_usage_spilled_bytes{service="chat-svc"}'), soon).toBe(0);
    const next = newMark();
    await expect.poll(() => chat(next), soon).toBe(200);
    await expect.poll(() => linesOf(next), redelivered).toHaveLength(1);
    expect(await linesOf(mark)).toHaveLength(1);
  });

  test('Postgres is down until the journal is full: requests work, records wait in files, and each is written once', async () => {
    const { servers } = system;
    const marks = [newMark()];
    expect(await chat(marks[0] ?? '')).toBe(200);
    await expect.poll(() => linesOf(marks[0] ?? ''), soon).toHaveLength(1);
    await servers.postgres.kill('SIGKILL');
    const statuses = new Set<number>();
    while ((await metric('chat-svc', 'gateway_usage_detours_total{result="spilled"}')) < 20 && marks.length < 2_000) {
      const more = Array.from({ length: 10 }, newMark);
      marks.push(...more);
      for (const status of await Promise.all(more.map((mark) => chat(mark)))) statuses.add(status);
    }
    expect([...statuses]).toEqual([200]);
    expect(await metric('chat-svc', 'gateway_usage_spilled_bytes{service="chat-svc"}')).toBeGreaterThan(0);
    await expect.poll(() => metric('ledger-svc', 'gateway_usage_events_lag_seconds'), soon).toBeGreaterThan(3);
    await servers.postgres.restart();
    const found = async () => {
      const lines = await readLedger(system).catch(() => []);
      const got = lines.map(({ mark }) => mark).filter((mark) => marks.includes(mark));
      return {
        missing: marks.filter((mark) => !got.includes(mark)),
        twice: got.length - new Set(got).size,
        waiting: await metric('chat-svc', 'gateway_usage_spilled_bytes{service="chat-svc"}'),
        lost: await metric('chat-svc', 'gateway_usage_detours_total{result="lost"}'),
        aside: await metric('ledger-svc', 'gateway_usage_records_total{result="aside"}'),
      };
    };
    await expect.poll(found, redelivered).toEqual({ missing: [], twice: 0, waiting: 0, lost: 0, aside: 0 });
    const { records, days, hours } = await readSums(system);
    expect([days, hours]).toEqual([records, records]);
  });

  test('keeps a record of a newer version unchanged and writes those after it', async () => {
    const link = await natsLink({ url: system.servers.nats.url, name: 'a newer chat-svc' });
    const record = { id: 'use_of_tomorrow', operation: 'video', frames: 25 };
    await createClient(link, ledgerService).usage.append(record as unknown as UsageRecord);
    await link.close();
    const mark = newMark();
    expect(await chat(mark)).toBe(200);
    await expect.poll(() => linesOf(mark), soon).toHaveLength(1);
    const aside = await system.database.kysely.selectFrom('usage_aside').select('entry').execute();
    expect(aside.map(({ entry }) => JSON.parse(Buffer.from(entry).toString()))).toEqual([record]);
    expect(await metric('ledger-svc', 'gateway_usage_records_total{result="aside"}')).toBe(1);
  });

  test('Redis loses its data: the spent budget is restored from the ledger', async () => {
    const { servers, gateway } = system;
    // Neither Redis nor the replicas know the spent amount.
    await servers.redis.kill('SIGKILL');
    for (const index of [0, 1]) await gateway.kill('chat-svc', { index });
    await servers.redis.restart();
    for (const index of [0, 1]) await gateway.restart('chat-svc', { index });
    const health = () => fetch(`${gateway.baseUrl}/`).then(({ status }) => status);
    await expect.poll(health, soon).toBe(200);
    expect(await readSpent(system)).toBeUndefined();
    const mark = newMark();
    expect(await chat(mark)).toBe(200);
    await expect.poll(() => linesOf(mark), soon).toHaveLength(1);
    const { records } = await readSums(system);
    await expect.poll(() => readSpent(system), soon).toBe(Math.round(Number(records) * 1e9));
  });

  test('bounds impossible usage, leaves it without a cost if it has no price, and flags both', async () => {
    const mark = newMark();
    const earlier = (await unpricedToday())?.requests ?? 0;
    expect(await chat(mark, 'odd/free')).toBe(200);
    await expect.poll(() => linesOf(mark), soon).toHaveLength(1);
    expect((await linesOf(mark))[0]).toMatchObject({ counts: { input: 5, output: 1_000 }, cost: null });
    const { rows } = await sql<{ flags: string[] }>`
      select flags from usage_records where request_id = ${mark}`.execute(system.database.kysely);
    expect(rows).toEqual([{ flags: ['unpriced', 'adjusted'] }]);
    const requests = earlier + 1;
    expect(await unpricedToday()).toMatchObject({ requests, unpriced: requests, cost: '0' });
    expect(await metric('chat-svc', 'gateway_usage_unpriced_total{provider="odd",model="odd/free"}')).toBe(1);
  });
});

/** A vendor in OpenAI's format that reports impossible usage and can hold back its answers. */
interface OddVendor {
  server: Server;
  hold(): void;
  held(): number;
  release(): void;
}

async function startOddVendor(): Promise<OddVendor> {
  let gate = Promise.withResolvers<void>();
  gate.resolve();
  /** A caller that leaves is no longer held: on a busy machine a request may move to another replica. */
  const held = new Set<ServerResponse>();
  const answer = {
    id: 'chatcmpl-odd',
    object: 'chat.completion',
    created: 1,
    model: 'free',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 5, completion_tokens: 1e15, total_tokens: 1e15 },
  };
  const server = createServer((request, response) => {
    request.resume().on('end', async () => {
      held.add(response);
      response.once('close', () => held.delete(response));
      await gate.promise;
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    server,
    hold: () => void (gate = Promise.withResolvers()),
    held: () => held.size,
    release: () => gate.resolve(),
  };
}
