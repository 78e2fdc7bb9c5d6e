import { GatewayError } from '@tallyport/contracts';
import { expect, test } from 'vitest';
import { StreamBody, type StreamSource } from './stream-body.ts';

/** A source controlled by the test, which decides what the next `read` returns. */
function spokenSource() {
  const spoken: (() => Promise<Uint8Array | undefined>)[] = [];
  let wake = () => {};
  let cancelled = 0;
  const say = (read: () => Promise<Uint8Array | undefined>) => {
    spoken.push(read);
    wake();
  };
  const source: StreamSource = {
    async read() {
      while (spoken.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return spoken.shift()?.();
    },
    cancel: () => void (cancelled += 1),
  };
  return {
    source,
    say: (text: string) => say(async () => Buffer.from(text)),
    end: () => say(async () => undefined),
    fail: (error: unknown) => say(() => Promise.reject(error)),
    cancelled: () => cancelled,
  };
}

const textOf = async (body: StreamBody): Promise<string> => {
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts).toString();
};
const next = async (body: StreamBody): Promise<string> => Buffer.from((await body.next()).value ?? []).toString();

test('sends the bytes of the source, then [DONE]', async () => {
  const speaker = spokenSource();
  speaker.say('data: 1\n\n');
  speaker.say('data: 2\n\n');
  speaker.end();
  const text = await textOf(new StreamBody({ source: speaker.source, keepAliveMs: 1_000 }));
  expect(text).toBe('data: 1\n\ndata: 2\n\ndata: [DONE]\n\n');
});

test('sends an error event without [DONE] if the source fails', async () => {
  const speaker = spokenSource();
  speaker.say('data: 1\n\n');
  speaker.fail(new GatewayError('stream_truncated', 'It broke off.'));
  const text = await textOf(new StreamBody({ source: speaker.source, keepAliveMs: 1_000 }));
  expect(text).toBe(
    'data: 1\n\n' +
      'data: {"error":{"message":"It broke off.","type":"upstream_error","param":null,"code":"stream_truncated"}}\n\n',
  );
});

test('hides the details of an unknown error', async () => {
  const speaker = spokenSource();
  speaker.fail(new TypeError('secret'));
  const text = await textOf(new StreamBody({ source: speaker.source, keepAliveMs: 1_000 }));
  expect(text).toContain('"code":"internal_error"');
  expect(text).not.toContain('secret');
});

test('fills silence with comments, without losing anything', async () => {
  const speaker = spokenSource();
  const body = new StreamBody({ source: speaker.source, keepAliveMs: 5 });
  expect([await next(body), await next(body)]).toEqual([': keep-alive\n\n', ': keep-alive\n\n']);
  speaker.say('data: 1\n\n');
  speaker.end();
  expect((await textOf(body)).replaceAll(': keep-alive\n\n', '')).toBe('data: 1\n\ndata: [DONE]\n\n');
});

test('keeps what arrives between two reads', async () => {
  const speaker = spokenSource();
  const body = new StreamBody({ source: speaker.source, keepAliveMs: 5 });
  expect(await next(body)).toBe(': keep-alive\n\n');
  speaker.say('data: late\n\n');
  await new Promise((resolve) => setImmediate(resolve));
  expect(await next(body)).toBe('data: late\n\n');
  await body.return();
});

test('can be cancelled while it waits', async () => {
  const speaker = spokenSource();
  const body = new StreamBody({ source: speaker.source, keepAliveMs: 1_000 });
  const waiting = body.next();
  await body.return();
  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(speaker.cancelled()).toBe(1);
  expect(await body.next()).toEqual({ done: true, value: undefined });
});
