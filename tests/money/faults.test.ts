import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient, natsLink } from '@switchyard/bus';
import { authService, type UsageRecord } from '@switchyard/contracts';
import { sql } from '@switchyard/database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Line, readLedger, readSpent, readSums } from './books.ts';
import { type MoneySystem, newMark, startMoneySystem } from './system.ts';

/** About seventy records. */
const journalBytes = 65_536;
/** JetStream gives what was not acknowledged again after half a minute. */
const redelivered = { timeout: 55_000, interval: 250 };
const soon = { timeout: 30_000, interval: 100 };

describe('the books, while a part of what keeps them is away', () => {
  let system: MoneySystem;
  let odd: Server;

  beforeAll(async () => {
    odd = await startOddVendor();
    const baseUrl = `http://127.0.0.1:${(odd.address() as AddressInfo).port}/v1`;
    system = await startMoneySystem({
      environment: { JOURNAL_MAX_BYTES: String(journalBytes), ODD_API_KEY: 'a-key' },
      providers: { odd: { baseUrl } },
      models: { 'odd/free': { offers: { odd: { model: 'free' } } } },
    });
  }, 120_000);
  afterAll(async () => {
    await system?.stop();
    odd.close();
  }, 60_000);

  /** The status of one chat, which a fault of the books must not change. */
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
  const linesOf = async (mark: string): Promise<Line[]> =>
    (await readLedger(system)).filter((line) => line.mark === mark);

  /** Over all replicas. */
  async function metric(service: 'auth-svc' | 'chat-svc', sample: string): Promise<number> {
    const texts = await Promise.all(
      system.gateway.adminUrls[service].map((url) => fetch(`${url}/metrics`).then((answer) => answer.text())),
    );
    const values = texts.flatMap((text) => text.split('\n').filter((line) => line.startsWith(`${sample} `)));
    return values.reduce((sum, line) => sum + Number(line.slice(sample.length + 1)), 0);
  }

  test('an auth-svc killed after it wrote and before it said so: the record comes again and counts once', async () => {
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
    await gateway.kill('auth-svc');
    await servers.nats.restart();
    await gateway.restart('auth-svc');
    await expect.poll(() => metric('auth-svc', 'gateway_usage_records_total{result="repeated"}'), redelivered).toBe(1);
    expect(await linesOf(mark)).toHaveLength(1);
    const { records, days, hours } = await readSums(system);
    expect([days, hours]).toEqual([records, records]);
  }, 120_000);

  test('Postgres away until the journal is full: requests go on, records wait in files, and all of them come, once', async () => {
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
    await expect.poll(() => metric('auth-svc', 'gateway_usage_events_lag_seconds'), soon).toBeGreaterThan(3);
    await servers.postgres.restart();
    const found = async () => {
      const lines = await readLedger(system).catch(() => []);
      const got = lines.map(({ mark }) => mark).filter((mark) => marks.includes(mark));
      return {
        missing: marks.filter((mark) => !got.includes(mark)),
        twice: got.length - new Set(got).size,
        waiting: await metric('chat-svc', 'gateway_usage_spilled_bytes{service="chat-svc"}'),
        lost: await metric('chat-svc', 'gateway_usage_detours_total{result="lost"}'),
        aside: await metric('auth-svc', 'gateway_usage_records_total{result="aside"}'),
      };
    };
    await expect.poll(found, redelivered).toEqual({ missing: [], twice: 0, waiting: 0, lost: 0, aside: 0 });
    const { records, days, hours } = await readSums(system);
    expect([days, hours]).toEqual([records, records]);
  }, 120_000);

  test('a record that this version cannot read is kept as it is, and those after it are written', async () => {
    const link = await natsLink({ url: system.servers.nats.url, name: 'a newer chat-svc' });
    const record = { id: 'use_of_tomorrow', operation: 'video', frames: 25 };
    await createClient(link, authService).usage.append(record as unknown as UsageRecord);
    await link.close();
    const mark = newMark();
    expect(await chat(mark)).toBe(200);
    await expect.poll(() => linesOf(mark), soon).toHaveLength(1);
    const aside = await system.database.kysely.selectFrom('usage_aside').select('entry').execute();
    expect(aside.map(({ entry }) => JSON.parse(Buffer.from(entry).toString()))).toEqual([record]);
    expect(await metric('auth-svc', 'gateway_usage_records_total{result="aside"}')).toBe(1);
  }, 60_000);

  test('Redis that lost everything: what was spent of a budget is known from the ledger', async () => {
    const { servers, gateway } = system;
    await servers.redis.kill('SIGKILL');
    await servers.redis.restart();
    const health = () => fetch(`${gateway.baseUrl}/`).then(({ status }) => status);
    await expect.poll(health, soon).toBe(200);
    expect(await readSpent(system)).toBeUndefined();
    const mark = newMark();
    expect(await chat(mark)).toBe(200);
    await expect.poll(() => linesOf(mark), soon).toHaveLength(1);
    const { records } = await readSums(system);
    await expect.poll(() => readSpent(system), soon).toBe(Math.round(Number(records) * 1e9));
  }, 90_000);

  test('usage that cannot be true and has no price is bounded, has no cost, and says both', async () => {
    const mark = newMark();
    expect(await chat(mark, 'odd/free')).toBe(200);
    await expect.poll(() => linesOf(mark), soon).toHaveLength(1);
    expect((await linesOf(mark))[0]).toMatchObject({ prompt: 0, completion: 100_000_000, cost: null });
    const { rows } = await sql<{ flags: string[] }>`
      select flags from usage_records where request_id = ${mark}`.execute(system.database.kysely);
    expect(rows).toEqual([{ flags: ['unpriced', 'adjusted'] }]);
    const response = await fetch(`${system.gateway.baseUrl}/v1/usage`, {
      headers: { authorization: `Bearer ${system.gateway.apiKey}` },
    });
    const { today } = (await response.json()) as { today: { models: { model: string }[] } };
    expect(today.models.find(({ model }) => model === 'odd/free')).toMatchObject({
      requests: 1,
      unpriced: 1,
      cost: '0',
    });
    expect(await metric('chat-svc', 'gateway_usage_unpriced_total{provider="odd",model="odd/free"}')).toBe(1);
  }, 60_000);
});

/** A vendor of OpenAI's format that tells impossible figures. */
async function startOddVendor(): Promise<Server> {
  const answer = {
    id: 'chatcmpl-odd',
    object: 'chat.completion',
    created: 1,
    model: 'free',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: -5, completion_tokens: 1e15, total_tokens: 1e15 },
  };
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
