import type { ExchangeHandler } from '@tallyport/bus';
import { encodeSocketMessage } from '@tallyport/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyBehind } from '../../authenticate/client-secret-key.ts';
import { connectSocket, refusedSocket } from '../../testing/socket-client.ts';
import { openSocketEdge, type SocketEdge } from '../../testing/socket-edge.ts';
import { createClientSecrets, mostSecretLength } from '../../authenticate/client-secrets.ts';

const secret = { keyHash: 'hash', type: 'realtime', model: 'gpt-realtime', expiresAt: 1_000 } as const;
const opening = (now: number, model = 'gpt-realtime') => ({
  now,
  request: { url: `/v1/realtime?model=${model}`, headers: { upgrade: 'websocket' } },
});

describe('a client secret', () => {
  test('is read with any of the secrets of the installation, and with no other', () => {
    const text = createClientSecrets(['old']).seal(secret);
    expect(createClientSecrets(['new', 'old']).open(text)).toEqual(secret);
    expect(createClientSecrets(['new']).open(text)).toBeUndefined();
    expect(text).toMatch(/^ek_[\w-]+$/);
    expect(text).not.toContain('hash');
  });

  test('is refused if any of its characters is another one, or it is cut', () => {
    const secrets = createClientSecrets(['x']);
    const text = secrets.seal(secret);
    // The last character has bits that mean nothing.
    for (let at = 3; at < text.length - 1; at += 1) {
      const changed = text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
      expect(secrets.open(changed)).toBeUndefined();
      expect(secrets.open(text.slice(0, at))).toBeUndefined();
    }
    expect(secrets.open(`ek_${'A'.repeat(mostSecretLength)}`)).toBeUndefined();
  });

  test('opens sessions of its model until it expires, and nothing else', () => {
    expect(keyBehind(secret, opening(999_999))).toBe('hash');
    expect(() => keyBehind(secret, opening(1_000_000))).toThrow('expired');
    expect(() => keyBehind(secret, opening(0, 'gpt-realtime-2'))).toThrow('for /v1/realtime?model=gpt-realtime only');
    expect(() => keyBehind(undefined, opening(0))).toThrow('not made here');
    const { request } = opening(0);
    expect(() => keyBehind(secret, { now: 0, request: { ...request, headers: {} } })).toThrow('only opens');
    const at = (url: string, upgrade = 'websocket') =>
      keyBehind(secret, { now: 0, request: { url: `${url}?model=gpt-realtime`, headers: { upgrade } } });
    for (const more of ['&intent=transcription', '&x=?&intent=transcription'])
      expect(() => keyBehind(secret, opening(0, `gpt-realtime${more}`))).toThrow('only');
    expect(at('/openai/v1/realtime')).toBe('hash');
    expect(at('/v1/realtime', 'WebSocket')).toBe('hash');
    for (const path of ['/v1/responses', '/v1/models/x/v1/realtime', '/x/v1/realtime', '/v1/realtime/', '/V1/realtime'])
      expect(() => at(path)).toThrow('only opens');
    expect(() => at('/v1/realtime', 'h2c')).toThrow('only opens');
  });

  test('of a session that transcribes opens no other one', () => {
    const transcribes = { ...secret, type: 'transcription', model: 'whisper-1' } as const;
    const opened = (query: string) =>
      keyBehind(transcribes, { now: 0, request: { url: `/v1/realtime?${query}`, headers: { upgrade: 'websocket' } } });
    expect(opened('intent=transcription')).toBe('hash');
    expect(opened('intent=transcription&model=whisper-1')).toBe('hash');
    for (const query of ['', 'model=whisper-1', 'intent=transcription&model=other', 'intent=other'])
      expect(() => opened(query)).toThrow('for /v1/realtime?intent=transcription only');
  });
});

