import { basePathOf, type Simulator, startSimulator } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { forgetfulRouting } from '../../packages/serving/src/upstreams/testing/index.ts';
import { type Gateway, startGateway } from '../gateway/in-process.ts';
import { type Owner, ownerEnvironment, signInOwner } from '../provider-keys/owner.ts';

/** The service has no key, so its models are those of the sandbox. */
const ownKey = 'sk-the-account-s-own-key-4711';

describe('the record of a request, from the gateway to the management API', () => {
  let simulator: Simulator;
  let gateway: Gateway;
  let owner: Owner;
  beforeAll(async () => {
    simulator = await startSimulator({ chunksPerSecond: 0, apiKeys: [ownKey] });
    gateway = await startGateway({
      ...forgetfulRouting,
      ...ownerEnvironment,
      CACHE_TTL_SECONDS: '60',
      LOG_CONTENT: 'true',
      MAX_BODY_BYTES: '100000',
      OPENAI_BASE_URL: simulator.url + basePathOf('openai'),
    });
    owner = await signInOwner(gateway.baseUrl);
  });
  afterEach(() => fetch(`${gateway.sandboxUrl}/control/faults`, { method: 'DELETE' }));
  afterAll(async () => {
    await gateway?.stop();
    await simulator?.close();
  });

  let questions = 0;
  const question = () => ({ model: 'sandbox-chat', messages: [{ role: 'user', content: `Question ${++questions}` }] });
  /** Sends a chat and returns its response with its id. */
  async function chat(body: object, { key = gateway.apiKey, signal }: { key?: string; signal?: AbortSignal } = {}) {
    const response = await fetch(`${gateway.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
    return { response, requestId: response.headers.get('x-request-id') ?? '' };
  }
  const breakFirst = (fault: string) =>
    fetch(`${gateway.sandboxUrl}/control/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ provider: 'sandbox-a', fault }),
    });

  /** Finds the record by the id that the client got, as soon as it is in the ledger, and reads all of it. */
  async function recordOf(requestId: string): Promise<Record<string, unknown>> {
    const find = async () => {
      const { body } = await owner.ask(`GET /requests?id=${requestId}`);
      return (body['requests'] as { id: string }[]).map(({ id }) => id);
    };
    await expect.poll(find).toHaveLength(1);
    const [id] = await find();
    const { status, body } = await owner.ask(`GET /requests/${id}`);
    expect([status, body['requestId']]).toEqual([200, requestId]);
    return body;
  }

  test('a failed-over request has both attempts, with the reason and score of each', async () => {
    await breakFirst('status:503');
    const { response, requestId } = await chat(question());
    expect(response.status).toBe(200);
    const known = { key: 'service', lane: 'translated', score: expect.any(Number), startMs: expect.any(Number) };
    expect(await recordOf(requestId)).toMatchObject({
      status: 200,
      keyName: 'local',
      guardrails: [],
      provider: 'sandbox-b',
      endReason: 'done',
      cache: 'bypass',
      attemptCount: 2,
      attempts: [
        { ...known, provider: 'sandbox-a', status: 503, error: 'provider_overloaded' },
        { ...known, provider: 'sandbox-b', status: 200, error: 'none', reason: 'score' },
      ],
    });
  });

  test('a request with an own provider key says so', async () => {
    await owner.ask('POST /provider-keys', { provider: 'openai', label: 'ours', key: ownKey });
    const ask = async () => {
      const { requestId } = await chat({ ...question(), model: 'openai/gpt-6-luna' });
      return recordOf(requestId);
    };
    await expect.poll(async () => (await ask())['ownKey']).toBe(true);
    expect(await ask()).toMatchObject({ attempts: [{ provider: 'openai', key: 'own', reason: 'pinned' }] });
  });

  test('tokens by class, multiplied with the prices, are the cost', async () => {
    const { requestId } = await chat({ ...question(), model: 'openai/gpt-6-luna' });
    const { costs, cost } = (await recordOf(requestId)) as {
      costs: { class: string; count: number; price: string; cost: string }[];
      cost: string;
    };
    expect(costs.map((part) => part.class)).toEqual(['input', 'output']);
    for (const part of costs) expect(part.count * Number(part.price)).toBeCloseTo(Number(part.cost), 12);
    expect(costs.reduce((sum, part) => sum + Number(part.cost), 0)).toBeCloseTo(Number(cost), 12);
  });

  test('an answer from the cache has a record of its own, without attempts or cost', async () => {
    const body = { ...question(), model: 'sandbox-fast' };
    await (await chat(body)).response.text();
    const { response, requestId } = await chat(body);
    expect(response.headers.get('x-tallyport-cache')).toBe('HIT');
    expect(await recordOf(requestId)).toMatchObject({
      cached: true,
      cache: 'hit',
      cost: '0',
      attempts: [],
      status: 200,
    });
  });

  test('refused requests have a record: of an unknown model, and over a limit', async () => {
    const unknown = await chat({ ...question(), model: 'unknown-model' });
    expect(await recordOf(unknown.requestId)).toMatchObject({
      status: 404,
      error: 'model_not_found',
      endReason: 'refused',
      requestedModel: 'unknown-model',
      model: '',
      attempts: [],
      cost: '0',
    });
    const { body } = await owner.ask('POST /keys', { name: 'few tokens', limits: { tokensPerMinute: 1 } });
    const limited = await chat(question(), { key: String(body['key']) });
    expect(limited.response.status).toBe(429);
    expect(await recordOf(limited.requestId)).toMatchObject({
      status: 429,
      model: 'sandbox-chat',
      endReason: 'refused',
    });
  });

  test('requests that edge refuses have a record, too: over the requests per minute, and too large', async () => {
    const { body } = await owner.ask('POST /keys', { name: 'few', limits: { requestsPerMinute: { chat: 1 } } });
    const key = String(body['key']);
    expect((await chat(question(), { key })).response.status).toBe(200);
    const limited = await chat(question(), { key });
    expect(limited.response.status).toBe(429);
    const refused = { endReason: 'refused', operation: 'chat', model: '', attempts: [], cost: '0' };
    expect(await recordOf(limited.requestId)).toMatchObject({
      ...refused,
      status: 429,
      error: 'rate_limit_exceeded',
      keyName: 'few',
    });
    const large = await chat({ ...question(), user: 'x'.repeat(100_000) });
    expect(large.response.status).toBe(413);
    expect(await recordOf(large.requestId)).toMatchObject({ ...refused, status: 413, error: 'request_too_large' });
  });

  test('a cancelled stream ends with the client, and costs what was delivered', async () => {
    await breakFirst('endless');
    const leaving = new AbortController();
    const { response, requestId } = await chat({ ...question(), stream: true }, { signal: leaving.signal });
    await response.body?.getReader().read();
    leaving.abort();
    expect(await recordOf(requestId)).toMatchObject({
      status: 499,
      error: 'client_closed_request',
      endReason: 'client_gone',
      stream: true,
      source: 'estimated',
      attempts: [{ provider: 'sandbox-a', error: 'caller_cancelled' }],
    });
  });

  test('no record has a word of a request or a response', async () => {
    const secret = 'the-secret-word-of-this-test';
    const { requestId } = await chat({ ...question(), messages: [{ role: 'user', content: secret }] });
    const refused = await chat({
      ...question(),
      model: 'unknown-model',
      messages: [{ role: 'user', content: secret }],
    });
    for (const id of [requestId, refused.requestId]) expect(JSON.stringify(await recordOf(id))).not.toContain(secret);
  });

  test('prompt and answer are kept once the account wants it, each read is audited, and they can be deleted', async () => {
    const contentOf = async (text: string, stream = false) => {
      const messages = [{ role: 'user', content: text }];
      const { response, requestId } = await chat({ model: 'sandbox-chat', messages, stream });
      await response.text();
      const { id } = await recordOf(requestId);
      return { id, read: () => owner.ask(`GET /requests/${id}/content`) };
    };
    const before = await contentOf('Not this');
    expect((await owner.ask('PATCH /account', { contentLog: { days: 7, maxBytes: 4_096 } })).status).toBe(200);
    for (const stream of [false, true]) {
      const { id, read } = await contentOf(`Keep this, ${stream}`, stream);
      await expect.poll(async () => (await read()).status).toBe(200);
      const text = expect.stringContaining(`Keep this, ${stream}`);
      expect((await read()).body).toEqual({
        prompt: { parts: [{ role: 'user', kind: 'text', text }], cut: false },
        answer: { parts: [{ kind: 'text', text }], cut: false },
      });
      const { body } = await owner.ask('GET /audit?limit=1');
      expect(body['entries']).toMatchObject([{ action: 'content.read', subject: id }]);
    }
    expect((await before.read()).status).toBe(404);
    expect((await owner.ask('DELETE /account/contents')).body).toEqual({ deleted: 2 });
    await owner.ask('PATCH /account', { contentLog: null });
  });
});
