import type { Plan } from '@tallyport/dispatch';
import type { CallSignatureRules } from '@tallyport/providers';
import { createByteQuota, openStore, type Store } from '@tallyport/store';
import type { ChatRequest } from '@tallyport/wire';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sharedModelEntry } from '../testing/chat-bench.ts';
import { type ChatConversation, createSignatureMemory } from './signature-memory.ts';

let store: Store;
beforeEach(async () => {
  store = await openStore();
});
afterEach(() => store.close());

/** A vendor that signs every tool call, and one that does not use signatures. */
const signer: CallSignatureRules = {
  missingIn: ({ messages }) =>
    messages.flatMap((message, place) =>
      message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id: name }) => ({ place, name })) : [],
    ),
};
const findProvider = (id: string) => (id === 'signing' ? { callSignatures: signer } : {});

const memoryOf = (maxBytes = 1024 ** 3) =>
  createSignatureMemory({ store, quota: createByteQuota({ store, name: 'signatures', maxBytes }), findProvider });

const planOf = (modelId: string, ...providerIds: string[]): Plan => {
  const model = sharedModelEntry({ id: modelId });
  const [offer] = model.offers;
  if (offer === undefined) throw new Error('The shared model has offers.');
  return {
    model,
    requestedModel: modelId,
    requestedProvider: undefined,
    candidates: providerIds.map((providerId) => ({ offer: { ...offer, providerId }, reason: 'pinned' })),
    excluded: [],
    maxAttempts: 3,
  } as unknown as Plan;
};
const withCalls = (...ids: string[]): ChatRequest => ({
  model: 'm',
  messages: [
    { role: 'user', content: 'Hello' },
    ...(ids.length === 0
      ? []
      : [
          {
            role: 'assistant' as const,
            content: null,
            tool_calls: ids.map((id) => ({ id, type: 'function' as const, function: { name: 'f', arguments: '{}' } })),
          },
        ]),
  ],
});
/** The conversation whose last answer has calls with these ids, or before that answer if there are none. */
const conversation = (ids: string[], changes: Partial<ChatConversation> = {}): ChatConversation => ({
  principal: { accountId: 'account', projectId: 'project' },
  endUser: () => 'ann',
  plan: planOf('m', 'signing'),
  request: withCalls(...ids),
  ...changes,
});

test('recalls the signatures it kept, and no others', async () => {
  const memory = memoryOf();
  const keep = memory.keeper(conversation([]));
  keep?.('call_1', 'signature of one');
  keep?.('call_2', 'signature of two ü');
  const known = await memory.recall(conversation(['call_1', 'call_2', 'call_3']));
  expect(['call_1', 'call_2', 'call_3'].map((name) => known?.get(1, name))).toEqual([
    'signature of one',
    'signature of two ü',
    undefined,
  ]);
});

describe('does not recall them for', () => {
  test.each<[string, Partial<ChatConversation>]>([
    ['another account', { principal: { accountId: 'stranger', projectId: 'project' } }],
    ['another project', { principal: { accountId: 'account', projectId: 'other' } }],
    ['nobody', { principal: undefined }],
    ['another end user', { endUser: () => 'bob' }],
    ['no end user', { endUser: () => undefined }],
    ['another model', { plan: planOf('other', 'signing') }],
  ])('%s', async (_name, changes) => {
    const memory = memoryOf();
    memory.keeper(conversation([]))?.('call_1', 'signature');
    expect((await memory.recall(conversation(['call_1'], changes)))?.size).toBe(0);
  });
});

test('does not read the store if no vendor signs or nothing is missing', () => {
  const memory = createSignatureMemory({
    store: { delete: unasked, get: unasked, set: unasked },
    quota: { take: unasked },
    findProvider,
  });
  const plain = { plan: planOf('m', 'plain') };
  expect(memory.recall(conversation(['call_1'], plain))).toBeUndefined();
  expect(memory.keeper(conversation(['call_1'], plain))).toBeUndefined();
  expect(memory.recall(conversation([]))).toBeUndefined();
});

test('one signing provider in the plan is enough', async () => {
  const memory = memoryOf();
  const mixed = { plan: planOf('m', 'plain', 'signing') };
  memory.keeper(conversation([], mixed))?.('call_1', 'signature');
  expect((await memory.recall(conversation(['call_1'], mixed)))?.get(1, 'call_1')).toBe('signature');
});

test('recalls nothing and does not fail while the store is unavailable', async () => {
  await store.close();
  const memory = memoryOf();
  memory.keeper(conversation([]))?.('call_1', 'signature');
  expect((await memory.recall(conversation(['call_1'])))?.size).toBe(0);
});

test('limits: 64 calls of an answer, the last 512 of a request, 64 KiB of a signature', async () => {
  const memory = memoryOf();
  const ids = Array.from({ length: 65 }, (_, at) => `call_${at}`);
  const keep = memory.keeper(conversation([]));
  for (const id of ids) keep?.(id, 'signature');
  const more = Array.from({ length: 448 }, (_, at) => `more_${at}`);
  expect((await memory.recall(conversation([...ids, ...more])))?.size).toBe(63);
  expect((await memory.recall(conversation(ids)))?.size).toBe(64);
  const keepLong = memory.keeper(conversation([]));
  keepLong?.('fits', 'x'.repeat(64 * 1024));
  keepLong?.('too long', 'x'.repeat(64 * 1024 + 1));
  const known = await memory.recall(conversation(['fits', 'too long']));
  expect([known?.size, known?.get(1, 'fits')?.length]).toEqual([1, 64 * 1024]);
});

test('reads no more than 4 MiB for a request, the last signatures first', async () => {
  const memory = memoryOf();
  const ids = Array.from({ length: 192 }, (_, at) => `call_${at}`);
  for (const id of ids) memory.keeper(conversation([]))?.(id, 'x'.repeat(64 * 1024));
  const known = await memory.recall(conversation(ids));
  expect([known?.size, known?.get(1, 'call_191')?.length, known?.get(1, 'call_127')]).toEqual([
    64,
    64 * 1024,
    undefined,
  ]);
});

test('keeps no more of an account than its quota, and that of others all the same', async () => {
  const memory = memoryOf(2_000);
  const stranger = { principal: { accountId: 'stranger' } };
  for (const id of ['call_1', 'call_2']) memory.keeper(conversation([]))?.(id, 'x'.repeat(1_000));
  memory.keeper(conversation([], stranger))?.('call_1', 'x'.repeat(1_000));
  await expect.poll(async () => (await memory.recall(conversation(['call_1', 'call_2'])))?.size).toBe(1);
  expect((await memory.recall(conversation(['call_1'], stranger)))?.size).toBe(1);
});

test('keeps signatures for a day', async () => {
  const kept: number[] = [];
  const memory = createSignatureMemory({
    store: { delete: unasked, get: unasked, set: async (_key, _value, ttlMs) => (kept.push(ttlMs), 'stored') },
    quota: { take: async (_holder, _bytes, keptMs) => (kept.push(keptMs), { slot: 0, giveBack() {} }) },
    findProvider,
  });
  memory.keeper(conversation([]))?.('call_1', 'signature');
  expect(kept).toEqual([86_400_000, 86_400_000]);
});

function unasked(): never {
  throw new Error('The store was read.');
}
