import type { Simulator } from '@tallyport/simulator';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { type Owner, signInOwner } from './owner.ts';

export const serviceKey = 'sk-the-key-of-the-service';
export const ownKey = 'sk-the-account-s-own-key-4711';
export const secondKey = 'sk-the-account-s-second-key-0042';
const refusedKey = 'sk-a-key-its-vendor-refuses-0815';
export const provider = 'openai';
const model = `${provider}/gpt-6-luna`;

interface Running {
  baseUrl: string;
  /** API key of the default account, which belongs to the owner. */
  apiKey: string;
  /** Simulates the provider and accepts its keys. */
  simulator: Simulator;
}

/** Tests own provider keys from the management API to the vendor. */
export function providerKeysSuite(running: () => Running): void {
  let owner: Owner;
  let id: string;
  beforeAll(async () => {
    owner = await signInOwner(running().baseUrl);
  });
  afterEach(() => running().simulator.reset());

  const post = (path: string, body: object) =>
    fetch(`${running().baseUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${running().apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  let count = 0;
  const question = () => ({ model, messages: [{ role: 'user', content: `Question ${(count += 1)}` }] });
  const chat = async (changes: object = {}) => {
    const response = await post('/v1/chat/completions', { ...question(), ...changes });
    const text = await response.text();
    return { status: response.status, text };
  };
  const routing = (text: string): object[] => JSON.parse(text).metadata.routing;
  /** The keys that the vendor received for several concurrent chats, which reach every replica. */
  const keysSeen = async () => {
    running().simulator.reset();
    await Promise.all(Array.from({ length: 6 }, () => chat()));
    const keys = running().simulator.requests.map(({ headers }) =>
      String(headers.authorization).replace('Bearer ', ''),
    );
    return [...new Set(keys)].toSorted();
  };
  const soon = { interval: 50 };
  /** Uses are written every five seconds. */
  const recorded = { interval: 250 };
  const attempt = (changes: object) => ({
    provider,
    model: 'gpt-6-luna',
    status_code: 200,
    error_type: 'none',
    succeeded: true,
    duration_ms: expect.any(Number),
    ...changes,
  });
  const refused = { status_code: 401, error_type: 'own_key_refused', succeeded: false, own_key: true };
  const explained = async () => {
    const { candidates } = JSON.parse(await (await post('/v1/routes/explain', question())).text());
    return candidates.map(({ key }: { key: string }) => key);
  };

  test('without own keys, the gateway’s key is used', async () => {
    expect(await keysSeen()).toEqual([serviceKey]);
  });

  test('every replica soon uses an own key, and no answer shows it', async () => {
    const created = await owner.ask('POST /provider-keys', { provider, label: 'ours', key: ownKey });
    expect(created).toMatchObject({ status: 201, body: { provider, label: 'ours', lastFour: '4711', enabled: true } });
    id = String(created.body['id']);
    await expect.poll(keysSeen, soon).toEqual([ownKey]);
    const { text } = await chat();
    expect(routing(text)).toEqual([attempt({ own_key: true })]);
    expect(await explained()).toEqual(['own']);
    const listed = await owner.ask('GET /provider-keys');
    const log = await owner.ask('GET /audit');
    for (const seen of [created.text, text, listed.text, log.text]) expect(seen).not.toContain('account-s-own-key');
    expect(log.text).toContain('provider_key.created');
  });

  const listedKey = async () => {
    const { providerKeys } = (await owner.ask('GET /provider-keys')).body as { providerKeys: { id: string }[] };
    return providerKeys.find((key) => key.id === id);
  };

  test('it is tested with one small call, and its last use is listed', async () => {
    await expect.poll(listedKey, recorded).toMatchObject({ state: 'enabled', lastUsedAt: expect.any(String) });
    running().simulator.reset();
    const { status, body, text } = await owner.ask(`POST /provider-keys/${id}/test`);
    expect([status, body]).toMatchObject([200, { ok: true, message: expect.stringContaining('The key works') }]);
    expect(text).not.toContain('account-s-own-key');
    const calls = running().simulator.requests.map(({ headers, body: sent }) => [headers.authorization, sent]);
    expect(calls).toEqual([[`Bearer ${ownKey}`, expect.anything()]]);
  });

  test('streams use it', async () => {
    const { status, text } = await chat({ stream: true });
    expect(status).toBe(200);
    expect(text).toContain('"own_key":true');
    expect(running().simulator.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${ownKey}`]);
  });

  test('of several keys the first one is used, in the order that the account sets; the next one if it is refused', async () => {
    const { body } = await owner.ask('POST /provider-keys', { provider, label: 'second', key: secondKey });
    const second = String(body['id']);
    expect(body).toMatchObject({ position: 2 });
    await owner.ask(`PATCH /provider-keys/${second}`, { position: 1 });
    await expect.poll(keysSeen, soon).toEqual([secondKey]);
    await owner.ask(`PATCH /provider-keys/${second}`, { key: refusedKey });
    await expect.poll(keysSeen, soon).not.toContain(secondKey);
    const { text } = await chat();
    expect([[attempt(refused), attempt({ own_key: true })], [attempt({ own_key: true })]]).toContainEqual(
      routing(text),
    );
    await owner.ask(`DELETE /provider-keys/${second}`);
    await expect.poll(keysSeen, soon).toEqual([ownKey]);
  });

  test('image generations and edits use it', async () => {
    const request = { model: `${provider}/gpt-image-2`, prompt: 'A red fox' };
    const made = JSON.parse(await (await post('/v1/images/generations', request)).text());
    const images = [{ image_url: `data:image/png;base64,${made.data[0].b64_json}` }];
    const changed = JSON.parse(await (await post('/v1/images/edits', { ...request, images })).text());
    const own = [attempt({ model: 'gpt-image-2', own_key: true })];
    expect([made.metadata.routing, changed.metadata.routing]).toEqual([own, own]);
    const sent = running().simulator.requests.map(({ headers }) => headers.authorization);
    expect(sent).toEqual([`Bearer ${ownKey}`, `Bearer ${ownKey}`]);
  });

  test('if the vendor refuses an own key, the gateway’s key is used', async () => {
    expect(await owner.ask(`PATCH /provider-keys/${id}`, { key: refusedKey })).toMatchObject({
      status: 200,
      body: { lastFour: '0815' },
    });
    await expect.poll(keysSeen, soon).not.toContain(ownKey);
    const { status, text } = await chat();
    expect(status).toBe(200);
    // A replica that has just seen the refusal does not try the key again.
    expect([[attempt(refused), attempt({})], [attempt({})]]).toContainEqual(routing(text));
  });

  test('a refused key is shown as refused, by its use and by a test', async () => {
    const error = { type: 'own_key_refused', at: expect.any(String) };
    await expect.poll(listedKey, recorded).toMatchObject({ enabled: true, state: 'refused', lastError: error });
    const { status, body } = await owner.ask(`POST /provider-keys/${id}/test`);
    expect([status, body]).toMatchObject([200, { ok: false, problem: 'refused' }]);
    expect((await owner.ask('POST /provider-keys/provider_key_none/test')).status).toBe(404);
  });

  test('with own keys only, the refusal is reported as a fault of the upstream key, not of the client', async () => {
    expect(await owner.ask('PATCH /account', { providerKeyMode: 'own_only' })).toMatchObject({ status: 200 });
    await expect.poll(async () => (await chat()).status, soon).toBe(502);
    expect(await keysSeen()).toEqual([refusedKey]);
    const { text } = await chat();
    expect(JSON.parse(text).error).toMatchObject({
      type: 'upstream_error',
      code: 'upstream_auth',
      message: expect.stringContaining("rejected your account's own key"),
      attempts: [{ provider, status: 401, kind: 'own_key_refused' }],
    });
    expect(text).not.toContain('0815');
  });

  test('a disabled key is not used, and with own keys only no provider is called', async () => {
    await owner.ask(`PATCH /provider-keys/${id}`, { enabled: false });
    await expect.poll(keysSeen, soon).toEqual([]);
    const { status, text } = await chat();
    expect(status).toBe(400);
    expect(JSON.parse(text).error.message).toContain(`add your own key for ${provider}`);
    await owner.ask(`PATCH /provider-keys/${id}`, { enabled: true, key: ownKey });
    await expect.poll(keysSeen, soon).toEqual([ownKey]);
  });

  test('an account can use only the gateway’s keys', async () => {
    await owner.ask('PATCH /account', { providerKeyMode: 'service_only' });
    await expect.poll(keysSeen, soon).toEqual([serviceKey]);
    await owner.ask('PATCH /account', { providerKeyMode: 'own_first' });
    await expect.poll(keysSeen, soon).toEqual([ownKey]);
  });

  test('a deleted key is not used after a second', async () => {
    expect((await owner.ask(`DELETE /provider-keys/${id}`)).status).toBe(200);
    await expect.poll(keysSeen, soon).toEqual([serviceKey]);
    expect(await owner.ask(`DELETE /provider-keys/${id}`)).toMatchObject({ status: 404 });
  });
}
