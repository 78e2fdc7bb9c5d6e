import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ExchangeResponse, type IncomingExchange, type Link, serve } from '@tallyport/bus';
import { exchange, type GatewayError, service } from '@tallyport/contracts';
import express, { type Express, type RequestHandler } from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appHandler } from './app-handler.ts';

interface LinkPair {
  /** The link that sends requests, and the one that answers them. */
  client: Link;
  server: Link;
  close(): Promise<void>;
}

interface Asked {
  method?: string;
  url?: string;
  headers?: Record<string, string>;
  body?: Uint8Array | AsyncIterable<Uint8Array>;
  timeoutMs?: number;
  signal?: AbortSignal;
}

const web = service('web', { serve: exchange() });
const text = async ({ body }: ExchangeResponse): Promise<string> => Buffer.from(await body.bytes()).toString();
const isoDate = expect.stringMatching(/GMT$/);

/** What an app sees of an exchange, and its client of the app, over any link. */
export function appHandlerSuite(name: string, open: () => Promise<LinkPair>): void {
  describe(name, () => {
    let pair: LinkPair;
    let app: Express;
    let handle: RequestHandler;
    const steps: string[] = [];
    beforeAll(async () => {
      pair = await open();
      app = express();
      app.disable('x-powered-by').disable('etag').set('trust proxy', true);
      app.use((request, response, next) => handle(request, response, next));
      const answer = appHandler(app);
      const confirm = (begun: IncomingExchange): Promise<void> | undefined => {
        steps.push('confirmed');
        return begun.confirm?.();
      };
      await serve(pair.server, web, { serve: (begun) => answer({ ...begun, confirm: () => confirm(begun) }) });
    });
    afterAll(() => pair.close());

    function ask({ method = 'GET', url = '/', headers = {}, body, timeoutMs = 10_000, signal }: Asked = {}) {
      const http = { method, url, address: '192.0.2.1', publicOrigin: 'https://gateway.example' };
      const head = { requestId: 'req_1', timeoutMs, http, headers };
      return pair.client.open('tp.s.web.serve', { head, body: body ?? new Uint8Array(0), ...(signal && { signal }) });
    }

    test('a request that may change something is confirmed before the app gets it, so that no other replica does', async () => {
      handle = ({ method }, response) => {
        steps.push(method);
        response.end();
      };
      steps.length = 0;
      for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) await text(await ask({ method }));
      expect(steps).toEqual(['GET', 'HEAD', 'confirmed', 'POST', 'confirmed', 'DELETE']);
    });

    test('the app sees the request as its client wrote it, and where it comes from', async () => {
      handle = ({ method, originalUrl, headers, ip, hostname, protocol, query }, response) =>
        void response.json({ method, originalUrl, headers, ip, hostname, protocol, query });
      const url = '/oauth/a%2Fb/../c;d?e=%20f&e=%C3%BC&g';
      const claimed = { 'x-forwarded-for': '198.51.100.1', 'x-forwarded-host': 'evil.example', 'x-request-id': 'mine' };
      const headers = { authorization: 'Basic YQ==', cookie: 'a=1; b=2', 'x-own': 'ä', connection: 'upgrade' };
      const answer = await ask({ url, headers: { ...headers, ...claimed, 'x-forwarded-proto': 'http' } });
      expect(JSON.parse(await text(answer))).toEqual({
        method: 'GET',
        originalUrl: url,
        headers: {
          host: 'gateway.example',
          authorization: 'Basic YQ==',
          cookie: 'a=1; b=2',
          'x-own': 'ä',
          'x-request-id': 'req_1',
          'x-forwarded-for': '192.0.2.1',
          'x-forwarded-host': 'gateway.example',
          'x-forwarded-proto': 'https',
          connection: 'close',
        },
        ip: '192.0.2.1',
        hostname: 'gateway.example',
        protocol: 'https',
        query: { e: [' f', 'ü'], g: '' },
      });
    });

    test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('answers %s', async (method) => {
      handle = (request, response) => void response.status(201).send(request.method);
      const answer = await ask({ method });
      expect([answer.head.status, await text(answer)]).toEqual([201, method]);
    });

    test('a target that names another host is a path as any other', async () => {
      handle = (request, response) => void response.send(request.originalUrl);
      expect(await text(await ask({ url: 'http://192.0.2.9/oauth/x' }))).toBe('http://192.0.2.9/oauth/x');
    });

    test('cookies stay apart, other headers arrive without those of the connection', async () => {
      handle = (_request, response) => {
        response.cookie('a', '1').cookie('b', '2,3', { httpOnly: true });
        response.set({ vary: 'Accept', 'keep-alive': 'timeout=1', connection: 'close' }).send('body');
      };
      expect((await ask()).head).toEqual({
        status: 200,
        headers: {
          vary: 'Accept',
          date: isoDate,
          'content-type': 'text/html; charset=utf-8',
          'content-length': '4',
        },
        setCookie: ['a=1; Path=/', 'b=2%2C3; Path=/; HttpOnly'],
      });
    });

    test('redirects', async () => {
      handle = (_request, response) => response.redirect(303, '/sign-in?next=%2Fa');
      expect((await ask()).head).toMatchObject({ status: 303, headers: { location: '/sign-in?next=%2Fa' } });
    });

    test('a HEAD has the head of a GET and no body', async () => {
      handle = (_request, response) => void response.type('text').send('ten bytes!');
      const answer = await ask({ method: 'HEAD' });
      expect(answer.head).toMatchObject({ status: 200, headers: { 'content-length': '10' } });
      expect(await text(answer)).toBe('');
    });

    test.each([204, 304])('status %i has no body', async (status) => {
      handle = (_request, response) => void response.status(status).set('etag', '"a"').end();
      const answer = await ask();
      expect(answer.head).toEqual({ status, headers: { etag: '"a"', date: isoDate } });
      expect(await text(answer)).toBe('');
    });

    test('an app that throws answers with its own error', async () => {
      handle = () => {
        throw Object.assign(new Error('Teapot.'), { status: 418, expose: true });
      };
      expect((await ask()).head.status).toBe(418);
    });

    test.each([0, 1, 16 * 1024 + 1, 3_000_000])('passes %i bytes unchanged, both ways', async (size) => {
      handle = (request, response) => void request.pipe(response);
      const bytes = Buffer.from(Array.from({ length: size }, (_, index) => (index * 7) % 256));
      const answer = await ask({ method: 'POST', headers: { 'content-length': String(size) }, body: bytes });
      expect(Buffer.compare(await answer.body.bytes(), bytes)).toBe(0);
    });

    test('passes a body of undeclared length as it is sent, both ways', async () => {
      const seen: string[] = [];
      handle = async (request, response) => {
        for await (const chunk of request) {
          seen.push(String(chunk));
          response.write(`${chunk}!`);
        }
        response.end();
      };
      async function* parts() {
        yield Buffer.from('one');
        await expect.poll(() => seen).toEqual(['one']);
        yield Buffer.from('two');
      }
      const answer = await ask({ method: 'POST', body: parts() });
      expect(answer.head.headers).not.toHaveProperty('transfer-encoding');
      expect(await text(answer)).toBe('one!two!');
    });

    test('a DELETE has a body if its length is declared', async () => {
      handle = (request, response) => void request.pipe(response);
      const body = Buffer.from('{}');
      expect(await text(await ask({ method: 'DELETE', headers: { 'content-length': '2' }, body }))).toBe('{}');
    });

    test('the head of a quiet stream arrives at once, its events unbuffered', async () => {
      let push: (event: string) => void = () => {};
      handle = (_request, response) => {
        response.type('text/event-stream').flushHeaders();
        push = (event) => response.write(event);
      };
      const { head, body } = await ask();
      expect(head.headers['content-type']).toBe('text/event-stream; charset=utf-8');
      const events = body[Symbol.asyncIterator]();
      for (const event of ['data: 1\n\n', 'data: 2\n\n']) {
        push(event);
        expect(Buffer.from((await events.next()).value ?? []).toString()).toBe(event);
      }
      body.cancel();
    });

    test('an app that is answered completely sees its response finish, and then close', async () => {
      const steps: string[] = [];
      handle = (request, response) => {
        for (const event of ['finish', 'close']) response.on(event, () => steps.push(`response ${event}`));
        request.on('close', () => steps.push(`request close, complete: ${request.complete}`));
        response.on('close', () => steps.push(`finished: ${response.writableFinished}`));
        response.send('x'.repeat(100_000));
      };
      await (await ask()).body.bytes();
      await expect
        .poll(() => steps.toSorted())
        .toEqual(['finished: true', 'request close, complete: true', 'response close', 'response finish']);
    });

    test.each(['before its head', 'in a stream'])('an app notices when its client leaves, %s', async (when) => {
      const begun = Promise.withResolvers<void>();
      const left = Promise.withResolvers<boolean>();
      handle = (_request, response) => {
        response.on('close', () => left.resolve(response.writableFinished));
        if (when === 'in a stream') response.write('a');
        begun.resolve();
      };
      const client = new AbortController();
      const asked = ask({ signal: client.signal });
      asked.catch(() => {});
      await begun.promise;
      if (when === 'in a stream') await asked;
      client.abort();
      expect(await left.promise).toBe(false);
    });

    test('a body that breaks off ends the request of the app', async () => {
      const left = Promise.withResolvers<boolean>();
      handle = (request) => void request.resume().on('close', () => left.resolve(request.complete));
      async function* parts() {
        yield Buffer.from('half');
        await nextTurn();
        throw new Error('The client left.');
      }
      await expect(ask({ method: 'POST', body: parts() })).rejects.toMatchObject({ code: 'client_closed_request' });
      expect(await left.promise).toBe(false);
    });

    test('an app that answers too late is left at the deadline', async () => {
      const left = Promise.withResolvers<void>();
      handle = (_request, response) => void response.on('close', left.resolve);
      await expect(ask({ timeoutMs: 80 })).rejects.toMatchObject({ code: 'deadline_exceeded' });
      await left.promise;
    });

    test('an app may answer without reading the body', async () => {
      handle = (_request, response) => void response.status(413).send('too large');
      const body = Buffer.alloc(5_000_000);
      const answer = await ask({ method: 'POST', headers: { 'content-length': '5000000' }, body });
      expect([answer.head.status, await text(answer)]).toEqual([413, 'too large']);
    });

    test('an app that breaks off without an answer is an error, and in its body a broken body', async () => {
      handle = (_request, response) => void response.destroy();
      await expect(ask()).rejects.toMatchObject({
        code: 'internal_error',
        message: 'A service ended a request without an answer.',
      });
      handle = (_request, response) => {
        response.set('content-length', '10').write('half');
        setImmediate(() => response.destroy());
      };
      const answer = await ask();
      const failure = await answer.body.bytes().catch((thrown: GatewayError) => thrown);
      expect(failure).toMatchObject({ code: 'internal_error' });
    });

    test('heads have up to 64 KiB', async () => {
      handle = ({ headers }, response) => void response.append('set-cookie', headers['x-long'] ?? '').send();
      const asked = (length: number) => ask({ headers: { 'x-long': 'x'.repeat(length) } });
      const { head } = await asked(65_000);
      expect(head.setCookie).toEqual(['x'.repeat(65_000)]);
      const refused = await asked(65_536);
      expect([refused.head.status, await text(refused)]).toEqual([431, '']);
      handle = (_request, response) => void response.append('set-cookie', 'x'.repeat(65_536)).send();
      await expect(ask()).rejects.toMatchObject({ code: 'internal_error' });
    });

    test('a request that Node cannot read is refused', async () => {
      const refused = await ask({ url: '/ü' });
      expect([refused.head.status, await text(refused)]).toEqual([400, '']);
    });

    test('a slow reader pauses the app', async () => {
      let written = 0;
      const chunk = Buffer.alloc(64 * 1024);
      handle = (_request, response) => {
        const fill = (): void => {
          do written += chunk.length;
          while (response.write(chunk) && written < 200 * 1024 * 1024);
          response.once('drain', fill);
        };
        fill();
      };
      const answer = await ask();
      let before = -1;
      await expect.poll(() => before === (before = written), { interval: 100 }).toBe(true);
      expect(written).toBeLessThan(5 * 1024 * 1024);
      answer.body.cancel();
    });

    test('an app that does not read pauses its client', async () => {
      let sent = 0;
      handle = () => {};
      async function* endless() {
        for (; sent < 200 * 1024 * 1024; sent += 64 * 1024) yield Buffer.alloc(64 * 1024);
      }
      const client = new AbortController();
      const asked = ask({ method: 'POST', body: endless(), signal: client.signal });
      asked.catch(() => {});
      let before = -1;
      await expect.poll(() => before === (before = sent), { interval: 100 }).toBe(true);
      expect(sent).toBeLessThan(5 * 1024 * 1024);
      client.abort();
      await expect(asked).rejects.toMatchObject({ code: 'client_closed_request' });
    });
  });
}
