import { modelOf, offerOf } from '@tallyport/contracts/testing';
import type { ImageCall } from '@tallyport/providers';
import type { ChatRequest } from '@tallyport/wire';
import { describe, expect, test } from 'vitest';
import { untakenOfChat, untakenOfImages } from './untaken.ts';

const request = (changes: object): ChatRequest => ({
  model: 'm',
  messages: [{ role: 'user', content: 'x'.repeat(100_000) }],
  ...changes,
});
const tool = { type: 'function', function: { name: 'a', parameters: { type: 'object', enum: ['x'.repeat(20_000)] } } };

const names: Record<string, string> = { anthropic: 'claude-haiku-4-5', google: 'gemini-3.5-flash' };

function untaken(provider: string, changes: object, supportedParameters: string[] = []) {
  const offer = offerOf(provider, { modelName: names[provider] ?? 'some-model' });
  const model = { ...modelOf('m', [offer]), supportedParameters };
  return untakenOfChat({ request: request(changes), stream: false }, {})(model, offer);
}

describe('the member of a chat that a provider would not get', () => {
  test.each<[string, string, object, string | undefined]>([
    ['none without members', 'anthropic', {}, undefined],
    ['none of OpenAI', 'openai', { seed: 1, temperature: 0.5, logit_bias: { 1: 2 } }, undefined],
    ['a seed at Anthropic', 'anthropic', { temperature: 0.5, seed: 1 }, 'seed'],
    ['a penalty at Anthropic', 'anthropic', { frequency_penalty: 1 }, 'frequency_penalty'],
    ['a seed at Google, which has it', 'google', { seed: 1 }, undefined],
    ['an unknown member at Google', 'google', { top_q: 1 }, 'top_q'],
    ['defaults', 'anthropic', { frequency_penalty: 0, n: 1, service_tier: 'auto', seed: null, stop: [] }, undefined],
    ['labels and limits', 'anthropic', { user: 'u', metadata: { a: 'b' }, max_tokens: 5, stream: false }, undefined],
    ['stops and tools', 'anthropic', { stop: ['a'], tools: [tool], parallel_tool_calls: false }, undefined],
    ['thinking in two words', 'google', { reasoning: { effort: 'high' }, reasoning_effort: 'high' }, undefined],
    ['any at an unknown provider', 'nowhere', { seed: 1 }, 'seed'],
  ])('%s', (_name, provider, changes, expected) => expect(untaken(provider, changes)).toBe(expected));

  test('is one that the catalogue knows its model to ignore', () => {
    expect(untaken('openai', { temperature: 0.5 }, ['tools'])).toBe('temperature');
    expect(untaken('openai', { temperature: 0.5 }, ['temperature'])).toBeUndefined();
  });

  test('is looked for among 16 members and 16,384 characters', () => {
    const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, 1]));
    expect(untaken('openai', members(16))).toBeUndefined();
    for (const changes of [members(17), { logit_bias: 'x'.repeat(16_384) }])
      expect(() => untaken('openai', changes)).toThrow(
        expect.objectContaining({ param: 'provider.require_parameters' }),
      );
  });
});

describe('the member of an image request that a provider would not get', () => {
  const call = (changes: Partial<ImageCall>): ImageCall => ({
    operation: 'generate',
    prompt: 'a',
    n: 1,
    images: [],
    ...changes,
  });
  test.each<[string, string, string, Partial<ImageCall>, string | undefined]>([
    ['none of OpenAI', 'openai', 'gpt-image-2', { quality: 'high' }, undefined],
    ['what the gateway does', 'google', 'gemini-2.5-flash-image', { outputFormat: 'jpeg', size: '64x64' }, undefined],
    ['a quality at Google', 'google', 'gemini-2.5-flash-image', { quality: 'high' }, 'quality'],
    ['partial images at Google', 'google', 'gemini-2.5-flash-image', { partialImages: 2 }, 'partial_images'],
    ['a value that means any', 'google', 'gemini-2.5-flash-image', { quality: 'auto' }, undefined],
  ])('%s', (_name, provider, modelName, changes, expected) => {
    const offer = offerOf(provider, { modelName });
    expect(untakenOfImages(call(changes), {})(modelOf('m', [offer]), offer)).toBe(expected);
  });
});
