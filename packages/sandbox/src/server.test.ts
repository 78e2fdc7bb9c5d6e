import { createConnection } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startSandbox } from './sandbox.ts';
import type { Simulator } from './simulation.ts';
import { ask, dataOf } from './testing/raw-client.ts';
import { patient } from '../../../tests/support/patience.ts';

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSandbox({
    chunksPerSecond: 100,
    maxBodyBytes: 2_000,
    maxRecorded: 5,
    maxRecordedBodyBytes: 1_000,
  });
});
afterAll(() => simulator.close());
beforeEach(() => simulator.reset());

const url = (path = '/sandbox-a/v1/chat/completions') => simulator.url + path;
const chat = { model: 'sandbox-chat', messages: [{ role: 'user', content: 'Hi [words:100]' }] };

test('streams at the set pace', async () => {
  const result = await ask({
    url: url(),
    body: { ...chat, messages: [{ role: 'user', content: '[words:20]' }], stream: true },
  });
  const events = dataOf(result.text).length;
  expect(events).toBe(23);
  expect(result.endMs).toBeGreaterThanOrEqual(200);
});

test('does not pace the fast model', async () => {
  const result = await ask({
    url: url('/sandbox-a/v1/chat/completions'),
    body: { ...chat, model: 'sandbox-fast', messages: [{ role: 'user', content: '[words:500]' }], stream: true },
  });
  // At the usual pace it would take five seconds.
  expect(result.endMs).toBeLessThan(patient(3_000));
});

test('records what it received and how it ended', async () => {
  await ask({
    url: url('/sandbox-b/v1/chat/completions'),
    body: { ...chat, model: 'sandbox-chat' },
    headers: { authorization: 'Bearer x' },
  });
  const received = await simulator.waitFor(({ requests }) => requests.find(({ outcome }) => outcome !== 'open'));
  expect(received).toMatchObject({
    provider: 'sandbox-b',
    method: 'POST',
    path: '/sandbox-b/v1/chat/completions',
    model: 'sandbox-chat',
    status: 200,
    outcome: 'answered',
    headers: { authorization: 'Bearer x' },
    body: JSON.stringify({ ...chat, model: 'sandbox-chat' }),
  });
  expect(received.bodyBytes).toBe(received.body.length);
});

test('detects at once that a client disconnected mid-stream', async () => {
  await ask({ url: url(), body: { ...chat, stream: true }, leaveAfterBytes: 600 });
  const left = Date.now();
  const [received] = await simulator.waitFor(({ aborted }) => aborted.length > 0 && aborted);
  expect(received).toMatchObject({ outcome: 'aborted', status: 200 });
  expect((received?.endedAt ?? 0) - left).toBeLessThan(patient(3_000));
  expect(received?.bodyBytesSent).toBeLessThan(5_000);
  await simulator.waitFor(({ connections }) => connections.open === 0);
});

test('detects a client that disconnects while it uploads', async () => {
  const socket = createConnection(Number(new URL(simulator.url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write('POST /sandbox-a/v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"mod');
  await simulator.waitFor(({ requests }) => requests.length === 1);
  socket.destroy();
  const [received] = await simulator.waitFor(({ aborted }) => aborted.length > 0 && aborted);
  expect(received).toMatchObject({ outcome: 'aborted', bodyBytes: 0 });
});

test('records a cut as broken, not as aborted', async () => {
  await ask({ url: url(), body: { ...chat, stream: true }, headers: { 'x-sim-fault': 'cut:10' } });
  const received = await simulator.waitFor(({ requests }) => requests.find(({ outcome }) => outcome !== 'open'));
  expect(received).toMatchObject({ outcome: 'broken', bodyBytesSent: 10 });
});

test('keeps the newest requests, and bodies up to the limit', async () => {
  for (const size of [1, 2, 3, 4, 5, 1_500]) await ask({ url: url(), body: 'x'.repeat(size) });
  expect(simulator.requests.map(({ body, bodyBytes }) => [body.length, bodyBytes])).toEqual([
    [2, 2],
    [3, 3],
    [4, 4],
    [5, 5],
    [1_000, 1_500],
  ]);
});

test.each([
  [2_000, 400],
  [2_001, 413],
])('answers a body of %i bytes with %i', async (size, status) => {
  const result = await ask({ url: url(), body: 'x'.repeat(size) });
  expect([result.status, JSON.parse(result.text).error.type]).toEqual([status, 'invalid_request_error']);
});

test.each([
  ['GET', '/sandbox-a/v1/chat/completions', 405],
  ['POST', '/sandbox-a/v1/models', 405],
  ['POST', '/sandbox-a/v1/nothing', 404],
  ['GET', '/sandbox-x/v1/models', 404],
  ['GET', '/sandbox-a/v1/models/%zz', 404],
])('answers %s %s with %i', async (method, path, status) => {
  const result = await ask({ url: url(path), method });
  expect([result.status, JSON.parse(result.text)]).toEqual([
    status,
    {
      error: {
        message: expect.any(String),
        type: 'invalid_request_error',
        param: null,
        code:
          status === 404 && path.startsWith('/sandbox-a/v1/models')
            ? 'model_not_found'
            : status === 405
              ? 'method_not_supported'
              : null,
      },
    },
  ]);
});

test('answers an unknown fault with 400', async () => {
  const result = await ask({ url: url(), body: chat, headers: { 'x-sim-fault': 'nonsense' } });
  expect([result.status, JSON.parse(result.text).error]).toMatchObject([
    400,
    { param: 'x-sim-fault', code: 'invalid_fault' },
  ]);
});

test('reports received requests if waitFor times out', async () => {
  await ask({ url: url('/sandbox-a/v1/models'), method: 'GET' });
  await expect(simulator.waitFor(() => false, 20)).rejects.toThrow(
    /^Not seen within 20 ms\. .*GET \/sandbox-a\/v1\/models/,
  );
});

test('ends open answers when closed', async () => {
  const other = await startSandbox();
  const asked = ask({
    url: `${other.url}/sandbox-a/v1/chat/completions`,
    body: chat,
    headers: { 'x-sim-fault': 'hang' },
  });
  await other.waitFor(({ requests }) => requests[0]?.bodyBytes);
  await other.close();
  expect(await asked).toMatchObject({ ending: 'reset' });
  await expect(fetch(other.url)).rejects.toThrow();
});
