import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Distributed, startDistributed } from '../../scripts/distributed/start.ts';
import { type GatewayServers, startGatewayServers } from '../support/gateway-servers.ts';

// Long: it kills replicas in the middle of streams.
// About: packages/serving/src/replay.

let servers: GatewayServers;
let running: Distributed;
let client: OpenAI;

beforeAll(async () => {
  servers = await startGatewayServers();
  running = await startDistributed({
    servers: servers.urls,
    replicas: { 'chat-svc': 3, 'image-svc': 0, 'console-svc': 0, 'mcp-svc': 0 },
  });
  client = new OpenAI({ baseURL: `${running.baseUrl}/v1`, apiKey: running.apiKey, maxRetries: 0 });
});
afterAll(async () => {
  await running?.stop();
  await servers?.stop();
});

const ask = (content: string, headers: Record<string, string> = {}, signal?: AbortSignal) =>
  fetch(`${running.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${running.apiKey}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'sandbox-fast', messages: [{ role: 'user', content }] }),
    ...(signal && { signal }),
  });
const cacheOf = ({ headers }: Response) => headers.get('x-tallyport-cache');
const idempotencyOf = ({ headers }: Response) => headers.get('x-tallyport-idempotency');
async function contentOf(response: Response): Promise<string | undefined> {
  const { choices } = (await response.json()) as { choices: { message: { content: string } }[] };
  return choices[0]?.message.content;
}

const control = (path: string, init?: RequestInit) =>
  fetch(`${running.sandboxUrl}/control/${path}`, { headers: { 'content-type': 'application/json' }, ...init });
const slowly = (times: number) =>
  control('faults', { method: 'POST', body: JSON.stringify({ fault: 'slow-first-byte:2000', times }) });
async function calls(): Promise<number> {
  const { requests } = (await (await control('requests')).json()) as { requests: unknown[] };
  return requests.length;
}

/** The number of provider calls during `work`. */
async function callsOf(work: () => Promise<void>): Promise<number> {
  const before = await calls();
  await work();
  return (await calls()) - before;
}

/** The index of the replica with a running chat; -1 if there is none. */
async function busyReplica(): Promise<number> {
  const texts = await Promise.all(
    running.adminUrls['chat-svc'].map((url) => fetch(`${url}/metrics`).then((response) => response.text())),
  );
  return texts.findIndex((text) => /^gateway_inflight_requests\{service="chat"\} [1-9]/m.test(text));
}

test('the SDK gets a stream from a cached plain answer, and vice versa', async () => {
  const question = (content: string) => ({ model: 'sandbox-fast', messages: [{ role: 'user' as const, content }] });
  const streamed = async (content: string) => {
    let text = '';
    for await (const chunk of await client.chat.completions.create({ ...question(content), stream: true })) {
      text += chunk.choices[0]?.delta.content ?? '';
    }
    return text;
  };
  const whole = async (content: string) =>
    (await client.chat.completions.create(question(content))).choices[0]?.message.content;
  const made = await callsOf(async () => {
    expect(await streamed('plain first')).toBe(await whole('plain first'));
    const first = await whole('stream first');
    // An answer is stored after it was sent. A plain request waits for that at any replica; a stream does not.
    expect(await whole('stream first')).toBe(first);
    expect(await streamed('stream first')).toBe(first);
  });
  expect(made).toBe(2);
});

test('a hundred equal requests over three replicas make one provider call', async () => {
  const made = await callsOf(async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask('all at once')));
    expect(answers.map(cacheOf).toSorted()).toEqual([...Array.from({ length: 99 }, () => 'HIT'), 'MISS']);
    expect(new Set(await Promise.all(answers.map(contentOf))).size).toBe(1);
  });
  expect(made).toBe(1);
});

test('when the replica of a shared call dies, all waiting requests are answered', async () => {
  await slowly(1);
  const answers = Array.from({ length: 30 }, () => ask('whose replica dies').then((response) => response.status));
  await expect.poll(busyReplica).toBeGreaterThanOrEqual(0);
  const dying = await busyReplica();
  await running.kill('chat-svc', { index: dying });
  const statuses = await Promise.all(answers);
  // Requests at the dead replica fail at once; requests that wait at others succeed.
  expect(new Set(statuses)).toEqual(new Set(statuses.includes(503) ? [200, 503] : [200]));
  expect(statuses).toContain(200);
  expect((await ask('whose replica dies')).status).toBe(200);
  await running.restart('chat-svc', { index: dying });
});

test('a retry gets the answer of an abandoned request from any replica', async () => {
  await slowly(1);
  const made = await callsOf(async () => {
    const headers = { 'idempotency-key': 'left' };
    const leaving = new AbortController();
    const left = ask('left alone', headers, leaving.signal).catch(() => undefined);
    await expect.poll(busyReplica).toBeGreaterThanOrEqual(0);
    leaving.abort();
    await left;
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => ask('left alone', headers)));
    expect(answers.map(idempotencyOf)).toEqual(answers.map(() => 'replayed'));
    expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1);
  });
  expect(made).toBe(1);
});

test('when the replica of a request dies, a retry makes a new call', async () => {
  await slowly(1);
  const headers = { 'idempotency-key': 'dies' };
  const first = ask('made twice', headers).then((response) => response.status);
  await expect.poll(busyReplica).toBeGreaterThanOrEqual(0);
  const dying = await busyReplica();
  await running.kill('chat-svc', { index: dying });
  expect(await first).toBe(503);
  const again = await ask('made twice', headers);
  expect([again.status, idempotencyOf(again)]).toEqual([200, 'new']);
  await running.restart('chat-svc', { index: dying });
});
