import OpenAI from 'openai';
import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../gateway/in-process.ts';

/** Tests background responses with the OpenAI SDK through the whole gateway. */
let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ LIMIT_CONCURRENT_REQUESTS: '2', CACHE_TTL_SECONDS: '0' });
});
afterAll(() => gateway.stop());

const model = 'sandbox-chat';
const client = () => new OpenAI({ baseURL: `${gateway.baseUrl}/v1`, apiKey: gateway.apiKey, maxRetries: 0 });
const responses = () => client().responses;
const waiting = { interval: 20 };
const ended = async (id: string) => {
  await expect.poll(async () => (await responses().retrieve(id)).status, waiting).not.toMatch(/queued|in_progress/);
  return responses().retrieve(id);
};
const outcome = (pending: Promise<unknown>) => pending.then(() => 'done').catch((error: unknown) => error);

test('a response is made in the background, polled and continued', async () => {
  const queued = await responses().create({ model, input: 'One', background: true });
  expect(queued).toMatchObject({ status: 'queued', background: true, output_text: '' });
  const response = await ended(queued.id);
  expect(response).toMatchObject({ id: queued.id, status: 'completed', background: true });
  expect(response.output_text).toContain('simulated answer');
  const next = await responses().create({ model, input: 'Two', previous_response_id: queued.id });
  expect(next.status).toBe('completed');
});

test('a stream that was left is resumed from the event after the last one, and goes on until its end', async () => {
  const input = '[words:40]';
  const stream = await responses().create({ model, input, background: true, stream: true });
  const seen: ResponseStreamEvent[] = [];
  for await (const event of stream) {
    seen.push(event);
    if (event.type === 'response.output_text.delta') break;
  }
  const [created] = seen;
  if (created?.type !== 'response.created') throw new TypeError('The first event is not response.created.');
  const last = seen.at(-1)!.sequence_number;
  const rest = await responses().retrieve(created.response.id, { stream: true, starting_after: last });
  for await (const event of rest) seen.push(event);
  expect(seen.map(({ sequence_number: number }) => number)).toEqual(seen.map((_event, index) => index));
  const end = seen.at(-1)!;
  if (end.type !== 'response.completed') throw new TypeError(`The last event is ${end.type}.`);
  const text = seen.flatMap((event) => (event.type === 'response.output_text.delta' ? [event.delta] : [])).join('');
  const response = await responses().retrieve(created.response.id);
  expect(end.response).toMatchObject({ id: response.id, status: 'completed', output: response.output });
  expect(text).toBe(response.output_text);
});

test('a response is cancelled, and stays so', async () => {
  const id = await beginSlow();
  expect(await responses().cancel(id)).toMatchObject({ id, status: 'cancelled', output: [] });
  expect(await responses().retrieve(id)).toMatchObject({ status: 'cancelled' });
  expect(await responses().cancel(id)).toMatchObject({ id, status: 'cancelled' });
  await responses().delete(id);
  expect(await outcome(responses().retrieve(id))).toMatchObject({ status: 404 });
});

/** Begins a response that takes long, and leaves its stream. */
async function beginSlow(): Promise<string> {
  const stream = await responses().create({ model, input: '[words:2000]', background: true, stream: true });
  for await (const event of stream) if (event.type === 'response.in_progress') return event.response.id;
  throw new TypeError('It was not begun.');
}

test('responses count as concurrent requests until they end, also without their clients', async () => {
  const ids = [await beginSlow(), await beginSlow()];
  const chat = () => client().chat.completions.create({ model, messages: [{ role: 'user', content: 'Hello' }] });
  const full = { status: 429, message: expect.stringContaining('requests at once') };
  await expect.poll(() => outcome(chat()), waiting).toMatchObject(full);
  for (const id of ids) await responses().cancel(id);
  await expect.poll(() => outcome(chat()), waiting).toBe('done');
});
