import { GatewayError, randomHex, type RequestHead } from '@tallyport/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { maxHeadBytes } from './bus-head.ts';
import type { ExchangeHandler, ExchangeResponse, Link } from './link.ts';
import { operationSubject } from './subject.ts';
import { patient } from '../../../tests/support/patience.ts';

export interface LinkPair {
  /** The link that sends requests. */
  client: Link;
  /** The link that answers them: the same one in-process, another connection with a broker. */
  server: Link;
  close(): Promise<void>;
}

const head = (over: Partial<RequestHead> = {}): RequestHead => ({
  requestId: 'r1',
  timeoutMs: 10_000,
  headers: {},
  ...over,
});
const bytes = (text: string): Uint8Array => Buffer.from(text);
const text = (data: Uint8Array): string => Buffer.from(data).toString();
const ok = { status: 200, headers: { 'content-type': 'text/plain' } };
const waitForAbort = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

/** The behaviour required of every link. */
export function linkSuite(name: string, open: () => Promise<LinkPair>): void {
  describe(name, () => {
    let pair: LinkPair;
    /** Suites of several files share a server. */
    const prefix = `suite-${randomHex()}-`;
    let counter = 0;
    beforeAll(async () => {
      pair = await open();
    });
    afterAll(() => pair.close());

    /** Serves one handler under a unique name and returns a function that calls it. */
    async function serveOne(handler: ExchangeHandler, maxConcurrent?: number) {
      const service = `${prefix}${counter++}`;
      const listener = await pair.server.listen({
        service,
        version: '1.0.0',
        handlers: { go: handler },
        options: maxConcurrent === undefined ? {} : { maxConcurrent },
      });
      const subject = operationSubject(service, 'go');
      const ask = (
        body: Uint8Array | AsyncIterable<Uint8Array> = bytes(''),
        over: Partial<RequestHead> = {},
        signal?: AbortSignal,
      ) => pair.client.open(subject, { head: head(over), body, ...(signal && { signal }) });
      return { ask, listener, subject };
    }

    test('other work gets turns of the event loop while a large body passes', async () => {
      const { ask } = await serveOne(async () => ({ head: ok, body: Buffer.alloc(16 * 1024 * 1024) }));
      const { body } = await ask();
      let turns = 0;
      let isRead = false;
      const count = (): void => {
        turns += 1;
        if (!isRead) setImmediate(count);
      };
      setImmediate(count);
      let read = 0;
      for await (const piece of body) read += piece.length;
      isRead = true;
      expect(read).toBe(16 * 1024 * 1024);
      expect(turns).toBeGreaterThan(8);
    });

    test('delivers a request and its answer completely, head and body', async () => {
      const { ask } = await serveOne(async (request) => ({
        head: { status: 201, headers: { 'x-query': request.head.query ?? '' } },
        body: Buffer.concat([bytes('echo:'), await request.body.bytes()]),
      }));
      const response = await ask(bytes('hello'), { query: 'a=1' });
      expect(response.head).toEqual({ status: 201, headers: { 'x-query': 'a=1', 'content-length': '10' } });
      expect(text(await response.body.bytes())).toBe('echo:hello');
    });

    test('delivers heads at the limit of their size, and refuses larger ones', async () => {
      const { ask } = await serveOne(async ({ head: { query = '' } }) => ({
        head: { ...ok, setCookie: ['x'.repeat(Number(query)), 'y'] },
        body: bytes('whole'),
      }));
      const sizeOf = (value: object): number => JSON.stringify(value).length;
      const requestRoom = maxHeadBytes - sizeOf({ ...head({ query: '1' }), headers: { a: '' }, sentAt: Date.now() });
      const asking = (length: number) => ask(bytes(''), { query: '1', headers: { a: 'x'.repeat(length) } });
      expect((await asking(requestRoom)).head.status).toBe(200);
      await expect(asking(requestRoom + 1)).rejects.toMatchObject({ code: 'request_too_large', status: 413 });
      const sent = { ...ok, headers: { ...ok.headers, 'content-length': '5' } };
      const responseRoom = maxHeadBytes - sizeOf({ ...sent, setCookie: ['', 'y'] });
      const response = await ask(bytes(''), { query: String(responseRoom) });
      expect(response.head).toEqual({ ...sent, setCookie: ['x'.repeat(responseRoom), 'y'] });
      expect(text(await response.body.bytes())).toBe('whole');
      const larger = ask(bytes(''), { query: String(responseRoom + 1) });
      await expect(larger).rejects.toMatchObject({ code: 'internal_error', status: 500 });
    });

    test('delivers a streamed answer in order', async () => {
      const { ask } = await serveOne(async () => ({
        head: ok,
        body: (async function* () {
          for (let index = 0; index < 500; index++) yield bytes(`${index},`);
        })(),
      }));
      const response = await ask();
      expect(text(await response.body.bytes())).toBe(Array.from({ length: 500 }, (_, index) => `${index},`).join(''));
    });

    test('delivers the head before the first byte of a slow body', async () => {
      const gate = Promise.withResolvers<void>();
      const { ask } = await serveOne(async () => ({
        head: ok,
        body: (async function* () {
          await gate.promise;
          yield bytes('late');
        })(),
      }));
      const response = await ask();
      expect(response.head).toEqual(ok);
      gate.resolve();
      expect(text(await response.body.bytes())).toBe('late');
    });

    test('delivers a thrown GatewayError with its public fields and without its cause', async () => {
      const { ask } = await serveOne(async () => {
        throw new GatewayError('invalid_parameters', 'Say more.', {
          param: 'messages[2]',
          retryAfterMs: 7,
          cause: new Error('secret'),
        });
      });
      const error = await ask().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(GatewayError);
      expect(error).toMatchObject({
        code: 'invalid_parameters',
        status: 400,
        message: 'Say more.',
        param: 'messages[2]',
        retryAfterMs: 7,
      });
      expect((error as Error).cause).toBeUndefined();
    });

    test('delivers an unknown error as internal_error without revealing its cause', async () => {
      const { ask } = await serveOne(async () => {
        throw new Error('the password is swordfish');
      });
      const error = await ask().catch((thrown: unknown) => thrown as GatewayError);
      expect(error).toMatchObject({ code: 'internal_error', status: 500 });
      expect(JSON.stringify(error)).not.toContain('swordfish');
    });

    test('delivers an error in mid-stream after the bytes sent before it', async () => {
      const { ask } = await serveOne(async () => ({
        head: ok,
        body: (async function* () {
          yield bytes('half');
          throw new GatewayError('stream_truncated', 'Cut.');
        })(),
      }));
      const response = await ask();
      const seen: string[] = [];
      const reading = (async () => {
        for await (const chunk of response.body) seen.push(text(chunk));
      })();
      await expect(reading).rejects.toMatchObject({ code: 'stream_truncated' });
      expect(seen.join('')).toBe('half');
    });

    test('fails the caller and aborts the handler at the deadline', async () => {
      const aborted = Promise.withResolvers<void>();
      const { ask } = await serveOne(async ({ signal }) => {
        signal.addEventListener('abort', () => aborted.resolve());
        await aborted.promise;
        return { head: ok, body: bytes('') };
      });
      await expect(ask(bytes(''), { timeoutMs: 80 })).rejects.toMatchObject({ code: 'deadline_exceeded', status: 504 });
      await aborted.promise;
    });

    test('aborts the handler at once when the caller cancels before the answer', async () => {
      const started = Promise.withResolvers<void>();
      const aborted = Promise.withResolvers<number>();
      const { ask } = await serveOne(async ({ signal }) => {
        signal.addEventListener('abort', () => aborted.resolve(performance.now()));
        started.resolve();
        await aborted.promise;
        return { head: ok, body: bytes('') };
      });
      const controller = new AbortController();
      const response = ask(bytes(''), {}, controller.signal);
      response.catch(() => undefined);
      await started.promise;
      const leftAt = performance.now();
      controller.abort();
      await expect(response).rejects.toMatchObject({ code: 'client_closed_request' });
      expect((await aborted.promise) - leftAt).toBeLessThan(patient(3_000));
    });

    test('stops the source at once when the reader leaves a stream early', async () => {
      const stopped = Promise.withResolvers<number>();
      const { ask, listener } = await serveOne(async ({ signal }) => {
        signal.addEventListener('abort', () => stopped.resolve(performance.now()));
        return {
          head: ok,
          body: (async function* () {
            for (;;) {
              yield bytes('x');
              // Pause: a source that never ends must not fill the memory.
              await new Promise((resolve) => setTimeout(resolve, 5));
            }
          })(),
        };
      });
      const response = await ask();
      for await (const chunk of response.body) {
        expect(chunk.length).toBeGreaterThan(0);
        break;
      }
      const leftAt = performance.now();
      expect((await stopped.promise) - leftAt).toBeLessThan(patient(3_000));
      await expect.poll(() => listener.active()).toBe(0);
    });

    test('holds the source back within the credit window when the reader is slow', async () => {
      let made = 0;
      const chunk = Buffer.alloc(16 * 1024, 1);
      const { ask } = await serveOne(async () => ({
        head: ok,
        body: (async function* () {
          for (let index = 0; index < 4_000; index++) {
            made += chunk.length;
            yield chunk;
          }
        })(),
      }));
      const responses = await Promise.all(Array.from({ length: 50 }, () => ask()));
      await expect
        .poll(async () => {
          const before = made;
          // Pause: the sources have stopped if they make nothing for a while.
          await new Promise((resolve) => setTimeout(resolve, 50));
          return made === before;
        })
        .toBe(true);
      expect(made / 50).toBeLessThan(3 * 1024 * 1024);
      for (const response of responses) response.body.cancel();
    });

    test('returns 503 at once when no service listens', async () => {
      const tookMs: number[] = [];
      for (let attempt = 0; attempt < 5; attempt++) {
        const askedAt = performance.now();
        const response = pair.client.open(operationSubject('absent', 'go'), { head: head(), body: bytes('') });
        await expect(response).rejects.toMatchObject({ code: 'unavailable', status: 503 });
        tookMs.push(performance.now() - askedAt);
      }
      expect(Math.min(...tookMs)).toBeLessThan(patient(1_000));
    });

    test('delivers 32 MiB unchanged in both directions', async () => {
      const { ask } = await serveOne(async ({ body }) => ({ head: ok, body: await body.bytes() }));
      const sent = Buffer.alloc(32 * 1024 * 1024);
      for (let index = 0; index < sent.length; index += 4096) sent.writeUInt32BE(index, index);
      const received = await (await ask(sent)).body.bytes();
      expect(Buffer.compare(sent, received)).toBe(0);
    });

    test('delivers a streamed request body as it is sent', async () => {
      const { ask } = await serveOne(async ({ body }) => ({ head: ok, body }));
      const parts = Array.from({ length: 300 }, (_, index) => bytes(`part ${index};`));
      const response = await ask(
        (async function* () {
          yield* parts;
        })(),
      );
      expect(text(await response.body.bytes())).toBe(parts.map(text).join(''));
    });

    test('aborts the handler when the request body breaks off', async () => {
      const started = Promise.withResolvers<void>();
      const aborted = Promise.withResolvers<void>();
      const { ask } = await serveOne(async ({ body, signal }) => {
        signal.addEventListener('abort', () => aborted.resolve());
        started.resolve();
        return { head: ok, body: await body.bytes() };
      });
      const response = ask(
        (async function* () {
          yield bytes('half');
          await started.promise;
          throw new Error('upload broke');
        })(),
      );
      await expect(response).rejects.toMatchObject({ code: 'client_closed_request' });
      await aborted.promise;
    });

    test('accepts a body at the reader’s limit and refuses a larger one', async () => {
      const { ask } = await serveOne(async ({ body }) => ({ head: ok, body: await body.bytes(10) }));
      expect((await (await ask(bytes('0123456789'))).body.bytes()).length).toBe(10);
      await expect(ask(bytes('0123456789x'))).rejects.toMatchObject({ code: 'request_too_large', status: 413 });
    });

    test('returns overloaded at once while a service is saturated, and recovers', async () => {
      const gate = Promise.withResolvers<void>();
      const { ask, listener } = await serveOne(async () => {
        await gate.promise;
        return { head: ok, body: bytes('done') };
      }, 2);
      const running = [ask(), ask()];
      await expect.poll(() => listener.active()).toBe(2);
      await expect(ask()).rejects.toMatchObject({ code: 'overloaded', status: 529 });
      gate.resolve();
      for (const response of running) expect(text(await (await response).body.bytes())).toBe('done');
      expect(text(await (await ask()).body.bytes())).toBe('done');
    });

    test('finishes running exchanges during a drain and accepts no new ones', async () => {
      const gate = Promise.withResolvers<void>();
      const { ask, listener } = await serveOne(async () => ({
        head: ok,
        body: (async function* () {
          yield bytes('first ');
          await gate.promise;
          yield bytes('second');
        })(),
      }));
      const running: ExchangeResponse = await ask();
      const drained = listener.drain(5_000);
      await expect
        .poll(() =>
          ask().then(
            () => 'accepted',
            (error: GatewayError) => error.code,
          ),
        )
        .toBe('unavailable');
      gate.resolve();
      expect(text(await running.body.bytes())).toBe('first second');
      await drained;
      expect(listener.active()).toBe(0);
    });

    test('ends running exchanges with a typed error when a drain exceeds its deadline', async () => {
      const { ask, listener } = await serveOne(async ({ signal }) => ({
        head: ok,
        body: (async function* () {
          yield bytes('first');
          await waitForAbort(signal);
        })(),
      }));
      const running = await ask();
      const reading = running.body.bytes();
      reading.catch(() => undefined);
      await listener.drain(50);
      await expect(reading).rejects.toMatchObject({ code: 'unavailable' });
    });

    test('does not end exchanges of other services on the link when a drain exceeds its deadline', async () => {
      const gate = Promise.withResolvers<void>();
      const stubborn = await serveOne(({ signal }) => waitForAbort(signal));
      const other = await serveOne(async () => ({
        head: ok,
        body: (async function* () {
          yield bytes('first ');
          await gate.promise;
          yield bytes('second');
        })(),
      }));
      const ended = stubborn.ask();
      ended.catch(() => undefined);
      const running = await other.ask();
      await expect.poll(() => stubborn.listener.active()).toBe(1);
      await stubborn.listener.drain(50);
      await expect(ended).rejects.toMatchObject({ code: 'unavailable' });
      expect([stubborn.listener.active(), other.listener.active()]).toEqual([0, 1]);
      gate.resolve();
      expect(text(await running.body.bytes())).toBe('first second');
    });

    test('ends a drain with the last running exchange', async () => {
      const gate = Promise.withResolvers<void>();
      const { ask, listener } = await serveOne(async () => {
        await gate.promise;
        return { head: ok, body: bytes('done') };
      });
      const response = ask();
      await expect.poll(() => listener.active()).toBe(1);
      const drains = [listener.drain(5_000), listener.drain(5_000)];
      gate.resolve();
      expect(text(await (await response).body.bytes())).toBe('done');
      await Promise.all(drains);
      expect(listener.active()).toBe(0);
    });

    test('delivers a notice to every subscriber until it unsubscribes', async () => {
      const seen: string[] = [];
      const leave = [pair.client, pair.server].map((link, index) =>
        link.subscribe('tp.n.suite', (payload) => seen.push(`${index}:${text(payload)}`)),
      );
      await expect
        .poll(() => {
          if (seen.length < 2) pair.server.notify('tp.n.suite', bytes('hi'));
          return new Set(seen).size;
        })
        .toBe(2);
      for (const off of leave) off();
      const before = seen.length;
      pair.server.notify('tp.n.suite', bytes('gone'));
      const { ask } = await serveOne(async () => ({ head: ok, body: bytes('') }));
      await ask();
      expect(seen.length).toBe(before);
    });

    test('delivers every journal entry in order, including entries appended before there was a consumer', async () => {
      const subject = `tp.j.suite.${Date.now()}`;
      const seen: string[] = [];
      for (const id of ['a', 'b', 'c'])
        await pair.client.journals.append(subject, { id: `${subject}-${id}`, bytes: bytes(id) });
      const consumer = await pair.server.journals.consume(subject, async (entries) => {
        seen.push(...entries.map(text));
      });
      await expect.poll(() => seen).toEqual(['a', 'b', 'c']);
      await pair.client.journals.append(subject, { id: `${subject}-d`, bytes: bytes('d') });
      await expect.poll(() => seen).toEqual(['a', 'b', 'c', 'd']);
      await consumer.stop();
    });

    test('stores an entry after it was sent', async () => {
      const subject = `tp.j.suite.sent${Date.now()}`;
      const steps: string[] = [];
      const entry = { id: subject, bytes: bytes('a'), onSent: () => void steps.push('sent') };
      await pair.client.journals.append(subject, entry).then(() => steps.push('stored'));
      expect(steps.at(-1)).toBe('stored');
    });

    test('delivers a batch again when its handler fails, and reports the failure', async () => {
      const subject = `tp.j.suite.again${Date.now()}`;
      const seen: string[] = [];
      const failures: unknown[] = [];
      let fails = 1;
      const consumer = await pair.server.journals.consume(
        subject,
        async (entries) => {
          if (fails-- > 0) throw new Error('database away');
          seen.push(...entries.map(text));
        },
        { onFailure: (error) => failures.push(error) },
      );
      await pair.client.journals.append(subject, { id: `${subject}-1`, bytes: bytes('kept') });
      await expect.poll(() => seen).toEqual(['kept']);
      expect(failures).toEqual([new Error('database away')]);
      await consumer.stop();
    });

    test('completes many simultaneous exchanges and leaves nothing behind', async () => {
      const { ask, listener } = await serveOne(async ({ body }) => ({ head: ok, body: await body.bytes() }));
      const answers = await Promise.all(
        Array.from({ length: 2_000 }, async (_, index) => text(await (await ask(bytes(`${index}`))).body.bytes())),
      );
      expect(answers).toEqual(Array.from({ length: 2_000 }, (_, index) => `${index}`));
      await expect.poll(() => listener.active()).toBe(0);
    });
  });
}
