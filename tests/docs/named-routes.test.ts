import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type Gateway, startGateway } from '../gateway/in-process.ts';
import { createAdminKey } from './admin-key.ts';

// The walk of docs/routing.md: a canary at 5 %, a provider down, a model down, a budget nearly spent.

let gateway: Gateway;
let admin: string;
beforeAll(async () => {
  gateway = await startGateway();
  admin = await createAdminKey(gateway);
  await manage('PUT', '/routes/fast', {
    targets: [
      { model: 'sandbox-chat', weight: 95 },
      { model: 'sandbox-reasoner', weight: 5 },
    ],
    then: ['sandbox-fast'],
    when: [{ if: 'budget.left < 5', use: ['sandbox-fast'] }],
  });
});
afterEach(() => faults({ method: 'DELETE' }));
afterAll(async () => {
  await gateway.stop();
});

async function manage(method: string, path: string, body: object): Promise<unknown> {
  const response = await send(`/api/v1${path}`, { method, key: admin, body });
  expect([response.status, path]).toEqual([expect.toSatisfy((status) => status < 300), path]);
  return response.json();
}

interface Sent {
  method: string;
  key: string;
  body: object;
}

const send = (path: string, { method, key, body }: Sent): Promise<Response> =>
  fetch(`${gateway.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const offer = z.object({ provider: z.string(), model: z.string() });
const answer = z.object({
  metadata: z.object({
    request_id: z.string(),
    requested_model: z.string(),
    used_model: z.string(),
    routing: z.array(offer),
    not_tried: z.array(offer).default([]),
  }),
});

async function ask(question: string, key = gateway.apiKey) {
  const body = { model: 'fast', max_tokens: 5, messages: [{ role: 'user', content: question }] };
  const response = await send('/v1/chat/completions', { method: 'POST', key, body });
  expect(response.status).toBe(200);
  return answer.parse(await response.json()).metadata;
}

const faults = (init: RequestInit) =>
  fetch(`${gateway.sandboxUrl}/control/faults`, { headers: { 'content-type': 'application/json' }, ...init });
const breakAt = (provider: string, model: string) =>
  faults({ method: 'POST', body: JSON.stringify({ provider, model, fault: 'status:503' }) });

/** As the ledger has it; absent until it is written. */
async function recordOf(requestId: string) {
  const list = z.object({ requests: z.array(z.object({ id: z.string() })) });
  const [found] = list.parse(await read(`/api/v1/requests?id=${requestId}`)).requests;
  return found && recordSchema.parse(await read(`/api/v1/requests/${found.id}`));
}

const recordSchema = z.object({ route: z.unknown(), plan: z.object({ offers: z.array(offer) }).optional() });

const read = async (path: string): Promise<unknown> =>
  (await fetch(`${gateway.baseUrl}${path}`, { headers: { authorization: `Bearer ${admin}` } })).json();

test('a canary gets about 5 % of the conversations, and keeps them', async () => {
  await expect.poll(async () => (await ask('Is the route known?')).requested_model).toBe('fast');
  const answers = await Promise.all(Array.from({ length: 200 }, (_, at) => ask(`Conversation ${at}`)));
  const canaries = answers.filter(({ used_model: used }) => used === 'sandbox-reasoner').length;
  expect(canaries).toBeGreaterThan(1);
  expect(canaries).toBeLessThan(30);
  const again = await Promise.all(Array.from({ length: 20 }, (_, at) => ask(`Conversation ${at}`)));
  expect(again.map((each) => each.used_model)).toEqual(answers.slice(0, 20).map((each) => each.used_model));
});

test('the answer of the first offer and its record have all offers of all models', async () => {
  const { request_id: id, routing, not_tried: left } = await ask('Which others are there?');
  const names = (offers: readonly z.infer<typeof offer>[] = []) =>
    offers.map(({ provider, model }) => `${provider}/${model}`).toSorted();
  const all = names([...routing, ...left]);
  expect(all).toEqual([
    'sandbox-a/sandbox-chat',
    'sandbox-a/sandbox-fast',
    'sandbox-b/sandbox-chat',
    'sandbox-b/sandbox-reasoner',
    'sandbox-c/sandbox-chat',
  ]);
  expect(routing).toHaveLength(1);
  await expect.poll(async () => names((await recordOf(id))?.plan?.offers)).toEqual(all);
});

test('a provider that is down is replaced by another one of the same model', async () => {
  await breakAt('sandbox-a', 'sandbox-chat');
  const { used_model: used, routing } = await ask('Conversation 0');
  // One request in a hundred tries another offer first.
  expect([used, routing.at(-1)?.provider]).toEqual(['sandbox-chat', expect.stringMatching(/^sandbox-[bc]$/)]);
});

test('a model that is down is replaced by the other target, and all of them by the last resort', async () => {
  for (const provider of ['sandbox-a', 'sandbox-b', 'sandbox-c']) {
    for (const model of ['sandbox-chat', 'sandbox-reasoner']) await breakAt(provider, model);
  }
  const { requested_model: requested, used_model: used, routing } = await ask('Conversation 0');
  expect([requested, used]).toEqual(['fast', 'sandbox-fast']);
  expect(new Set(routing.map(({ model }) => model))).toEqual(
    new Set(['sandbox-chat', 'sandbox-reasoner', 'sandbox-fast']),
  );
});

test('a budget that is nearly spent chooses the model of the condition', async () => {
  const created = await manage('POST', '/keys', { name: 'poor', budget: { amount: '4', period: 'month' } });
  const { key } = z.object({ key: z.string() }).parse(created);
  const { used_model: used, request_id: id } = await ask('A question', key);
  expect(used).toBe('sandbox-fast');
  const route = { name: 'fast', owner: 'account', target: 'sandbox-fast', reason: 'condition' };
  await expect.poll(async () => (await recordOf(id))?.route).toEqual(route);
});
