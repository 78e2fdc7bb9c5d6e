import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type AskOptions, type ChatBench, sharedModelEntry, startChatBench } from '../testing/chat-bench.ts';

let bench: ChatBench;
let providers: readonly string[];
beforeAll(async () => {
  const entry = sharedModelEntry();
  const cached = { prompt: '0.000001', completion: '0.000001', input_cache_read: '0.0000001' };
  const offers = entry.offers.map((offer) => ({ ...offer, pricing: cached }));
  const plain = sharedModelEntry({ id: 'plain', aliases: [] });
  bench = await startChatBench({ catalogue: { version: '1', models: [{ ...entry, offers }, plain] } });
  ({ providers } = bench);
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

const principal = { accountId: 'account', keyId: 'key' };
let conversations = 0;
/** A conversation with a long beginning of its own. */
function newConversation(model = 'sandbox-chat') {
  const system = { role: 'system', content: `Conversation ${(conversations += 1)}. ${'Be brief. '.repeat(400)}` };
  const body = (said: string, changes: object) => ({
    model,
    messages: [system, { role: 'user', content: said }],
    ...changes,
  });
  return {
    /** The provider that answers. */
    async ask(said: string, changes: object = {}): Promise<string> {
      const { status } = await bench.ask(body(said, changes), { principal });
      expect(status).toBe(200);
      return bench.simulator.requests.at(-1)?.provider ?? '';
    },
    /** The provider that is tried first, and whether that is because of its cache. */
    async explain(options: AskOptions = { principal }) {
      const { candidates } = JSON.parse((await bench.explain(body('Explain.', {}), options)).text);
      return { provider: candidates[0].provider, byAffinity: candidates[0].reason === 'affinity' };
    },
  };
}

/** Asks while a provider fails, so that another one serves the conversation. Returns both. */
async function moved(conversation: ReturnType<typeof newConversation>, changes: object = {}) {
  const { provider: failed } = await conversation.explain();
  bench.simulator.faults.set({ provider: failed, fault: 'status:503' });
  const served = await conversation.ask('One', changes);
  bench.simulator.reset();
  expect(served).not.toBe(failed);
  return { failed, served };
}

test.each([{}, { stream: true }])('a conversation stays with the offer that answered it last: %j', async (changes) => {
  const conversation = newConversation();
  const { served } = await moved(conversation, changes);
  expect([await conversation.ask('Two', changes), await conversation.ask('Three', changes)]).toEqual([served, served]);
  expect(await conversation.explain()).toEqual({ provider: served, byAffinity: true });
  expect(await newConversation().explain()).toMatchObject({ byAffinity: false });
});

test('it moves with the next failure', async () => {
  const conversation = newConversation();
  const first = await moved(conversation);
  const second = await moved(conversation);
  expect(second.failed).toBe(first.served);
  expect(await conversation.explain()).toEqual({ provider: second.served, byAffinity: true });
});

test('it is not known to another account', async () => {
  const conversation = newConversation();
  await moved(conversation);
  const another = { principal: { ...principal, accountId: 'another' } };
  expect(await conversation.explain(another)).toMatchObject({ byAffinity: false });
});

test('a key that may not use the offer ends it, and so does a client that names another provider', async () => {
  const conversation = newConversation();
  const { served } = await moved(conversation);
  const others = providers.filter((each) => each !== served);
  const restricted = { principal: { ...principal, allowedProviders: others } };
  expect(await conversation.explain(restricted)).toMatchObject({ byAffinity: false });
  const [named = ''] = others;
  expect(await conversation.ask('Two', { model: `${named}/sandbox-chat` })).toBe(named);
  expect(await conversation.explain()).toEqual({ provider: named, byAffinity: true });
});

test('a model without prices for cached tokens has none', async () => {
  const conversation = newConversation('plain');
  await moved(conversation);
  expect(await conversation.explain()).toMatchObject({ byAffinity: false });
});
