import { afterAll, beforeAll, expect, test } from 'vitest';
import { privateKib } from '../../bench/measure/memory.ts';
import { type Distributed, startDistributed } from '../../scripts/distributed/start.ts';
import { type GatewayServers, startGatewayServers } from '../support/gateway-servers.ts';
import { wholly } from '../support/scale.ts';

// Long: it fills the memory.
// About: services/image-svc/src, packages/dispatch/src/images.

const megabyte = 1_000_000;
const answerBytes = 12 * megabyte;
const imageBytes = (answerBytes / 4) * 3;
const concurrency = 8;
/** Together larger than what may be held at the end. */
const images = wholly ? 50 : 25;

let servers: GatewayServers;
let running: Distributed;

beforeAll(async () => {
  servers = await startGatewayServers();
  running = await startDistributed({
    servers: servers.urls,
    replicas: { 'console-svc': 0, 'mcp-svc': 0 },
  });
});
afterAll(async () => {
  await running?.stop();
  await servers?.stop();
});

const ask = (path: string, body: object): Promise<Response> =>
  fetch(`${running.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${running.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Returns the status and the number of received bytes, without keeping them. */
async function generate(bytes: number): Promise<[number, number]> {
  const response = await ask('/v1/images/generations', { model: 'sandbox-image', prompt: `noise [bytes:${bytes}]` });
  let received = 0;
  for await (const chunk of response.body ?? []) received += chunk.length;
  return [response.status, received];
}

async function generateMany(total: number): Promise<[number, number][]> {
  const answers: [number, number][] = [];
  let left = total;
  const one = async () => {
    while (left-- > 0) answers.push(await generate(imageBytes));
  };
  await Promise.all(Array.from({ length: concurrency }, one));
  return answers;
}

const pids = () => ({ edge: running.pids('edge')[0] ?? 0, images: running.pids('image-svc')[0] ?? 0 });
const heldBytes = () => Object.values(privateKib(pids())).reduce((sum, kib) => sum + kib * 1024, 0);

function watch(): { stop(): number } {
  let peak = 0;
  const timer = setInterval(() => (peak = Math.max(peak, heldBytes())), 20);
  return {
    stop() {
      clearInterval(timer);
      return peak;
    },
  };
}

test('a 4K image of 24 MB passes', async () => {
  const [status, received] = await generate(18 * megabyte);
  expect(status).toBe(200);
  expect(received).toBeGreaterThan(24 * megabyte);
  expect(received).toBeLessThan(24 * megabyte + 2_000);
});

test('eight concurrent images of 12 MB use at most six times their bytes, and a chat streams during them', async () => {
  await generate(imageBytes);
  const idle = heldBytes();
  const watched = watch();
  const chat = ask('/v1/chat/completions', {
    model: 'sandbox-chat',
    stream: true,
    messages: [{ role: 'user', content: '[words:60]' }],
  });
  const answers = await generateMany(images);
  const peak = watched.stop();
  expect(answers.filter(([status, received]) => status === 200 && received > answerBytes)).toHaveLength(images);
  expect((await (await chat).text()).trimEnd().split('\n\n').at(-1)).toBe('data: [DONE]');
  expect(peak - idle).toBeLessThan(6 * answerBytes * concurrency);
  // All images have passed. The young generations and pages that the allocator keeps stay.
  await expect.poll(() => heldBytes() - idle).toBeLessThan(2 * answerBytes * concurrency);
});
