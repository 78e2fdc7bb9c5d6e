import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GatewayError } from '@tallyport/contracts';
import { offerOf } from '@tallyport/contracts/testing';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ChatBench, sharedModelEntry, startChatBench } from './testing/chat-bench.ts';

const limit = 8 * 1024 * 1024;
/** More than half of the limit, and far more than the link itself takes of an answer that is not read. */
const large = 6_000_000;

let bench: ChatBench;
let vendor: Server;
/** The ends of answers that are held back. */
const withheld: (() => void)[] = [];

/** The vendor's answer to `{"bytes": 100, "wait": true}` has a text of 100 bytes, and its end comes with `letGo`. */
function answer(response: ServerResponse, { bytes, wait }: { bytes: number; wait?: boolean }): void {
  const message = { role: 'assistant', content: 'x'.repeat(bytes) };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const text = JSON.stringify({ id: '1', object: 'chat.completion', created: 1, model: 'llama3.2', choices, usage });
  response.writeHead(200, { 'content-type': 'application/json' }).write(text.slice(0, -1));
  const end = () => response.end(text.slice(-1));
  if (wait === true) withheld.push(end);
  else end();
}

beforeAll(async () => {
  vendor = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { messages } = JSON.parse(Buffer.concat(pieces).toString());
      answer(response, JSON.parse(messages[0].content));
    });
  });
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve));
  bench = await startChatBench({
    environment: {
      OLLAMA_BASE_URL: `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`,
      CHAT_MAX_INFLIGHT_ANSWER_BYTES: String(limit),
    },
    catalogue: {
      version: '1',
      models: [sharedModelEntry({ offers: [offerOf('ollama', { modelName: 'llama3.2' })] })],
    },
  });
});
afterEach(async () => {
  letGo();
  await expect.poll(held).toBe(0);
});
afterAll(async () => {
  vendor.closeAllConnections();
  vendor.close();
  await bench.close();
});

function letGo(): void {
  for (const end of withheld.splice(0)) end();
}

const held = async (): Promise<number> =>
  Number(/^gateway_chat_answer_bytes_held (\S+)$/m.exec(await bench.metrics())?.[1]);
const asking = (question: object) => ({
  model: 'shared',
  max_tokens: 100,
  messages: [{ role: 'user', content: JSON.stringify(question) }],
});

test('counts an answer while it is read, and until it has been sent', async () => {
  const opening = bench.open(asking({ bytes: large, wait: true }));
  await expect.poll(held).toBeGreaterThan(large - 65_536);
  expect(await held()).toBeLessThan(large + 1_000);
  letGo();
  const { head, body } = await opening;
  const length = Number(head.headers['content-length']);
  expect(length).toBeGreaterThan(large);
  await expect.poll(held).toBe(length);
  expect(await body.bytes()).toHaveLength(length);
  expect(await held()).toBe(0);
});

test('while it is full, a large answer is read later, and small ones at once', async () => {
  const unread = await bench.open(asking({ bytes: large }));
  const later = bench.ask(asking({ bytes: large }));
  await expect.poll(held).toBeGreaterThan(large);
  expect(await bench.ask(asking({ bytes: 10 }))).toMatchObject({ status: 200 });
  expect(await Promise.race([later, bench.ask(asking({ bytes: 20 })).then(() => 'waits')])).toBe('waits');
  expect(await held()).toBeLessThanOrEqual(limit);
  await unread.body.bytes();
  expect(await later).toMatchObject({ status: 200 });
});

test.each(['in turn', 'at once'])('answers larger than the limit are all read: %s', async (order) => {
  const ask = (): Promise<number> => bench.ask(asking({ bytes: limit })).then(({ text }) => text.length);
  const lengths = [];
  if (order === 'at once') lengths.push(...(await Promise.all([ask(), ask(), ask(), ask()])));
  else for (let asked = 0; asked < 2; asked += 1) lengths.push(await ask());
  expect(Math.min(...lengths)).toBeGreaterThan(limit);
});

test('frees the bytes of clients that leave: while an answer waits, and while it is sent', async () => {
  const waiting = new AbortController();
  const reading = new AbortController();
  const unread = await bench.open(asking({ bytes: large }), { signal: reading.signal });
  const length = Number(unread.head.headers['content-length']);
  const later = bench.ask(asking({ bytes: large }), { signal: waiting.signal });
  await expect.poll(held).toBeGreaterThan(length);
  const left = new GatewayError('client_closed_request', 'The client closed the connection.');
  waiting.abort(left);
  expect(await later).toMatchObject({ error: { code: 'client_closed_request' } });
  await expect.poll(held).toBe(length);
  reading.abort(left);
  await expect.poll(held).toBe(0);
});

test('counts answers in other APIs until they have been sent', async () => {
  const answering = bench.inApi('messages', asking({ bytes: large, wait: true }));
  await expect.poll(held).toBeGreaterThan(large - 65_536);
  letGo();
  expect((await answering).text.length).toBeGreaterThan(large);
});
