import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GatewayError, noTokens } from '@tallyport/contracts';
import { offerOf } from '@tallyport/contracts/testing';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { copiesOfRequest } from './copies-of-request.ts';
import { type ChatBench, sharedModelEntry, startChatBench } from './testing/chat-bench.ts';

const limit = 3 * 1024 * 1024;
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

let bench: ChatBench;
let pictures: Server;
let base: string;
/** Responses of the image server that are held back. */
const withheld: (() => void)[] = [];

beforeAll(async () => {
  pictures = createServer((request, response) => {
    const { searchParams, pathname } = new URL(request.url ?? '/', 'http://pictures');
    const image = Buffer.concat([png, Buffer.alloc(Number(searchParams.get('bytes')) - png.length)]);
    const declared = pathname === '/declared' ? { 'content-length': String(image.length) } : {};
    response.writeHead(200, declared).write(image.subarray(0, -1));
    const end = () => response.end(image.subarray(-1));
    if (searchParams.get('wait') === null) end();
    else withheld.push(end);
  });
  await new Promise<void>((resolve) => pictures.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(pictures.address() as AddressInfo).port}`;
  bench = await startChatBench({
    environment: (simulator) => ({
      OLLAMA_BASE_URL: simulator.baseUrl('ollama'),
      ALLOW_LOCAL_TARGETS: 'true',
      CHAT_MAX_INFLIGHT_BYTES: String(limit),
    }),
    catalogue: {
      version: '1',
      models: [
        sharedModelEntry({
          inputModalities: ['text', 'image'],
          offers: [offerOf('ollama', { modelName: 'llama3.2', vision: true })],
        }),
      ],
    },
  });
});
afterEach(() => {
  letGo();
  bench.simulator.reset();
});
afterAll(async () => {
  pictures.closeAllConnections();
  pictures.close();
  await bench.close();
});

function letGo(): void {
  for (const answer of withheld.splice(0)) answer();
}

const held = async (): Promise<number> => Number(/^gateway_chat_bytes_held (\S+)$/m.exec(await bench.metrics())?.[1]);

const saying = (content: unknown) => ({ model: 'shared', messages: [{ role: 'user', content }] });
const showing = (url: string) => saying([{ type: 'image_url', image_url: { url } }]);
const overloaded = expect.objectContaining({ code: 'overloaded', status: 529 });

/** A body of exactly this many bytes. */
function bodyOf(bytes: number): Buffer {
  const empty = JSON.stringify(saying('')).length;
  return Buffer.from(JSON.stringify(saying('x'.repeat(bytes - empty))));
}

/**
 * A chat whose image does not arrive before `letGo`. Together with its body it holds all but `free` bytes of the limit.
 */
async function holdAllBut(free: number): Promise<{ answer: ReturnType<ChatBench['ask']> }> {
  const url = (bytes: number) => `${base}/declared?wait&bytes=${String(bytes).padStart(8, '0')}`;
  const body = JSON.stringify(showing(url(0))).length;
  const wanted = limit - free - copiesOfRequest * body;
  // Whole base64 quads, three times.
  expect(wanted % (4 * copiesOfRequest)).toBe(0);
  const answer = bench.ask(showing(url(wanted / 4)));
  await expect.poll(held).toBe(limit - free);
  return { answer };
}

test('counts bodies: one that fills the limit is served, and one byte more is refused before anything is paid', async () => {
  const free = spare(copiesOfRequest * 1_000);
  const { answer } = await holdAllBut(free);
  const fits = Math.floor(free / copiesOfRequest);
  expect(await bench.ask(bodyOf(fits))).toMatchObject({ status: 200 });
  const { error, status } = await bench.ask(bodyOf(fits + 1));
  expect({ error, status }).toEqual({ error: overloaded, status: 529 });
  expect(error?.message).toContain('CHAT_MAX_INFLIGHT_BYTES');
  expect(bench.simulator.requests).toHaveLength(1);
  letGo();
  expect(await answer).toMatchObject({ status: 200 });
  expect(await held()).toBe(0);
});

/** The first amount, from `least` on, that leaves whole base64 quads for an image. */
function spare(least: number): number {
  const body = JSON.stringify(showing(`${base}/declared?wait&bytes=00000000`)).length;
  const over = (limit - least - copiesOfRequest * body) % (4 * copiesOfRequest);
  return least + over;
}

test.each(['/declared', '/streamed'])('counts an image behind a URL before it is read: %s', async (path) => {
  const { answer } = await holdAllBut(spare(300_000));
  const large = await bench.ask(showing(`${base}${path}?bytes=200000`));
  expect(large).toMatchObject({ status: 529, error: { code: 'overloaded' } });
  expect(await bench.ask(showing(`${base}${path}?bytes=60000`))).toMatchObject({ status: 200 });
  expect(bench.simulator.requests).toHaveLength(1);
  letGo();
  expect(await answer).toMatchObject({ status: 200 });
  expect(await held()).toBe(0);
});

test('counts a stored conversation that a short body continues', async () => {
  const principal = { accountId: 'account', keyId: 'key' };
  const respond = (members: object) => bench.inApi('responses', { model: 'shared', ...members }, { principal });
  const first = await respond({ input: 'x'.repeat(100_000) });
  const { id } = JSON.parse(first.text);
  const { answer } = await holdAllBut(spare(200_000));
  const continued = { input: 'Go on.', previous_response_id: id };
  expect(await respond(continued)).toMatchObject({ status: 529 });
  expect(await respond({ input: 'Begin.' })).toMatchObject({ status: 200 });
  letGo();
  await answer;
  expect(await respond(continued)).toMatchObject({ status: 200 });
  expect(await held()).toBe(0);
});

test('a refusal for lack of memory costs nothing and does not count against the provider', async () => {
  const { answer } = await holdAllBut(spare(300_000));
  const principal = { accountId: 'refused', keyId: 'key' };
  const records = () => bench.usage.filter(({ accountId }) => accountId === 'refused');
  expect(await bench.ask(showing(`${base}/declared?bytes=200000`), { principal })).toMatchObject({ status: 529 });
  letGo();
  await answer;
  // If one replica refuses a request, another one is tried.
  const refused = expect.objectContaining({
    endReason: 'error',
    cost: '0',
    tokens: noTokens,
    attempts: [expect.objectContaining({ provider: 'ollama', status: null, error: 'gateway_internal' })],
  });
  await expect.poll(records).toEqual([refused, refused]);
  expect(await bench.ask(saying('Still there?'))).toMatchObject({ status: 200 });
});

test('accepts a single request of any size, and frees the bytes of a client that leaves', async () => {
  const controller = new AbortController();
  const left = bench.ask(showing(`${base}/declared?wait&bytes=5000000`), { signal: controller.signal });
  await expect.poll(held).toBeGreaterThan(limit);
  controller.abort(new GatewayError('client_closed_request', 'The client closed the connection.'));
  await left;
  await expect.poll(held).toBe(0);
  expect(await bench.ask(bodyOf(limit))).toMatchObject({ status: 200 });
});

test('streams hold their bytes until they end; refused and invalid requests hold none', async () => {
  const opening = bench.open({ ...showing(`${base}/declared?wait&bytes=30000`), stream: true });
  await expect.poll(held).toBeGreaterThan(copiesOfRequest * 40_000);
  letGo();
  const { head, body } = await opening;
  expect(head.status).toBe(200);
  await body.bytes();
  expect(await held()).toBe(0);
  expect(await bench.ask(Buffer.from('{'))).toMatchObject({ status: 400 });
  expect(await bench.ask({ ...saying('x'), model: 'none' })).toMatchObject({ status: 404 });
  expect(await held()).toBe(0);
});
