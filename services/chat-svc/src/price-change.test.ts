import { afterEach, expect, test } from 'vitest';
import { type ChatBench, sharedModelEntry, startChatBench } from './testing/chat-bench.ts';

const benches: ChatBench[] = [];
afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.close();
});

const priced = (prompt: string) => {
  const model = sharedModelEntry();
  return { ...model, offers: model.offers.map((offer) => ({ ...offer, pricing: { prompt, completion: '0' } })) };
};

test('a price takes force at its moment on each replica under load, and no record has a version of another price', async () => {
  const at = Date.now() + 2_000;
  const next = { at: new Date(at).toISOString(), version: 'after', models: [priced('0.003')] };
  const catalogue = { version: 'before', models: [priced('0.002')], next };
  benches.push(await startChatBench({ catalogue }), await startChatBench({ catalogue }));
  const principal = { accountId: 'acc', keyId: 'key' };
  const sentAt = new Map<string, number>();

  const ask = async (bench: ChatBench, requestId: string) => {
    sentAt.set(requestId, Date.now());
    const messages = [{ role: 'user', content: `Hello ${requestId}` }];
    await bench.ask({ model: 'shared', messages }, { principal, requestId });
  };
  const load = async (bench: ChatBench, name: string) => {
    for (let count = 0; Date.now() < at + 500; count += 1) await ask(bench, `${name}_${count}`);
  };
  await Promise.all(benches.flatMap((bench, at) => [0, 1, 2].map((lane) => load(bench, `req_${at}_${lane}`))));

  for (const { usage } of benches) {
    const records = usage.map(({ requestId, priceVersion, cost, tokens: { input }, at: ended }) => ({
      requestId,
      priceVersion,
      isPriced: Number(cost) * 1000 === input * (priceVersion === 'before' ? 2 : 3),
      isTimely: priceVersion === 'before' ? sentAt.get(requestId)! < at : Date.parse(ended) >= at,
    }));
    expect(records.filter(({ isPriced, isTimely }) => !isPriced || !isTimely)).toEqual([]);
    expect(new Set(records.map(({ priceVersion }) => priceVersion))).toEqual(new Set(['before', 'after']));
  }
});
