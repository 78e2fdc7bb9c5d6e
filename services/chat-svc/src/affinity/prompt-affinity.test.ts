import { offerOf } from '@tallyport/contracts/testing';
import type { CandidateReason, Plan } from '@tallyport/dispatch';
import { openMemoryStore } from '@tallyport/store';
import { expect, onTestFinished, test } from 'vitest';
import { sharedModelEntry } from '../testing/chat-bench.ts';
import { openPromptAffinity } from './prompt-affinity.ts';

const cached = { pricing: { prompt: '1', completion: '1', input_cache_read: '0.1' } };
const [first, second] = [offerOf('first', cached), offerOf('second', cached)];
const model = sharedModelEntry({ offers: [first, second] });
const head = { requestId: 'r', timeoutMs: 1, headers: {} };
const ground = { obstacle: () => undefined };
const chat = { head, request: { model: 'm', messages: [], prompt_cache_key: 'one' }, model, ground };
const accountWithoutObstacles = { ...ground, all: () => [], hasOwnKey: () => false };
const planOf = (reason: CandidateReason = 'score') =>
  ({
    candidates: [
      { offer: first, reason },
      { offer: second, reason: 'score' },
    ],
  }) as unknown as Plan;

function opened({ store = openMemoryStore(), affinityMs = 60_000 } = {}) {
  const affinity = openPromptAffinity(store, { affinityMs, affinityCharacters: 100 });
  onTestFinished(() => affinity.close());
  return affinity;
}

test('the offer that served last is the one with the prompt', () => {
  const affinity = opened();
  expect(affinity.of(chat)?.cachedAt()).toBeUndefined();
  affinity.of(chat)?.served(first, planOf());
  affinity.of(chat)?.served(second, planOf());
  expect(affinity.of(chat)?.cachedAt()).toBe('second/model');
  const other = { ...chat, request: { ...chat.request, prompt_cache_key: 'two' } };
  expect(affinity.of(other)?.cachedAt()).toBeUndefined();
});

test('an exploring chat moves no conversation', () => {
  const affinity = opened();
  affinity.of(chat)?.served(second, planOf());
  affinity.of(chat)?.served(first, planOf('explore'));
  affinity.of(chat)?.served(first, planOf('trial'));
  expect(affinity.of(chat)?.cachedAt()).toBe('second/model');
});

test('it ends after its time, however often it is used', async () => {
  const affinity = opened({ affinityMs: 60 });
  affinity.of(chat)?.served(first, planOf());
  const used = () => {
    const at = affinity.of(chat)?.cachedAt();
    if (at !== undefined) affinity.of(chat)?.served(first, planOf());
    return at;
  };
  await expect.poll(used, { interval: 10 }).toBeUndefined();
});

test('replicas learn from each other', async () => {
  const store = openMemoryStore();
  const [here, there] = [opened({ store }), opened({ store })];
  here.of(chat)?.served(second, planOf());
  await expect.poll(() => there.of(chat)?.cachedAt()).toBe('second/model');
});

test('a notice of another release changes nothing', async () => {
  const store = openMemoryStore();
  const affinity = opened({ store });
  await store.publish('chat:affinity', Buffer.from('{"version":2}'));
  affinity.of(chat)?.served(first, planOf());
  expect(affinity.of(chat)?.cachedAt()).toBe('first/model');
});

test('nothing is remembered without a reason', () => {
  const plain = offerOf('plain');
  const affinity = opened();
  expect(affinity.of({ ...chat, model: sharedModelEntry({ offers: [first] }) })).toBeUndefined();
  expect(affinity.of({ ...chat, model: sharedModelEntry({ offers: [plain, plain] }) })).toBeUndefined();
  const mixed = affinity.of({ ...chat, model: sharedModelEntry({ offers: [first, plain] }) });
  mixed?.served(plain, planOf());
  expect(mixed?.cachedAt()).toBeUndefined();
  const onlyFirst = { obstacle: (providerId: string) => (providerId === 'first' ? undefined : 'set a key') };
  expect(affinity.of({ ...chat, ground: onlyFirst })).toBeUndefined();
  expect(affinity.of({ ...chat, ground: { ...onlyFirst, account: accountWithoutObstacles } })).toBeDefined();
  expect(opened({ affinityMs: 0 }).of(chat)).toBeUndefined();
});

test('20,000 conversations are remembered', () => {
  const affinity = opened();
  const at = (index: number) =>
    affinity.of({ ...chat, request: { ...chat.request, prompt_cache_key: `conversation ${index}` } });
  for (let index = 0; index < 20_000; index += 1) at(index)?.served(first, planOf());
  expect(at(0)?.cachedAt()).toBe('first/model');
  at(20_000)?.served(first, planOf());
  expect([at(0)?.cachedAt(), at(1)?.cachedAt(), at(20_000)?.cachedAt()]).toEqual([
    'first/model',
    undefined,
    'first/model',
  ]);
});
