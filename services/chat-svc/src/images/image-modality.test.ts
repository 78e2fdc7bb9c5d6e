import type { Catalogue } from '@tallyport/contracts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ChatBench, sharedModelEntry, startChatBench } from '../testing/chat-bench.ts';

const model = 'gemini-2.5-flash-image';

const pricing = { prompt: '0.000001', completion: '0.00003', image: '1' };

/** A model for text and images, at a provider with OpenRouter's format. */
function catalogue(simulatorUrl: string): Catalogue {
  const [offer, ...rest] = sharedModelEntry().offers;
  if (offer === undefined || rest.length === 0) throw new Error('The sandbox has no offers.');
  return {
    version: '1',
    providers: [{ id: 'own', baseUrl: `${simulatorUrl}/openrouter/api/v1`, keyVariable: 'OWN' }],
    models: [
      {
        ...sharedModelEntry(),
        id: model,
        aliases: [],
        outputModalities: ['text', 'image'],
        offers: [{ ...offer, providerId: 'own', modelName: `google/${model}`, vision: true, pricing }],
      },
    ],
  };
}

let bench: ChatBench;
beforeAll(async () => {
  vi.stubEnv('OWN_API_KEY', 'key');
  bench = await startChatBench({ catalogue });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await bench.close();
});

test.each([false, true])('counts the images of a model that also writes text (streamed: %s)', async (stream) => {
  const counted = async (): Promise<number> =>
    Number(/gateway_images_total\{provider="own".* (\d+)\n/.exec(await bench.metrics())?.[1] ?? 0);
  const before = await counted();
  const { text } = await bench.ask({ model, stream, messages: [{ role: 'user', content: 'A fox' }] });
  expect(text).toContain('data:image/png;base64,');
  await expect.poll(counted).toBe(before + 1);
  expect(await bench.metrics()).toContain(
    `gateway_images_total{provider="own",model="${model}",op="chat",size_class="unknown"} ${before + 1}\n`,
  );
});

test.each([false, true])(
  'a record of use has them, and they are paid for once, by their tokens (streamed: %s)',
  async (stream) => {
    const principal = { accountId: 'account', keyId: 'key' };
    const before = bench.usage.length;
    await bench.ask({ model, stream, messages: [{ role: 'user', content: 'A fox' }] }, { principal });
    await expect.poll(() => bench.usage.length).toBe(before + 1);
    const record = bench.usage.at(-1);
    expect([record?.images, record?.source, Object.keys(record?.costs ?? {})]).toEqual([
      1,
      'reported',
      ['input', 'output'],
    ]);
  },
);
