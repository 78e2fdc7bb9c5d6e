import type { Plan } from '@tallyport/dispatch';
import type { CallSignatureRules } from '@tallyport/providers';
import { openStore, type Store } from '@tallyport/store';
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
    messages.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : [])),
};
const providers = (id: string) => (id === 'signing' ? { callSignatures: signer } : {});

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
    {
      role: 'assistant',
      content: null,
      tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
    },
  ],
});
const conversation = (ids: string[], changes: Partial<ChatConversation> = {}): ChatConversation => ({
  accountId: 'account',
  plan: planOf('m', 'signing'),
  request: withCalls(...ids),
  ...changes,
});

test('recalls the signatures it kept, and no others', async () => {
  const memory = createSignatureMemory(store, providers);
  const keep = memory.keeper(conversation([]));
  keep?.('call_1', 'signature of one');
  keep?.('call_2', 'signature of two ü');
  expect(await memory.recall(conversation(['call_1', 'call_2', 'call_3']))).toEqual(
    new Map([
      ['call_1', 'signature of one'],
      ['call_2', 'signature of two ü'],
    ]),
  );
});

describe('does not recall them for', () => {
  test.each<[string, Partial<ChatConversation>]>([
    ['another account', { accountId: 'stranger' }],
    ['nobody', { accountId: undefined }],
    ['another model', { plan: planOf('other', 'signing') }],
  ])('%s', async (_name, changes) => {
    const memory = createSignatureMemory(store, providers);
    memory.keeper(conversation([]))?.('call_1', 'signature');
    expect(await memory.recall(conversation(['call_1'], changes))).toEqual(new Map());
  });
});

test('does not read the store if no vendor signs or nothing is missing', () => {
  const memory = createSignatureMemory({ get: unasked, set: unasked }, providers);
  const plain = { plan: planOf('m', 'plain') };
  expect(memory.recall(conversation(['call_1'], plain))).toBeUndefined();
  expect(memory.keeper(conversation(['call_1'], plain))).toBeUndefined();
  expect(memory.recall(conversation([]))).toBeUndefined();
});

test('one signing provider in the plan is enough', async () => {
  const memory = createSignatureMemory(store, providers);
  const mixed = { plan: planOf('m', 'plain', 'signing') };
  memory.keeper(conversation([], mixed))?.('call_1', 'signature');
  expect(await memory.recall(conversation(['call_1'], mixed))).toEqual(new Map([['call_1', 'signature']]));
});

test('recalls nothing and does not fail while the store is unavailable', async () => {
  await store.close();
  const memory = createSignatureMemory(store, providers);
  memory.keeper(conversation([]))?.('call_1', 'signature');
  expect(await memory.recall(conversation(['call_1']))).toEqual(new Map());
});

test('limits: 64 calls of an answer, the last 64 of a request, 64 KiB of a signature', async () => {
  const memory = createSignatureMemory(store, providers);
  const ids = Array.from({ length: 65 }, (_, at) => `call_${at}`);
  const keep = memory.keeper(conversation([]));
  for (const id of ids) keep?.(id, 'signature');
  expect((await memory.recall(conversation(ids.slice(0, 64))))?.size).toBe(64);
  const known = await memory.recall(conversation(ids));
  expect([known?.has('call_0'), known?.has('call_1'), known?.has('call_64')]).toEqual([false, true, false]);
  const keepLong = memory.keeper(conversation([]));
  keepLong?.('fits', 'x'.repeat(64 * 1024));
  keepLong?.('too long', 'x'.repeat(64 * 1024 + 1));
  expect([...((await memory.recall(conversation(['fits', 'too long'])))?.keys() ?? [])]).toEqual(['fits']);
});

test('keeps signatures for a day', async () => {
  const kept: number[] = [];
  const memory = createSignatureMemory(
    { get: unasked, set: async (_key, _value, ttlMs) => (kept.push(ttlMs), 'stored') },
    providers,
  );
  memory.keeper(conversation([]))?.('call_1', 'signature');
  expect(kept).toEqual([86_400_000]);
});

function unasked(): never {
  throw new Error('The store was read.');
}
