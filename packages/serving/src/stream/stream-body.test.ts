import { GatewayError } from '@tallyport/contracts';
import { type AnswerEvent, documentEvent } from '@tallyport/wire';
import { expect, test } from 'vitest';
import { openAiAnswerForm, type StreamForm } from './api-form.ts';
import { StreamBody, type StreamSource } from './stream-body.ts';

const form = openAiAnswerForm.stream();

/** A source controlled by the test, which decides what the next `read` returns. */
function spokenSource() {
  const spoken: (() => Promise<AnswerEvent[] | undefined>)[] = [];
  let wake = () => {};
  let cancelled = 0;
  const say = (read: () => Promise<AnswerEvent[] | undefined>) => {
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
    say: (...values: object[]) => say(async () => values.map((value) => documentEvent(undefined, value))),
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
  speaker.say({ a: 1 });
  speaker.say({ a: 2 });
  speaker.end();
  const text = await textOf(new StreamBody({ source: speaker.source, form, keepAliveMs: 1_000 }));
  expect(text).toBe('data: {"a":1}\n\ndata: {"a":2}\n\ndata: [DONE]\n\n');
});

test('sends an error event without [DONE] if the source fails', async () => {
  const speaker = spokenSource();
  speaker.say({ a: 1 });
  speaker.fail(new GatewayError('stream_truncated', 'It broke off.'));
  const text = await textOf(new StreamBody({ source: speaker.source, form, keepAliveMs: 1_000 }));
  expect(text).toBe(
    'data: {"a":1}\n\n' +
      'data: {"error":{"message":"It broke off.","type":"upstream_error","param":null,"code":"stream_truncated"}}\n\n',
  );
});

test('hides the details of an unknown error', async () => {
  const speaker = spokenSource();
  speaker.fail(new TypeError('secret'));
  const text = await textOf(new StreamBody({ source: speaker.source, form, keepAliveMs: 1_000 }));
  expect(text).toContain('"code":"internal_error"');
  expect(text).not.toContain('secret');
});

test('fills silence with comments, without losing anything', async () => {
  const speaker = spokenSource();
  const body = new StreamBody({ source: speaker.source, form, keepAliveMs: 5 });
  expect([await next(body), await next(body)]).toEqual([': keep-alive\n\n', ': keep-alive\n\n']);
  speaker.say({ a: 1 });
  speaker.end();
  expect((await textOf(body)).replaceAll(': keep-alive\n\n', '')).toBe('data: {"a":1}\n\ndata: [DONE]\n\n');
});

test.each([
  ['its end', undefined, 'data: [DONE]\n\n'],
  ['its error', new GatewayError('stream_truncated', 'It broke off.'), '"code":"stream_truncated"'],
])('a reader that comes between the end of the source and the record gets %s', async (_what, error, expected) => {
  const speaker = spokenSource();
  const recorded = Promise.withResolvers<void>();
  const isAsked = Promise.withResolvers<void>();
  const settled = (): Promise<void> => {
    isAsked.resolve();
    return recorded.promise;
  };
  const body = new StreamBody({ source: speaker.source, form, keepAliveMs: 5, settled });
  // From now on the source is read without a reader.
  expect(await next(body)).toBe(': keep-alive\n\n');
  if (error === undefined) speaker.end();
  else speaker.fail(error);
  await isAsked.promise;
  const last = next(body);
  recorded.resolve();
  expect(await last).toContain(expected);
  expect(await body.next()).toEqual({ done: true, value: undefined });
});

test('a reader that leaves between the end of the source and the record gets nothing more', async () => {
  const speaker = spokenSource();
  const recorded = Promise.withResolvers<void>();
  const body = new StreamBody({ source: speaker.source, form, keepAliveMs: 1_000, settled: () => recorded.promise });
  speaker.end();
  const last = body.next();
  await body.return();
  recorded.resolve();
  expect([await last, await body.next()]).toEqual(Array(2).fill({ done: true, value: undefined }));
});

test('keeps what arrives between two reads', async () => {
  const speaker = spokenSource();
  const body = new StreamBody({ source: speaker.source, form, keepAliveMs: 5 });
  expect(await next(body)).toBe(': keep-alive\n\n');
  speaker.say({ late: true });
  await new Promise((resolve) => setImmediate(resolve));
  expect(await next(body)).toBe('data: {"late":true}\n\n');
  await body.return();
});

test('can be cancelled while it waits', async () => {
  const speaker = spokenSource();
  const body = new StreamBody({ source: speaker.source, form, keepAliveMs: 1_000 });
  const waiting = body.next();
  await body.return();
  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(speaker.cancelled()).toBe(1);
  expect(await body.next()).toEqual({ done: true, value: undefined });
});

test('reads each event by itself, and nothing in silence, where events get ids', async () => {
  const speaker = spokenSource();
  const body = new StreamBody({ source: speaker.source, form, keepAliveMs: 5 }).eventByEvent();
  const first = next(body);
  // Pause: a silence in which a keep-alive would be sent.
  await new Promise((resolve) => setTimeout(resolve, 20));
  speaker.say({ a: 1 }, { a: 2 });
  speaker.end();
  expect([await first, await next(body), await next(body), (await body.next()).done]).toEqual([
    'data: {"a":1}\n\n',
    'data: {"a":2}\n\n',
    'data: [DONE]\n\n',
    true,
  ]);
});

test.each<[string, Partial<StreamForm>, string]>([
  [
    'events',
    {
      write: () => {
        throw new TypeError('a fault');
      },
    },
    '',
  ],
  ['the end', { end: () => Promise.reject(new TypeError('a fault')) }, 'data: {"a":1}\n\n'],
])('ends with an error if the form cannot write %s', async (_what, fault, before) => {
  const speaker = spokenSource();
  speaker.say({ a: 1 });
  speaker.end();
  const body = new StreamBody({ source: speaker.source, form: { ...form, ...fault }, keepAliveMs: 1_000 });
  expect(await textOf(body)).toMatch(
    new RegExp(`^${before.replaceAll(/[{}]/g, '\\$&')}data: {"error":.*internal_error`),
  );
  expect(body.failed).toBe(true);
});

test('reads on where the form leaves events out', async () => {
  const speaker = spokenSource();
  speaker.say({ a: 1 });
  speaker.say({ a: 2 });
  speaker.end();
  const write: StreamForm['write'] = (events) => form.write(events).filter((bytes) => bytes.includes('2'));
  const body = new StreamBody({ source: speaker.source, form: { ...form, write }, keepAliveMs: 1_000 });
  expect(await textOf(body)).toContain('data: [DONE]');
  expect(body.failed).toBe(false);
});
