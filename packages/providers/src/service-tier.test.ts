import { describe, expect, test } from 'vitest';
import { anthropicUsage } from './anthropic/usage.ts';
import { bedrockUsage } from './aws-bedrock/usage.ts';
import { geminiUsage } from './google/usage.ts';
import { openAiCompatible } from './openai-compatible/chat.ts';
import { usageOfResponse } from './openai-compatible/responses/usage.ts';
import { createResponsesReader } from './openai-compatible/responses/stream.ts';
import { namedTier } from './service-tier.ts';
import { callOf, contextOf, feed, translate } from './testing/translate.ts';

test.each([
  ['priority', 'priority'],
  ['PRIORITY', 'priority'],
  ['default', 'default'],
  ['standard', 'default'],
  ['on_demand', 'default'],
  ['auto', undefined],
  ['unspecified', undefined],
  ['', undefined],
  [null, undefined],
  [{ type: 'flex' }, undefined],
  ['x'.repeat(41), 'x'.repeat(40)],
])('%j is the tier %s', (reported, tier) => {
  expect(namedTier(reported)).toBe(tier);
});

const vendor = openAiCompatible({ id: 'vendor', baseUrl: 'https://vendor.example', keyVariable: 'VENDOR' });
const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
const choice = (delta: object, finish_reason: string | null = null) => [{ index: 0, delta, finish_reason }];
const bytesOf = (...events: object[]) => [
  Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')),
];

describe('the tier of an answer in OpenAI’s format', () => {
  const plain = (service_tier?: string) =>
    vendor.response(
      { choices: [{ index: 0, message: { content: 'x' }, finish_reason: 'stop' }], usage, service_tier },
      contextOf(vendor, callOf({}, false)),
    );
  const streamed = (first?: string, last?: string) =>
    translate(
      vendor,
      bytesOf(
        { choices: choice({ content: 'x' }), service_tier: first },
        { choices: choice({}, 'stop'), service_tier: first },
        { choices: [], usage, service_tier: last },
      ),
    ).at(-1)?.usage;

  test('is part of its usage, if it is not the standard one', () => {
    expect([plain('priority').usage, plain('default').usage, plain().usage]).toEqual([
      { ...usage, service_tier: 'priority' },
      usage,
      usage,
    ]);
  });

  test('is that of the latest chunk that names one', () => {
    expect([streamed('flex', 'flex'), streamed('flex'), streamed('flex', 'default'), streamed()]).toEqual([
      { ...usage, service_tier: 'flex' },
      { ...usage, service_tier: 'flex' },
      usage,
      usage,
    ]);
  });

  test('is known before the usage', () => {
    const translator = vendor.stream(contextOf(vendor));
    expect(translator.tier?.()).toBeUndefined();
    feed(translator, bytesOf({ choices: choice({ content: 'x' }), service_tier: 'default' }), 'sse');
    expect([translator.tier?.(), translator.usage()]).toEqual(['default', undefined]);
  });
});

describe('the tier of a response', () => {
  const response = { usage: { input_tokens: 5, output_tokens: 2, total_tokens: 7 } };

  test('is part of its usage', () => {
    expect(usageOfResponse({ ...response, service_tier: 'ultrafast' })).toEqual({
      ...usage,
      service_tier: 'ultrafast',
    });
    expect(usageOfResponse({ ...response, service_tier: 'default' })).toEqual(usage);
  });

  test('is that of the end of its stream, which begins with the tier that was asked', () => {
    const reader = createResponsesReader({ id: 'vendor', quirks: {} }, contextOf(vendor));
    const chunks = feed(
      reader,
      bytesOf(
        { type: 'response.created', response: { service_tier: 'priority' } },
        { type: 'response.completed', response: { ...response, service_tier: 'default' } },
      ),
      'sse',
    );
    expect(chunks.at(-1)?.usage).toEqual(usage);
  });
});

test.each<[string, object, string | undefined]>([
  ['the standard tier', { service_tier: 'standard', speed: 'standard' }, undefined],
  ['priority', { service_tier: 'priority' }, 'priority'],
  ['batch', { service_tier: 'batch', speed: null }, 'batch'],
  ['fast mode', { service_tier: 'standard', speed: 'fast' }, 'fast'],
])('Anthropic reports %s in the usage', (_name, members, tier) => {
  expect(anthropicUsage({ input_tokens: 1, output_tokens: 1, ...members })?.service_tier).toBe(tier);
});

test.each<[string, object, string | undefined]>([
  ['a tier', { serviceTier: 'flex' }, 'flex'],
  ['the standard tier', { serviceTier: 'standard', trafficType: 'ON_DEMAND_PRIORITY' }, undefined],
  ['standard traffic', { trafficType: 'ON_DEMAND' }, undefined],
  ['traffic with priority', { trafficType: 'ON_DEMAND_PRIORITY' }, 'priority'],
  ['flexible traffic', { trafficType: 'ON_DEMAND_FLEX' }, 'flex'],
  ['traffic paid in advance', { trafficType: 'PROVISIONED_THROUGHPUT' }, 'provisioned_throughput'],
  ['no traffic', { trafficType: 'TRAFFIC_TYPE_UNSPECIFIED' }, undefined],
])('Google reports %s in the usage', (_name, members, tier) => {
  expect(geminiUsage({ promptTokenCount: 1, candidatesTokenCount: 1, ...members })?.service_tier).toBe(tier);
});

test.each([
  [{ type: 'reserved' }, 'reserved'],
  [{ type: 'default' }, undefined],
  [undefined, undefined],
])('Bedrock reports %j beside the usage: %s', (serviceTier, tier) => {
  expect(bedrockUsage({ usage: { inputTokens: 1, outputTokens: 1 }, serviceTier })?.service_tier).toBe(tier);
});
