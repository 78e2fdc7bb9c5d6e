import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listeningPort } from '../support/port.ts';
import { createUpstream } from './server.ts';

const upstream = createUpstream();
let url = '';

beforeAll(async () => {
  upstream.server.listen(0, '127.0.0.1');
  await once(upstream.server, 'listening');
  url = `http://127.0.0.1:${listeningPort(upstream.server)}/v1/chat/completions`;
});

afterAll(() => void upstream.server.close());

const ask = (signal?: AbortSignal): Promise<Response> =>
  fetch(url, { method: 'POST', body: '{"model":"any"}', ...(signal && { signal }) });

/** The data of all events, in order. */
async function eventsOf(response: Response): Promise<string[]> {
  const text = await response.text();
  expect(text.endsWith('\n\n')).toBe(true);
  return text
    .slice(0, -2)
    .split('\n\n')
    .map((line) => line.slice('data: '.length));
}

test('an answer is a chat completion of about 1 KB with usage and both stamps', async () => {
  upstream.setMode({ kind: 'answer', delayMs: 20 });
  const body = await (await ask()).text();
  const { choices, usage } = JSON.parse(body);
  expect(usage).toEqual({ prompt_tokens: 200, completion_tokens: 200, total_tokens: 400 });
  const [received = 0, sent = 0] = [...choices[0].message.content.matchAll(/~t(\d{16})/g)].map(([, digits]) =>
    Number(digits),
  );
  expect(sent - received).toBeGreaterThanOrEqual(19_000);
  expect(body.length).toBeGreaterThan(900);
  expect(body.length).toBeLessThan(1_100);
});

test('a large answer has the configured size', async () => {
  upstream.setMode({ kind: 'large', bytes: 1_000_000 });
  const { choices } = JSON.parse(await (await ask()).text());
  expect(choices[0].message.content.length).toBe(1_000_000);
});

test.each([0, 1])(
  'a stream at an interval of %i ms has all its chunks, the end, usage and [DONE]',
  async (intervalMs) => {
    upstream.setMode({ kind: 'stream', chunks: 10, intervalMs });
    const events = await eventsOf(await ask());
    expect(events.filter((event) => event.includes('~t'))).toHaveLength(10);
    expect(events.at(-1)).toBe('[DONE]');
    const parsed = events.slice(0, -1).map((event) => JSON.parse(event));
    expect(parsed.at(-1).usage.total_tokens).toBe(400);
    expect(parsed.at(-2).choices[0].finish_reason).toBe('stop');
    expect(upstream.report()).toEqual({ kind: 'report', requests: 1, open: 0, leftAt: [] });
  },
);

test('reports a client that disconnects mid-stream', async () => {
  upstream.setMode({ kind: 'stream', chunks: 0, intervalMs: 1 });
  const leave = new AbortController();
  const response = await ask(leave.signal);
  expect(upstream.report().open).toBe(1);
  leave.abort();
  await expect(response.text()).rejects.toThrow();
  await expect.poll(() => upstream.report().open).toBe(0);
  expect(upstream.report().leftAt).toHaveLength(1);
});
