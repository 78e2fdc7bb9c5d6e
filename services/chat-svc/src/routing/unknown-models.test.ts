import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChatBench, sharedModelEntry, startChatBench } from '../testing/chat-bench.ts';

let bench: ChatBench;
let provider: string;
const principal = { accountId: 'account', keyId: 'key' };
const ask = (model: string) => bench.ask({ model, messages: [{ role: 'user', content: 'Hi' }] }, { principal });

beforeAll(async () => {
  const budgetless = { version: '1', models: [sharedModelEntry()] };
  bench = await startChatBench({ environment: { UNKNOWN_MODELS: 'allow' }, catalogue: budgetless });
  [provider = ''] = bench.providers;
});
afterAll(() => bench.close());

test('a model that is not in the catalogue is sent to its provider, marked, without a cost, under one metric label', async () => {
  const { status, text } = await ask(`${provider}/sandbox-fast`);
  expect(status).toBe(200);
  const { model, metadata, usage } = JSON.parse(text);
  expect([model, metadata.unlisted, metadata.used_provider, usage.cost]).toEqual([
    `${provider}/sandbox-fast`,
    true,
    provider,
    undefined,
  ]);
  expect(bench.simulator.requests.at(-1)).toMatchObject({ model: 'sandbox-fast' });
  await expect.poll(() => bench.metrics()).toContain('request_model="unlisted"');
  expect(await bench.metrics()).not.toContain('sandbox-fast');
  await expect.poll(() => bench.usage.map((record) => [record.model, record.cost])).toEqual([['sandbox-fast', null]]);
});

test('models of the catalogue are not marked', async () => {
  const { text } = await ask(sharedModelEntry().id);
  expect(JSON.parse(text).metadata).not.toHaveProperty('unlisted');
});

test('the error for a provider without a key names it, and no setting to an account of its own', async () => {
  expect((await ask('deepseek/made-up')).error).toMatchObject({
    code: 'invalid_parameters',
    message: "No provider of 'made-up' is available: ask your operator for access to deepseek.",
  });
});
