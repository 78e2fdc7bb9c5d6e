// Pause: a client waits before it sends a request again.
import { setTimeout as pause } from 'node:timers/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from '@tallyport/database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey, operator } from '../../services/auth-svc/src/keys/create-key.ts';
import { asks } from '../../services/chat-svc/src/testing/realtime-client.ts';
import { connectSocket } from '../../services/edge/src/testing/socket-client.ts';
import { runsOf } from '../support/scale.ts';
import { newMark } from './mark.ts';
import { type MoneySystem, startMoneySystem } from './system.ts';

// Long: it kills replicas at random moments.
// About: packages/serving/src/metering, packages/limits/src/refusals, services/batch-svc/src/work.

const model = 'sandbox-chat';
const atVendors = ['gpt-6-luna', 'claude-opus-4-8', 'gemini-3.6-flash'];

let system: MoneySystem;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tallyport-recorded-'));
  system = await startMoneySystem({
    replicas: { 'chat-svc': 3, 'batch-svc': 1 },
    environment: { FILES_DIR: folder },
  });
  const { key } = await createKey(system.database, operator, { name: 'admin', admin: true });
  const asAdmin = { authorization: `Bearer ${key}` };
  const { id: project } = await call('POST', '/api/v1/projects', { name: 'Trials' }, asAdmin);
  const shadow = { model, percent: 100, project };
  await call('PUT', '/api/v1/routes/watched', { targets: [{ model }], shadow }, asAdmin);
});
afterAll(async () => {
  await system?.stop();
  await rm(folder, { recursive: true });
});

const headers = () => ({ authorization: `Bearer ${system.gateway.apiKey}`, 'content-type': 'application/json' });

async function call(method: string, path: string, body: object, more: object = {}): Promise<Record<string, string>> {
  const options = { method, headers: { ...headers(), ...more }, body: JSON.stringify(body) };
  const response = await fetch(system.gateway.baseUrl + path, options);
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
  return JSON.parse(text) as Record<string, string>;
}

/** Sends a request until it is answered, as clients with an Idempotency-Key do. */
async function persist(path: string, body: object, key: string): Promise<Record<string, string>> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call('POST', path, body, { 'idempotency-key': key });
    } catch (error) {
      if (tries === 40) throw error;
      await pause(250);
    }
  }
}

const chatOf = (mark: string, asked: object = {}) => ({ model, messages: [{ role: 'user', content: mark }], ...asked });
const endsWithin = <Result>(asking: Promise<Result>): Promise<Result | undefined> => asking.catch(() => undefined);

async function askOnSocket(path: string, event: object, last: string): Promise<void> {
  const socket = await connectSocket(system.gateway.baseUrl, path, { key: system.gateway.apiKey });
  socket.send(event);
  await socket.until(last).finally(() => socket.webSocket.terminate());
}

async function endBatch(mark: string): Promise<void> {
  const line = (asked: string, at: number) =>
    JSON.stringify({
      custom_id: `${asked}-${at}`,
      method: 'POST',
      url: '/v1/chat/completions',
      body: { ...chatOf(`${mark} ${at}`), model: asked, max_tokens: 20 },
    });
  const lines = Array.from({ length: 20 }, (_, at) => [...atVendors, 'no-such-model'].map((asked) => line(asked, at)));
  const form = new FormData();
  form.append('purpose', 'batch');
  form.append('file', new File([lines.flat().join('\n')], 'in.jsonl'));
  const { authorization } = headers();
  const sent = await fetch(`${system.gateway.baseUrl}/v1/files`, {
    method: 'POST',
    headers: { authorization },
    body: form,
  });
  const { id: input } = (await sent.json()) as { id: string };
  const order = { input_file_id: input, endpoint: '/v1/chat/completions', completion_window: '24h' };
  const { id } = await persist('/v1/batches', order, mark);
  const status = async () => {
    const found = await fetch(`${system.gateway.baseUrl}/v1/batches/${String(id)}`, { headers: headers() });
    return ((await found.json()) as { status?: string }).status;
  };
  await expect.poll(status, { interval: 500 }).toBe('completed');
}

/** Everything that writes records. Those that a kill cuts off may fail; batches, and what is repeated, may not. */
const writers: Readonly<Record<string, (mark: string) => Promise<unknown>>> = {
  chat: (mark) => persist('/v1/chat/completions', chatOf(mark), mark),
  stream: (mark) => endsWithin(fetchStream(mark)),
  socket: (mark) =>
    endsWithin(askOnSocket('/v1/responses', { type: 'response.create', model, input: mark }, 'response.completed')),
  realtime: () => endsWithin(askOnSocket('/v1/realtime?model=gpt-realtime-2.1', asks, 'response.done')),
  background: (mark) => persist('/v1/responses', { model, input: mark, background: true }, mark),
  shadow: (mark) => persist('/v1/chat/completions', { ...chatOf(mark), model: 'watched' }, mark),
  refusal: (mark) => endsWithin(call('POST', '/v1/chat/completions', { ...chatOf(mark), model: 'no-such-model' })),
  batch: endBatch,
};

async function fetchStream(mark: string): Promise<void> {
  const body = JSON.stringify(chatOf(mark, { stream: true }));
  const options = { method: 'POST', headers: headers(), body };
  await (await fetch(`${system.gateway.baseUrl}/v1/chat/completions`, options)).text();
}

test(
  'no record has two times, however often chat-svc is killed between a record and its answer',
  { meta: { tries: runsOf(20) } },
  async () => {
    let isOver = false;
    const rounds = Array.from({ length: 3 }, () => Object.values(writers).map((write) => write(newMark()))).flat();
    const asked = Promise.all(rounds).finally(() => (isOver = true));
    for (let kills = 0; kills < runsOf(20) && !isOver; kills += 1) {
      const index = kills % 3;
      await system.gateway.kill('chat-svc', { index });
      await system.gateway.restart('chat-svc', { index });
    }
    await asked;
    const { kysely } = system.database;
    const kinds = await sql<{ kind: string }>`select distinct case when key_id like 'shadow%' then 'shadow'
        when end_reason = 'refused' then 'refused' when tier = 'batch' then 'batch' else operation end as kind
      from usage_records order by 1`.execute(kysely);
    expect(kinds.rows.map(({ kind }) => kind)).toEqual(['batch', 'chat', 'realtime', 'refused', 'shadow']);
    const doubled = await sql`select id, count(*) from usage_records group by id having count(*) > 1`.execute(kysely);
    expect(doubled.rows).toEqual([]);
    // Each line of a batch has one record, whether a vendor answered it or it was refused.
    const lines =
      await sql`select request_id from usage_records where request_id like 'batch%' and (tier = 'batch' or status >= 400)
      group by request_id having count(*) > 1`.execute(kysely);
    expect(lines.rows).toEqual([]);
  },
);