describe('POST /v1/realtime/client_secrets', () => {
  let edge: SocketEdge;
  beforeAll(async () => {
    edge = await openSocketEdge();
    edge.realtime = greeting;
  });
  afterAll(() => edge.stop());

  /** Sends the first message of the client back. */
  const greeting: ExchangeHandler = async ({ body, head }) => {
    async function* first() {
      yield encodeSocketMessage({ kind: 'text', bytes: Buffer.from(JSON.stringify({ type: head.principal?.keyId })) });
      for await (const piece of body) yield piece;
    }
    return { head: { status: 200, headers: {} }, body: first() };
  };

  async function mint(body: unknown, key = 'key') {
    const response = await fetch(`${edge.base}/v1/realtime/client_secrets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Minted };
  }

  interface Minted {
    value: string;
    expires_at: number;
    session: object;
  }

  const session = { type: 'realtime', model: 'gpt-realtime' };
  const path = '/v1/realtime?model=gpt-realtime';
  const asSubprotocol = (value: string) => ({ protocols: ['realtime', `openai-insecure-api-key.${value}`] });

  test('returns a secret that opens a session as its key, from a page and with a header', async () => {
    const { status, body } = await mint({ session });
    expect(status).toBe(200);
    expect(body).toEqual({
      value: expect.stringMatching(/^ek_/),
      expires_at: expect.any(Number),
      session: { id: expect.any(String), object: 'realtime.session', ...session },
    });
    expect(body.expires_at - Date.now() / 1000).toBeGreaterThan(590);
    const own = await connectSocket(edge.base, path, { key: 'key' });
    const { type } = await own.next();
    for (const options of [asSubprotocol(body.value), { key: body.value }]) {
      const client = await connectSocket(edge.base, path, options);
      expect((await client.next()).type).toBe(type);
      client.webSocket.close();
    }
    own.webSocket.close();
  });

  test('sets the session up with what it describes', async () => {
    const { body } = await mint({ session: { ...session, instructions: 'Be brief.' }, expires_after: { seconds: 10 } });
    expect(body.expires_at - Date.now() / 1000).toBeLessThanOrEqual(10);
    const client = await connectSocket(edge.base, path, asSubprotocol(body.value));
    await client.next();
    expect(await client.next()).toEqual({
      type: 'session.update',
      session: { type: 'realtime', instructions: 'Be brief.' },
    });
    client.webSocket.close();
  });

  test('returns a secret of a session that transcribes, with its model and no other', async () => {
    let query: string | undefined;
    edge.realtime = async (exchange) => {
      query = exchange.head.query;
      return greeting(exchange);
    };
    const transcribes = { type: 'transcription', audio: { input: { transcription: { model: 'whisper-1' } } } };
    const { status, body } = await mint({ session: transcribes });
    const shown = { id: expect.any(String), object: 'realtime.transcription_session', ...transcribes };
    expect([status, body.session]).toEqual([200, shown]);
    const client = await connectSocket(edge.base, '/v1/realtime?intent=transcription', asSubprotocol(body.value));
    await client.next();
    expect(await client.next()).toEqual({ type: 'session.update', session: transcribes });
    expect(query).toBe('intent=transcription&model=whisper-1');
    client.webSocket.close();
    edge.realtime = greeting;
    expect(await refusedSocket(edge.base, path, asSubprotocol(body.value))).toMatchObject({ status: 403 });
  });

  test('returns a secret that does nothing else', async () => {
    const { body } = await mint({ session });
    expect(await refusedSocket(edge.base, '/v1/responses', asSubprotocol(body.value))).toMatchObject({ status: 401 });
    const other = '/v1/realtime?model=gpt-realtime-2';
    expect(await refusedSocket(edge.base, other, asSubprotocol(body.value))).toMatchObject({ status: 403 });
    expect(await mint({ session }, body.value)).toMatchObject({ status: 401 });
    const chat = await fetch(`${edge.base}/v1/models`, { headers: { authorization: `Bearer ${body.value}` } });
    expect(chat.status).toBe(401);
  });

  test('returns a secret that ends with its key', async () => {
    const { body } = await mint({ session }, 'to-end');
    const client = await connectSocket(edge.base, path, asSubprotocol(body.value));
    await client.next();
    edge.revoke('to-end');
    expect(await client.next()).toMatchObject({ error: { code: 'invalid_api_key' } });
    expect((await client.closed).code).toBe(1008);
    expect(await refusedSocket(edge.base, path, asSubprotocol(body.value))).toMatchObject({ status: 401 });
  });

  test.each([
    [{}, 'session'],
    [{ session: {} }, 'session.model'],
    [{ session: { model: 'm', type: 'translation' } }, 'session.type'],
    [{ session: { model: 'm', type: 'transcription' } }, 'session.audio'],
    [
      { session: { type: 'transcription', audio: { input: { transcription: { language: 'en' } } } } },
      'session.audio.input.transcription.model',
    ],
    [{ session, expires_after: { seconds: 9 } }, 'expires_after.seconds'],
    [{ session, expires_after: { seconds: 7_201 } }, 'expires_after.seconds'],
  ])('refuses %j with the name of the member', async (body, param) => {
    expect(await mint(body)).toMatchObject({ status: 400, body: { error: { code: 'invalid_parameters', param } } });
  });

  test('refuses a session that is too deep', async () => {
    const deep = JSON.parse(`${'['.repeat(300)}${']'.repeat(300)}`) as unknown;
    expect(await mint({ session: { ...session, deep } })).toMatchObject({ status: 400 });
  });

  test('refuses a session that is too large for a secret', async () => {
    const tooLarge = { ...session, instructions: 'x'.repeat(mostSecretLength) };
    expect(await mint({ session: tooLarge })).toMatchObject({ status: 413, body: { error: { param: 'session' } } });
    expect((await mint({ session: { ...session, instructions: 'x'.repeat(4_000) } })).status).toBe(200);
  });
});
